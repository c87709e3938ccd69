# Who on the team spent most last quarter?
spent = team_members("engineering").to_h do |person|
  [person, get_expenses(person, quarter: "Q3").sum { |line| line["amount"] }]
end

begin
  lookup_manager("Nobody")
rescue ToolError => error
  puts "#{error.type}: #{error.message}"
end

person, amount = spent.max_by { |_, amount| amount }
puts "#{person} spent #{amount.round} euros"
