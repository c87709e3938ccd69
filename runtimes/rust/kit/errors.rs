//! A tool's failure.

use crate::Value;
use std::{error, fmt};

/// What a tool raised, or why it was not reached.
#[derive(Clone, PartialEq)]
pub struct ToolError {
    /// The name of the tool's own exception type, such as `KeyError`.
    pub kind: String,
    pub message: String,
    pub tool: String,
    /// What the exception carries beyond its message, such as the `status` of an HTTP error; an object.
    pub attributes: Value,
    /// Where the script made the call.
    pub line: Option<u32>,
}

impl ToolError {
    /// From the `error` of a `failure` frame.
    pub(crate) fn of_failure(tool: &str, line: Option<u32>, error: &Value) -> ToolError {
        let text = |key: &str| error[key].as_str().unwrap_or_default().to_string();
        let attributes = error["state"].clone();
        ToolError { kind: text("type"), message: text("message"), tool: tool.to_string(), attributes, line }
    }

    pub(crate) fn of_type(tool: &str, line: Option<u32>, message: String) -> ToolError {
        let attributes = Value::Null;
        ToolError { kind: "TypeError".to_string(), message, tool: tool.to_string(), attributes, line }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// As `unwrap` shows it.
impl fmt::Debug for ToolError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {} (tool {:?})", self.kind, self.message, self.tool)
    }
}

impl error::Error for ToolError {}
