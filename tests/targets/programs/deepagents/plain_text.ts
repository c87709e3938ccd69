const greeting: string = await tools.greet({ name: "Ada" });
greeting.toUpperCase()
// SEES: "<result>HELLO ADA</result>"
