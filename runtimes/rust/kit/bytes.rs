//! Bytes of a script: base64 in JSON, told apart from a text by the object that they are on their way to the host.

use crate::{FromValue, ToValue, Value};
use std::collections::BTreeMap;

const KEY: &str = "\0bytes";
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes that a tool takes or gives: `call_tool::<Bytes>(...)`, `args! {"data" => Bytes(data)}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

impl ToValue for Bytes {
    fn to_value(self) -> Value {
        Value::Object(BTreeMap::from([(KEY.to_string(), Value::String(encode(&self.0)))]))
    }
}

impl FromValue for Bytes {
    fn from_value(value: Value) -> Result<Self, String> {
        let text = value.as_str().ok_or_else(|| format!("{}, which is no bytes", value.kind()))?;
        decode(text).map(Bytes).ok_or_else(|| "a string that is no base64".to_string())
    }
}

fn encode(data: &[u8]) -> String {
    let mut text = String::with_capacity((data.len() + 2) / 3 * 4);
    for part in data.chunks(3) {
        let bits = part.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - part.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63] as char;
            text.push(if place > part.len() { '=' } else { letter });
        }
    }
    text
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let letters = text.trim_end_matches('=');
    let mut data = Vec::with_capacity(letters.len() * 3 / 4);
    for part in letters.as_bytes().chunks(4) {
        let mut bits = 0u32;
        for letter in part {
            bits = bits << 6 | LETTERS.iter().position(|each| each == letter)? as u32;
        }
        bits <<= 6 * (4 - part.len());
        data.extend((1..part.len()).map(|place| (bits >> (24 - 8 * place)) as u8));
    }
    Some(data)
}
