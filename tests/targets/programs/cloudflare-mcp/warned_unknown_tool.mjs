async () => {
  return await codemode.nope({});
}
// WARNS: 2 Tool "nope" not found
