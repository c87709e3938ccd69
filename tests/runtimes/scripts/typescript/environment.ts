console.log(
  Object.keys(process.env)
    .filter((name) => name.startsWith("PTC_"))
    .join(" "),
);
