//! How a script ends: with a value, an error, a panic or an exit; and what the host is told of it.

use crate::panics::{self, Panic};
use crate::{json, position, write, ToValue, ToolError, Value};
use std::any::Any;
use std::error::Error;
use std::fmt;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

pub type Outcome = Result<(), Box<dyn Error>>;

/// Somewhat less than a frame holds.
const LONGEST_VALUE: usize = 60_000_000;

static VALUE: Mutex<Value> = Mutex::new(Value::Null);

/// What may stand at the end of a script: a value, `Ok(...)`, or nothing.
pub trait Last {
    fn into_value(self) -> Result<Value, Box<dyn Error>>;
}

impl<T: ToValue> Last for T {
    fn into_value(self) -> Result<Value, Box<dyn Error>> {
        Ok(self.to_value())
    }
}

impl Last for Value {
    fn into_value(self) -> Result<Value, Box<dyn Error>> {
        Ok(self)
    }
}

/// The one kind of error, so that the compiler knows it in a bare `Ok(())`.
impl<T: Into<Value>> Last for Result<T, Box<dyn Error>> {
    fn into_value(self) -> Result<Value, Box<dyn Error>> {
        self.map(Into::into)
    }
}

/// Keeps the script's value.
pub fn last(end: impl Last) -> Outcome {
    let value = end.into_value()?;
    *VALUE.lock().unwrap_or_else(PoisonError::into_inner) = value;
    Ok(())
}

/// What a script's own `main` may return.
pub trait MainEnd {
    fn outcome(self) -> Outcome;
}

impl MainEnd for () {
    fn outcome(self) -> Outcome {
        Ok(())
    }
}

impl MainEnd for ExitCode {
    fn outcome(self) -> Outcome {
        // The number is to be seen nowhere else.
        let digits: String = format!("{self:?}").chars().filter(char::is_ascii_digit).collect();
        match digits.parse() {
            Ok(0) | Err(_) => Ok(()),
            Ok(status) => std::process::exit(status),
        }
    }
}

impl<T, E: fmt::Debug + 'static> MainEnd for Result<T, E> {
    fn outcome(self) -> Outcome {
        self.map(|_| ()).map_err(boxed)
    }
}

pub fn main_ended(end: impl MainEnd) -> Outcome {
    end.outcome()
}

/// An error of which nothing is known but how it shows itself.
struct Shown(String);

impl fmt::Debug for Shown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Error for Shown {}

fn boxed<E: fmt::Debug + 'static>(error: E) -> Box<dyn Error> {
    let shown = Shown(format!("{error:?}"));
    let any: Box<dyn Any> = Box::new(error);
    let any = match any.downcast::<Box<dyn Error>>() {
        Ok(error) => return *error,
        Err(any) => any,
    };
    let any = match any.downcast::<Box<dyn Error + Send + Sync>>() {
        Ok(error) => return *error,
        Err(any) => any,
    };
    let any = match any.downcast::<ToolError>() {
        Ok(error) => return error,
        Err(any) => any,
    };
    match any.downcast::<String>() {
        Ok(text) => (*text).into(),
        Err(_) => Box::new(shown),
    }
}

/// The `done` frame of a script that came to its end.
pub fn finished() -> Value {
    let value = std::mem::take(&mut *VALUE.lock().unwrap_or_else(PoisonError::into_inner));
    let shown = if write::to_json(&value).len() > LONGEST_VALUE { json!("<too large to be shown>") } else { value };
    json!({"type": "done", "code": 0, "value": shown, "error": null})
}

/// The `done` frame of a script that left an error to nobody.
pub fn failed(error: &(dyn Error + 'static), filename: &str) -> Value {
    match error.downcast_ref::<ToolError>() {
        Some(error) => {
            let place = error.line.map_or_else(|| filename.to_string(), |line| format!("{filename}:{line}"));
            done(1, &error.kind, &error.message, &format!("{place}: {error:?}"), error.line)
        }
        None => {
            let (message, shown) = (error.to_string(), format!("{error:?}"));
            // By convention, what Debug shows begins with the type's name.
            let end = shown.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(shown.len());
            let name = if end > 0 { &shown[..end] } else { "Error" };
            done(1, name, &message, &format!("{filename}: {name}: {message}"), None)
        }
    }
}

/// The `done` frame of a script that panicked; a tool's failure that was unwrapped is the tool's failure.
pub fn panicked(panic: &Panic) -> Value {
    let traceback = panic.to_string();
    match panics::unwrapped(panic) {
        Some(error) => done(panics::STATUS, &error.kind, &error.message, &traceback, panic.line),
        None => done(panics::STATUS, "panic", &panic.message, &traceback, panic.line),
    }
}

/// The `done` frame of a script that called `exit`.
pub fn exited(status: i32) -> Value {
    match status {
        0 => finished(),
        _ => done(status, "SystemExit", &format!("the script ended with status {status}"), "", position::line()),
    }
}

fn done(code: i32, name: &str, message: &str, traceback: &str, line: Option<u32>) -> Value {
    json!({
        "type": "done",
        "code": code,
        "error": {"type": name, "message": message, "traceback": traceback, "line": line},
    })
}
