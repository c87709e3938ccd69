//! Remembers what panicked, and where in the script.

use crate::{position, run, ToolError};
use std::any::Any;
use std::fmt;
use std::panic::{self, Location};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// The status of a program that panicked.
pub const STATUS: i32 = 101;

#[derive(Clone)]
pub struct Panic {
    thread: String,
    pub message: String,
    place: String,
    /// The script's own line, also where code that it called panicked.
    pub line: Option<u32>,
}

#[derive(Default)]
struct Seen {
    main: Option<Panic>,
    thread: Option<Panic>,
    tool_error: Option<ToolError>,
}

static SEEN: Mutex<Seen> = Mutex::new(Seen { main: None, thread: None, tool_error: None });

/// Has every panic written to stderr, as Rust does, and kept.
pub fn watch() {
    panic::set_hook(Box::new(|info| {
        let panic = Panic::of(info.payload(), info.location());
        eprintln!("{panic}");
        let is_main = panic.thread == "main";
        let mut seen = seen();
        *(if is_main { &mut seen.main } else { &mut seen.thread }) = Some(panic);
    }));
}

/// The panic that ended the script; if all it says is that a thread panicked, then that thread's.
pub fn fatal() -> Option<Panic> {
    let seen = seen();
    let main = seen.main.clone()?;
    let is_echo = main.message == "a scoped thread panicked" || main.message.ends_with("Any { .. }");
    match &seen.thread {
        Some(panic) if is_echo => Some(panic.clone()),
        _ => Some(main),
    }
}

/// A tool's failure that the script is given, and may unwrap.
pub fn remember(error: &ToolError) {
    seen().tool_error = Some(error.clone());
}

/// The tool's failure whose unwrapping was the panic.
pub fn unwrapped(panic: &Panic) -> Option<ToolError> {
    seen().tool_error.clone().filter(|error| panic.message.ends_with(&format!("{error:?}")))
}

impl Panic {
    fn of(payload: &dyn Any, location: Option<&Location<'_>>) -> Panic {
        let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
        let script = run::script();
        Panic {
            thread: thread::current().name().unwrap_or("<unnamed>").to_string(),
            message: text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "Any { .. }".into()),
            place: location.map_or_else(String::new, |location| script.shown(location)),
            line: location.and_then(|location| script.line_of(location)).or_else(position::line),
        }
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "thread '{}' panicked at {}:\n{}", self.thread, self.place, self.message)
    }
}

fn seen() -> MutexGuard<'static, Seen> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner)
}
