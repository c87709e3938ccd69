//! Reads JSON, with the numbers `NaN`, `Infinity` and `-Infinity` and integers of any size.

use crate::Value;
use std::collections::BTreeMap;

/// Deeper values would overflow the stack of a thread, here or where they are dropped.
const DEEPEST: usize = 2_000;

pub fn from_json(text: &str) -> Result<Value, String> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let value = parser.value()?;
    match parser.peek() {
        None => Ok(value),
        Some(_) => parser.fail("the end"),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn value(&mut self) -> Result<Value, String> {
        match self.peek() {
            Some(b'"') => Ok(Value::String(self.string()?)),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'0'..=b'9' | b'-') => self.number(),
            _ => self.word(),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Value, String>) -> Result<Value, String> {
        if self.depth == DEEPEST {
            return Err(format!("a value is nested more than {DEEPEST} levels deep"));
        }
        self.at += 1;
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Result<Value, String> {
        let mut fields = BTreeMap::new();
        if self.skip(b'}') {
            return Ok(Value::Object(fields));
        }
        loop {
            if self.peek() != Some(b'"') {
                return self.fail("a key");
            }
            let key = self.string()?;
            if !self.skip(b':') {
                return self.fail("':'");
            }
            fields.insert(key, self.value()?);
            if self.skip(b'}') {
                return Ok(Value::Object(fields));
            }
            if !self.skip(b',') {
                return self.fail("',' or '}'");
            }
        }
    }

    fn array(&mut self) -> Result<Value, String> {
        let mut items = Vec::new();
        if self.skip(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value()?);
            if self.skip(b']') {
                return Ok(Value::Array(items));
            }
            if !self.skip(b',') {
                return self.fail("',' or ']'");
            }
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut read = String::new();
        loop {
            // Bytes of a longer character are never taken for these two, so the cuts are between characters.
            let rest = &self.text[self.at..];
            let length = match plain_length(rest.as_bytes()) {
                Some(length) => length,
                None => return self.fail("the end of a string"),
            };
            read.push_str(&rest[..length]);
            self.at += length + 1;
            if rest.as_bytes()[length] == b'"' {
                return Ok(read);
            }
            read.push(self.escaped()?);
        }
    }

    fn escaped(&mut self) -> Result<char, String> {
        let letter = self.text.as_bytes().get(self.at).copied();
        self.at += 1;
        Ok(match letter {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(plain @ (b'"' | b'\\' | b'/')) => plain as char,
            Some(b'u') => self.unicode()?,
            _ => return self.fail("an escape"),
        })
    }

    /// A character from its UTF-16 form; half a pair, which no Rust string can hold, becomes U+FFFD.
    fn unicode(&mut self) -> Result<char, String> {
        let first = self.four_digits()?;
        if !(0xD800..0xDC00).contains(&first) || !self.text[self.at..].starts_with("\\u") {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let back = self.at;
        self.at += 2;
        let second = self.four_digits()?;
        if (0xDC00..0xE000).contains(&second) {
            let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at = back;
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn four_digits(&mut self) -> Result<u32, String> {
        let digits = self.text.get(self.at..self.at + 4);
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => self.fail("four hexadecimal digits"),
        }
    }

    fn number(&mut self) -> Result<Value, String> {
        let rest = &self.text[self.at..];
        if rest.starts_with("-I") {
            return self.word();
        }
        let is_end = |byte: &u8| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = rest.bytes().position(|byte| is_end(&byte)).unwrap_or(rest.len());
        let digits = &rest[..length];
        let value = if digits.contains(|letter| matches!(letter, '.' | 'e' | 'E')) {
            digits.parse().map(Value::Float).ok()
        } else if let Ok(value) = digits.parse() {
            Some(Value::Int(value))
        } else {
            // Too large for an i128: the digits are all right, or it would be no number as a float either.
            digits.parse::<f64>().ok().map(|_| Value::BigInt(digits.to_string()))
        };
        match value {
            Some(value) => {
                self.at += length;
                Ok(value)
            }
            None => self.fail("a number"),
        }
    }

    fn word(&mut self) -> Result<Value, String> {
        let words = [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("NaN", Value::Float(f64::NAN)),
            ("Infinity", Value::Float(f64::INFINITY)),
            ("-Infinity", Value::Float(f64::NEG_INFINITY)),
        ];
        for (word, value) in words {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        self.fail("a value")
    }

    /// The next byte that is no white space; stays before it.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn fail<T>(&self, expected: &str) -> Result<T, String> {
        Err(format!("{expected} is missing at byte {} of a JSON text", self.at))
    }
}

/// How far it is to the end of the string or to its next escape.
fn plain_length(text: &[u8]) -> Option<usize> {
    text.iter().position(|&byte| byte == b'"' || byte == b'\\')
}
