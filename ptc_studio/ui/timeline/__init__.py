"""When each call ran: a lane for each tool, a bar for each call."""
