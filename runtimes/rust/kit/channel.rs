//! The guest's end of the channel. There is no thread of the kit's own: whoever waits reads, for all.

use crate::{parse, system, write, Args, Value};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const CHUNK: usize = 1 << 16;

pub struct Channel {
    state: Mutex<State>,
    arrived: Condvar,
    incoming: Mutex<Incoming>,
    outgoing: Mutex<File>,
}

#[derive(Default)]
struct State {
    last_id: u64,
    under_way: usize,
    answers: HashMap<u64, Value>,
    /// Somebody reads; the others wait until something has arrived.
    reading: bool,
}

struct Incoming {
    pipe: File,
    buffer: Vec<u8>,
    /// Up to here there is no end of a line.
    searched: usize,
}

impl Channel {
    pub fn new(read: File, write: File) -> Channel {
        Channel {
            state: Mutex::default(),
            arrived: Condvar::new(),
            incoming: Mutex::new(Incoming { pipe: read, buffer: Vec::new(), searched: 0 }),
            outgoing: Mutex::new(write),
        }
    }

    /// Sends one frame. A host that is gone reads nothing, and has this process killed.
    pub fn send(&self, mut frame: String) {
        frame.push('\n');
        if lock(&self.outgoing).write_all(frame.as_bytes()).is_err() {
            std::process::exit(1);
        }
    }

    /// Waits for the next frame, whatever it is; before the script starts.
    pub fn receive(&self) -> Value {
        lock(&self.incoming).next_frame()
    }

    /// Calls a tool and waits for the frame with its answer.
    pub fn call(&self, tool: &str, arguments: &Args, timeout: Option<Duration>, line: Option<u32>) -> Value {
        let (id, alone) = self.begin();
        let mut frame = format!("{{\"type\":\"call\",\"id\":{id},\"wait\":{alone},\"tool\":");
        write::write_string(&mut frame, tool);
        arguments.write(&mut frame);
        if let Some(line) = line {
            frame.push_str(&format!(",\"line\":{line}"));
        }
        if let Some(timeout) = timeout {
            frame.push_str(&format!(",\"timeout\":{:?}", timeout.as_secs_f64()));
        }
        frame.push('}');
        self.send(frame);
        self.wait_for(id)
    }

    /// A number for the call, and whether nothing else can be sent before its answer.
    fn begin(&self) -> (u64, bool) {
        let mut state = lock(&self.state);
        state.last_id += 1;
        state.under_way += 1;
        let first = state.under_way == 1;
        (state.last_id, first && system::is_only_thread())
    }

    fn wait_for(&self, id: u64) -> Value {
        let mut state = lock(&self.state);
        loop {
            if let Some(answer) = state.answers.remove(&id) {
                state.under_way -= 1;
                return answer;
            }
            if state.reading {
                state = self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state.reading = true;
            drop(state);
            let frame = lock(&self.incoming).next_frame();
            state = lock(&self.state);
            state.reading = false;
            deliver(&mut state.answers, frame);
            self.arrived.notify_all();
        }
    }
}

fn deliver(answers: &mut HashMap<u64, Value>, frame: Value) {
    match frame["id"].as_u64() {
        Some(id) => {
            answers.insert(id, frame);
        }
        None => eprintln!("ptc: {}", frame["message"].as_str().unwrap_or("a frame was not understood")),
    }
}

impl Incoming {
    fn next_frame(&mut self) -> Value {
        loop {
            if let Some(length) = self.buffer[self.searched..].iter().position(|&byte| byte == b'\n') {
                let rest = self.buffer.split_off(self.searched + length + 1);
                let line = std::mem::replace(&mut self.buffer, rest);
                self.searched = 0;
                return frame(&line);
            }
            self.searched = self.buffer.len();
            self.fill();
        }
    }

    fn fill(&mut self) {
        system::look_out(&self.pipe);
        let mut chunk = [0; CHUNK];
        match self.pipe.read(&mut chunk) {
            // The host is gone; there is nothing left to do.
            Ok(0) | Err(_) => std::process::exit(1),
            Ok(length) => self.buffer.extend_from_slice(&chunk[..length]),
        }
    }
}

fn frame(line: &[u8]) -> Value {
    let text = String::from_utf8_lossy(line);
    parse::from_json(&text).unwrap_or_else(|message| unreadable(&text, message))
}

/// A frame that cannot be read, such as one that is nested too deeply, is the failure of the call that it answers.
fn unreadable(text: &str, message: String) -> Value {
    let digits = text.split_once("\"id\":").map_or("", |(_, rest)| rest.split(',').next().unwrap_or(""));
    let id = digits.parse::<i128>().map_or(Value::Null, Value::Int);
    crate::json!({"type": "failure", "id": id, "error": {"type": "ValueError", "message": message}})
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
