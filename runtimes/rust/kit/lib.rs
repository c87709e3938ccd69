//! The guest side of the Rust runtime: what makes the studio's tools callable in a script.
//!
//! ```ignore
//! let sum: i64 = call_tool("add", args! {"a" => 1, "b" => 2})?;
//! ```

mod arguments;
mod bytes;
mod call;
mod channel;
mod convert;
mod ending;
mod errors;
mod index;
mod macros;
mod panics;
mod parse;
mod position;
mod run;
mod system;
mod value;
mod write;

pub use arguments::Args;
pub use bytes::Bytes;
pub use call::{call_tool, call_tool_timeout};
pub use convert::{FromValue, ToValue};
pub use errors::ToolError;
pub use value::Value;

/// For the template: how a script is entered and left.
#[doc(hidden)]
pub mod entry {
    pub use crate::ending::{last, main_ended, Outcome};
    pub use crate::run::run;

    /// Stands in for the `main` of a script that has none.
    pub fn main() {}
}
