const half = 21;
export default half * 2;
