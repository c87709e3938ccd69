try {
  return await fail({ reason: "closed" });
} catch (error) {
  console.warn(error.message);
  return greet({ name: "anyway" });
}
// SEES: {"result": "hello anyway", "logs": ["[WARN] closed"]}
