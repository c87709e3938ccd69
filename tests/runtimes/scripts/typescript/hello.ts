console.log("héllo ✓ 日本");
