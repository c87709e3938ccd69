try {
  await tools.fail({ kind: "chain" });
} catch (error) {
  console.log(error.type, error.message);
}
