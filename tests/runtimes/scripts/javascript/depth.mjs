try {
  await tools.again();
} catch (error) {
  console.log(error.type, error.message);
}
