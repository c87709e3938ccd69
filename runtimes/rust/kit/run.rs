//! The way of a process: says hello, waits for `start`, executes the script, says how it ended.

use crate::channel::Channel;
use crate::ending::{self, Outcome};
use crate::{json, panics, position, system, Value};
use std::fmt::Display;
use std::io::{self, Write};
use std::os::raw::{c_int, c_void};
use std::panic::{catch_unwind, Location};
use std::process::exit;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{env, ptr};

/// How long a process that has nothing more to do waits for its end.
const PATIENCE: Duration = Duration::from_secs(60);

static SCRIPT: AtomicPtr<Script> = AtomicPtr::new(ptr::null_mut());
static DONE: Mutex<Option<Value>> = Mutex::new(None);

type Stack = Box<dyn Fn() -> String + Send + Sync>;

/// The script of this process.
pub struct Script {
    pub channel: Channel,
    read_fd: i32,
    /// Its file as the compiler knew it.
    pub compiled: &'static str,
    /// Its file as the user knows it.
    pub filename: String,
    /// Shows the stack, where the compiler is new enough.
    pub stack: Stack,
}

impl Script {
    /// The line, if it is one of the script's own.
    pub fn line_of(&self, place: &Location<'_>) -> Option<u32> {
        (place.file() == self.compiled).then(|| place.line())
    }

    /// Without the column, which is not the user's in the first line.
    pub fn shown(&self, place: &Location<'_>) -> String {
        let file = if place.file() == self.compiled { &self.filename } else { place.file() };
        format!("{file}:{}", place.line())
    }
}

/// The one that `run` has begun.
pub fn script() -> &'static Script {
    // SAFETY: it is null, or points to what `begin` leaked.
    unsafe { SCRIPT.load(Ordering::Acquire).as_ref() }.expect("the script is executed by the studio")
}

/// Executes the script, which stands in the file of that name, and ends the process.
pub fn run<S: Display + 'static>(compiled: &'static str, execute: fn() -> Outcome, stack: fn() -> S) -> ! {
    run_to_end(compiled, execute, Box::new(move || stack().to_string()))
}

fn run_to_end(compiled: &'static str, execute: fn() -> Outcome, stack: Stack) -> ! {
    let script = begin(compiled, stack);
    let (status, done) = match catch_unwind(execute) {
        Ok(Ok(())) => (0, ending::finished()),
        Ok(Err(error)) => (1, ending::failed(&*error, &script.filename)),
        Err(_) => (panics::STATUS, panics::fatal().map_or(Value::Null, |panic| ending::panicked(&panic))),
    };
    *DONE.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
    if !system::HAS_ON_EXIT {
        let _ = io::stdout().flush();
        say_done(status, ptr::null_mut());
    }
    exit(status)
}

fn begin(compiled: &'static str, stack: Stack) -> &'static Script {
    system::bind_to_family();
    let (read_fd, channel) = open_channel().unwrap_or_else(|| {
        eprintln!("This program is a script of PTC Studio, which alone can run it.");
        exit(2)
    });
    let report_fd = taken("PTC_REPORT").and_then(|fd| fd.parse().ok());
    channel.send(json!({"type": "hello", "protocol": 1, "token": taken("PTC_TOKEN")}).to_string());
    let start = channel.receive();
    if let Some(directory) = start["directory"].as_str() {
        // A folder that is not there is no reason not to run.
        let _ = env::set_current_dir(directory);
    }
    let filename = start["filename"].as_str().unwrap_or(compiled).to_string();
    let script = Box::leak(Box::new(Script { channel, read_fd, compiled, filename, stack }));
    SCRIPT.store(script, Ordering::Release);
    panics::watch();
    system::at_exit(say_done);
    if let Some(fd) = report_fd {
        system::keep_from_children(fd);
        position::report_to(fd);
    }
    script
}

fn open_channel() -> Option<(i32, Channel)> {
    let named = taken("PTC_CHANNEL")?;
    let (read, write) = named.split_once(',')?;
    let (read, write) = (read.parse().ok()?, write.parse().ok()?);
    Some((read, Channel::new(system::own_file(read), system::own_file(write))))
}

/// A variable that is none of the script's business.
fn taken(name: &str) -> Option<String> {
    let value = env::var(name).ok();
    env::remove_var(name);
    value
}

/// The last thing in the process, after Rust has flushed its output: also when the script called `exit`.
extern "C" fn say_done(status: c_int, _: *mut c_void) {
    let script = script();
    let done = DONE.lock().unwrap_or_else(PoisonError::into_inner).take();
    script.channel.send(done.unwrap_or_else(|| ending::exited(status)).to_string());
    system::is_readable(script.read_fd, PATIENCE);
}
