//! Writes JSON, with the numbers `NaN`, `Infinity` and `-Infinity`.

use crate::Value;
use std::fmt::Write;

pub fn to_json(value: &Value) -> String {
    let mut text = String::new();
    write_value(&mut text, value);
    text
}

pub fn write_value(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Int(number) => append(out, number),
        Value::BigInt(digits) => out.push_str(digits),
        Value::Float(number) => write_float(out, *number),
        Value::String(text) => write_string(out, text),
        Value::Array(items) => write_array(out, items),
        Value::Object(fields) => write_object(out, fields),
    }
}

pub fn write_array(out: &mut String, items: &[Value]) {
    out.push('[');
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        write_value(out, item);
    }
    out.push(']');
}

pub fn write_object<'a>(out: &mut String, fields: impl IntoIterator<Item = (&'a String, &'a Value)>) {
    out.push('{');
    for (number, (key, value)) in fields.into_iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        write_string(out, key);
        out.push(':');
        write_value(out, value);
    }
    out.push('}');
}

pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[written..at]);
        written = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            _ => append(out, format_args!("\\u{byte:04x}")),
        }
    }
    out.push_str(&text[written..]);
    out.push('"');
}

fn write_float(out: &mut String, number: f64) {
    if number.is_nan() {
        out.push_str("NaN");
    } else if number.is_infinite() {
        out.push_str(if number > 0.0 { "Infinity" } else { "-Infinity" });
    } else {
        // Debug, unlike Display, keeps the `.0` that tells a float from an integer.
        append(out, format_args!("{number:?}"));
    }
}

fn append(out: &mut String, shown: impl std::fmt::Display) {
    write!(out, "{shown}").expect("a String takes everything");
}
