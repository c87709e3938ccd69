// The text that is compiled in place of the author's: the host says what must differ for the value to be known.

/** The text with the edits `[from, to, text]`, and the author's column for a place in it. No edit moves a line. */
export function edited(code, edits = []) {
  const pieces = [];
  const inserted = [];
  let at = 0;
  for (const [from, to, text] of edits) {
    pieces.push(code.slice(at, from), text);
    at = to;
    if (text.length !== to - from) inserted.push({ ...placeOf(code, from), length: text.length });
  }
  pieces.push(code.slice(at));
  return { code: pieces.join(""), column: (line, column) => authorsColumn(inserted, line, column) };
}

function placeOf(code, offset) {
  const lines = code.slice(0, offset).split("\n");
  return { line: lines.length, column: lines.at(-1).length + 1 };
}

function authorsColumn(inserted, line, column) {
  let before = column;
  for (const edit of inserted) {
    if (edit.line === line && before > edit.column) before = Math.max(edit.column, before - edit.length);
  }
  return before;
}
