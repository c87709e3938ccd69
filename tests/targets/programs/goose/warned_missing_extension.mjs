import { text_editor } from "developer";

text_editor({ command: "view" })
// WARNS: 1 There is no extension 'developer'
