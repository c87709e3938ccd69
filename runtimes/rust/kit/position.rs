//! Where the script is, as its stack tells: for what is no call and no panic.

use crate::run;
use std::sync::atomic::{AtomicI32, Ordering};

static REPORT_FD: AtomicI32 = AtomicI32::new(-1);

/// The script's innermost line on the stack; None where stacks cannot be read.
pub fn line() -> Option<u32> {
    let script = run::script();
    line_in(&(script.stack)(), script.compiled)
}

/// Has the position written to that descriptor when the host asks for it, such as in an endless loop.
pub fn report_to(fd: i32) {
    REPORT_FD.store(fd, Ordering::Relaxed);
    crate::system::on_position_signal(report);
}

/// Allocates, which a signal handler must not: should that hang, the process is about to be killed anyway.
extern "C" fn report(_: std::os::raw::c_int) {
    if let Some(line) = line() {
        let text = format!("  File \"{}\", line {line}\n", run::script().filename);
        crate::system::write_now(REPORT_FD.load(Ordering::Relaxed), text.as_bytes());
    }
}

/// Looks for `at /some/where/script.rs:3:5`.
fn line_in(stack: &str, file: &str) -> Option<u32> {
    let name = file.rsplit('/').next().unwrap_or(file);
    let mark = format!("/{name}:");
    let places = stack.lines().filter(|row| row.trim_start().starts_with("at "));
    places.filter_map(|row| row.split_once(&mark)).find_map(|(_, place)| place.split(':').next()?.parse().ok())
}
