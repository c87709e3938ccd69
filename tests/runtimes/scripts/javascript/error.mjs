try {
  await tools.fail({ kind: "key" });
} catch (error) {
  console.log(error.type, error.message);
}
