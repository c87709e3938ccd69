try {
  await tools.mul({ a: 1 });
} catch (error) {
  console.log(error.type, error.message.slice(0, 33));
}
