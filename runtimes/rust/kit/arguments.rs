//! The arguments of a call.

use crate::{write, Value};

/// Made by `args!`, by name or by place; a `Value` from `json!` will do, too.
#[derive(Clone, Debug, Default)]
pub struct Args {
    positional: Vec<Value>,
    named: Vec<(String, Value)>,
}

impl Args {
    pub fn positional(items: Vec<Value>) -> Args {
        Args { positional: items, named: Vec::new() }
    }

    pub fn named(fields: Vec<(String, Value)>) -> Args {
        Args { positional: Vec::new(), named: fields }
    }

    /// Appends the two fields of a `call` frame.
    pub(crate) fn write(&self, frame: &mut String) {
        frame.push_str(",\"args\":");
        write::write_array(frame, &self.positional);
        frame.push_str(",\"kwargs\":");
        write::write_object(frame, self.named.iter().map(|(name, value)| (name, value)));
    }
}

/// An object names its arguments, an array places them, and null is none at all.
impl From<Value> for Args {
    fn from(value: Value) -> Args {
        match value {
            Value::Null => Args::default(),
            Value::Object(fields) => Args::named(fields.into_iter().collect()),
            Value::Array(items) => Args::positional(items),
            single => Args::positional(vec![single]),
        }
    }
}

impl From<()> for Args {
    fn from(_: ()) -> Args {
        Args::default()
    }
}
