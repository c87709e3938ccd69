//! The few things of the operating system that the standard library has not.

use std::fs::File;
use std::os::raw::{c_int, c_short, c_ulong, c_void};
use std::os::unix::io::{AsRawFd, FromRawFd, RawFd};
use std::time::{Duration, Instant};

const SPIN: Duration = Duration::from_micros(100);
const F_SETFD: c_int = 2;
const FD_CLOEXEC: c_int = 1;
const POLLIN: c_short = 1;
/// Whether the end of a process can be watched; elsewhere the host is told of `exit` by the status alone.
pub const HAS_ON_EXIT: bool = cfg!(all(target_os = "linux", target_env = "gnu"));
const SIGUSR2: c_int = if cfg!(target_os = "linux") { 12 } else { 31 };

#[repr(C)]
struct PollFd {
    fd: RawFd,
    events: c_short,
    found: c_short,
}

extern "C" {
    fn fcntl(fd: RawFd, command: c_int, ...) -> c_int;
    fn signal(number: c_int, handler: extern "C" fn(c_int)) -> *mut c_void;
    fn write(fd: RawFd, bytes: *const c_void, length: usize) -> isize;
    fn poll(fds: *mut PollFd, count: c_ulong, milliseconds: c_int) -> c_int;
    #[cfg(target_os = "linux")]
    fn prctl(option: c_int, ...) -> c_int;
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

/// The file behind an inherited descriptor.
pub fn own_file(fd: RawFd) -> File {
    keep_from_children(fd);
    // SAFETY: the host opened the descriptor for this kit alone.
    unsafe { File::from_raw_fd(fd) }
}

pub fn keep_from_children(fd: RawFd) {
    // SAFETY: a descriptor that is none is refused.
    unsafe { fcntl(fd, F_SETFD, FD_CLOEXEC) };
}

/// Writes what it can, with nothing but the system's own call: for signal handlers.
pub fn write_now(fd: RawFd, text: &[u8]) {
    // SAFETY: the text is as long as it says.
    unsafe { write(fd, text.as_ptr().cast(), text.len()) };
}

/// Has the function called when the host asks for the script's position.
pub fn on_position_signal(function: extern "C" fn(c_int)) {
    // SAFETY: a handler of the right kind for a signal that nobody else uses.
    unsafe { signal(SIGUSR2, function) };
}

/// Has the process die with its parent, and adopt the orphans of its children, so that the host finds them all.
pub fn bind_to_family() {
    #[cfg(target_os = "linux")]
    // SAFETY: both options take plain numbers.
    unsafe {
        const PR_SET_PDEATHSIG: c_int = 1;
        const PR_SET_CHILD_SUBREAPER: c_int = 36;
        const SIGKILL: c_ulong = 9;
        const YES: c_ulong = 1;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_CHILD_SUBREAPER, YES);
    }
}

/// Has the function called when the process ends by itself, with its status; where the system has that.
pub fn at_exit(function: extern "C" fn(c_int, *mut c_void)) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the function needs no argument.
    unsafe {
        on_exit(function, std::ptr::null_mut());
    }
    let _ = function;
}

/// Whether this is the process's one thread; where nobody can tell, it is taken for one of many.
pub fn is_only_thread() -> bool {
    // A folder has a link from its name, one from itself, and one from each folder in it: one for each thread.
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self/task").map_or(false, |folder| folder.nlink() == 3)
}

/// True as soon as there is something to read, or nobody left to write; False if not within that time.
pub fn is_readable(fd: RawFd, time: Duration) -> bool {
    let mut waiting = PollFd { fd, events: POLLIN, found: 0 };
    // SAFETY: it is one entry, and it lives as long as the call.
    unsafe { poll(&mut waiting, 1, time.as_millis() as c_int) > 0 }
}

/// Looks for the answer of a quick tool before sleeping: to be woken on another core takes longer than that.
pub fn look_out(pipe: &File) {
    let until = Instant::now() + SPIN;
    while !is_readable(pipe.as_raw_fd(), Duration::ZERO) && Instant::now() < until {}
}
