const half: number = 21;
export default half * 2;
