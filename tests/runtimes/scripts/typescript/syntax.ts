const fine: number = 1;

console.log("never");
const broken: = 2; // HERE
export default fine;
