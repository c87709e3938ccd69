//! What a script calls tools with.

use crate::channel::Channel;
use crate::{panics, run, Args, FromValue, ToolError, Value};
use std::panic::Location;
use std::time::Duration;

/// Calls a tool by its name and waits for its answer. Any thread may call, and several at once.
#[track_caller]
pub fn call_tool<T: FromValue>(name: &str, arguments: impl Into<Args>) -> Result<T, ToolError> {
    call(name, arguments.into(), None, Location::caller())
}

/// The same, but gives up with a `TimeoutError` after that time.
#[track_caller]
pub fn call_tool_timeout<T: FromValue>(
    name: &str,
    arguments: impl Into<Args>,
    timeout: Duration,
) -> Result<T, ToolError> {
    call(name, arguments.into(), Some(timeout), Location::caller())
}

fn call<T: FromValue>(
    name: &str,
    arguments: Args,
    timeout: Option<Duration>,
    caller: &Location<'_>,
) -> Result<T, ToolError> {
    let script = run::script();
    let line = script.line_of(caller);
    let answer = answer(&script.channel, name, &arguments, timeout, line);
    let value = answer.and_then(|value| {
        T::from_value(value).map_err(|found| ToolError::of_type(name, line, format!("tool '{name}' returned {found}")))
    });
    if let Err(error) = &value {
        panics::remember(error);
    }
    value
}

fn answer(
    channel: &Channel,
    name: &str,
    arguments: &Args,
    timeout: Option<Duration>,
    line: Option<u32>,
) -> Result<Value, ToolError> {
    let mut frame = channel.call(name, arguments, timeout, line);
    match frame["type"].as_str() {
        Some("result") => Ok(frame.take("value")),
        Some("failure") => Err(ToolError::of_failure(name, line, &frame["error"])),
        _ => {
            let message = frame["message"].as_str().unwrap_or("no reason given");
            Err(ToolError::of_type(name, line, format!("the call was not understood: {message}")))
        }
    }
}

impl Value {
    /// The field, which is `Null` afterwards.
    fn take(&mut self, key: &str) -> Value {
        match self {
            Value::Object(fields) => fields.get_mut(key).map(std::mem::take).unwrap_or_default(),
            _ => Value::Null,
        }
    }
}
