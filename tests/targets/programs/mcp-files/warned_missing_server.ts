import * as drive from "./servers/google-drive";

console.log(await drive.getDocument({ documentId: "abc" }));
// WARNS: 1 There is no server `google-drive`
