try {
  await external_fail({ reason: "closed" });
} catch (error) {
  return `failed: ${(error as Error).message}`;
}
// SEES: {"success": true, "result": "failed: closed", "logs": []}
