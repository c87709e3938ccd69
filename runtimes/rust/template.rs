mod script { pub fn script() -> ptc::entry::Outcome { ptc::entry::last({ ptc::entry::main_ended(main())?; {{script}}
    })}

    use ptc::{args, call_tool, call_tool_timeout, entry::main, json, Args, Bytes, FromValue, ToValue, ToolError, Value};
}

fn main() {
    #[cfg(backtraces)]
    let stack = std::backtrace::Backtrace::force_capture;
    #[cfg(not(backtraces))]
    let stack = String::new;
    ptc::entry::run(file!(), script::script, stack)
}
