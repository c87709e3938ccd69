console.log(await tools.server.get_sum(), await tools["server.get-sum"]());
