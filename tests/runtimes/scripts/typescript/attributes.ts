try {
  await tools.fail({ kind: "http" });
} catch (error: any) {
  console.log(error.status, error.body.why, error.headers["x-id"]);
}
