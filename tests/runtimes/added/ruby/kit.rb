# Says hello, takes the script from the start frame, makes every tool a method, and says how the script ended.
require "json"

class ToolError < StandardError
  attr_reader :type, :tool

  def initialize(tool, error)
    super(error["message"])
    @tool, @type = tool, error["type"]
  end
end

class Channel
  def initialize(read, write)
    @in, @out, @last = IO.for_fd(read, "r:UTF-8"), IO.for_fd(write, "w:UTF-8"), 0
    [@in, @out].each { |pipe| pipe.close_on_exec = true }
  end

  def send(frame) = @out.tap { |pipe| pipe.write(JSON.generate(frame, allow_nan: true, max_nesting: 0), "\n") }.flush

  def receive = JSON.parse(@in.gets || exit!, allow_nan: true, max_nesting: 0)

  def call(tool, args, kwargs, script)
    line = caller_locations.find { |place| place.path == script }&.lineno
    send({ type: "call", id: @last += 1, tool: tool, args: args, kwargs: kwargs, line: line, wait: true })
    answer = receive
    answer["type"] == "result" ? answer["value"] : raise(ToolError.new(tool, answer["error"] || answer))
  end
end

# In a method of its own, for a script sees the variables at the top.
def run_script
  channel = Channel.new(*ENV.delete("PTC_CHANNEL").split(",").map(&:to_i))
  channel.send({ type: "hello", protocol: 1, token: ENV.delete("PTC_TOKEN") })
  start = channel.receive
  $stdout.sync = true
  Dir.chdir(start["directory"]) if start["directory"]

  # Tools are methods of every object; `calc.mul` is the method `mul` of an object that the method `calc` gives.
  spaces = Hash.new { |made, name| made[name] = Object.new.tap { |space| add_method(name, made) { space } } }
  define_singleton_method(:add_method) do |name, made = spaces, &body|
    *outer, own = name.split(".")
    outer.empty? ? Kernel.define_method(own, &body) : made[outer.join(".")].define_singleton_method(own, &body)
  end
  start["tools"].flat_map { |tool| tool["names"] }.grep(/\A[\w.]+\z/).each do |name|
    add_method(name) { |*args, **kwargs| channel.call(name, args, kwargs, start["filename"]) }
  end
  Kernel.define_method(:call_tool) { |name, params = {}| channel.call(name, [], params, start["filename"]) }

  code, value, error = 0, nil, nil
  begin
    value = eval(start["code"], TOPLEVEL_BINDING, start["filename"], 1)
  rescue SystemExit => exit
    code = exit.status
  rescue Exception => raised
    places = (raised.backtrace_locations || []).select { |place| place.path == start["filename"] }
    line = places.first&.lineno || raised.message[/:(\d+): /, 1]&.to_i
    type = raised.is_a?(ToolError) ? raised.type : raised.class.name
    traceback = "#{type}: #{raised.message}\n" + places.map { |place| "  from #{place}\n" }.join
    code, error = 1, { type: type, message: raised.message, traceback: traceback, line: line }
  end
  value = nil unless [Integer, Float, String, true, false, Array, Hash].any? { |kind| kind === value }
  channel.send({ type: "done", code: code, value: value, error: error })
  channel.receive
end

run_script
