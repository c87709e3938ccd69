//! Turns values of a script into JSON values and back.

use crate::Value;
use std::collections::{BTreeMap, HashMap};

/// Has a JSON form. Whatever implements it also converts with `Value::from` and stands in `args!` and `json!`.
pub trait ToValue {
    fn to_value(self) -> Value;
}

impl<T: ToValue> From<T> for Value {
    fn from(value: T) -> Value {
        value.to_value()
    }
}

/// Can be made from what a tool returned. The message says what was there instead.
pub trait FromValue: Sized {
    fn from_value(value: Value) -> Result<Self, String>;
}

impl FromValue for Value {
    fn from_value(value: Value) -> Result<Self, String> {
        Ok(value)
    }
}

/// For a call whose result does not matter: `call_tool::<()>(...)`.
impl FromValue for () {
    fn from_value(_: Value) -> Result<Self, String> {
        Ok(())
    }
}

impl ToValue for () {
    fn to_value(self) -> Value {
        Value::Null
    }
}

macro_rules! integers {
    ($($name:ident)*) => { $(
        impl ToValue for $name {
            fn to_value(self) -> Value {
                match i128::try_from(self) {
                    Ok(value) => Value::Int(value),
                    Err(_) => Value::BigInt(self.to_string()),
                }
            }
        }

        impl FromValue for $name {
            fn from_value(value: Value) -> Result<Self, String> {
                match &value {
                    Value::Int(number) => (*number).try_into().ok(),
                    Value::BigInt(digits) => digits.parse().ok(),
                    // Tools of other languages may have no integers of their own.
                    Value::Float(number) if (*number as i64) as f64 == *number => (*number as i64).try_into().ok(),
                    _ => return Err(unexpected(&value, stringify!($name))),
                }
                .ok_or_else(|| format!("{value}, which has no room in {}", stringify!($name)))
            }
        }
    )* };
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! floats {
    ($($name:ident)*) => { $(
        impl ToValue for $name {
            fn to_value(self) -> Value {
                Value::Float(self.into())
            }
        }

        impl FromValue for $name {
            fn from_value(value: Value) -> Result<Self, String> {
                let number = value.as_f64().ok_or_else(|| unexpected(&value, stringify!($name)))?;
                Ok(number as $name)
            }
        }
    )* };
}

floats!(f32 f64);

impl ToValue for bool {
    fn to_value(self) -> Value {
        Value::Bool(self)
    }
}

impl FromValue for bool {
    fn from_value(value: Value) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| unexpected(&value, "bool"))
    }
}

impl ToValue for String {
    fn to_value(self) -> Value {
        Value::String(self)
    }
}

impl ToValue for &str {
    fn to_value(self) -> Value {
        Value::String(self.to_string())
    }
}

impl ToValue for char {
    fn to_value(self) -> Value {
        Value::String(self.to_string())
    }
}

impl FromValue for String {
    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::String(text) => Ok(text),
            other => Err(unexpected(&other, "String")),
        }
    }
}

/// What a loop over borrowed things hands out.
impl<T: Clone + Into<Value>> ToValue for &T {
    fn to_value(self) -> Value {
        self.clone().into()
    }
}

impl<T: Into<Value>> ToValue for Option<T> {
    fn to_value(self) -> Value {
        self.map_or(Value::Null, Into::into)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(None),
            other => T::from_value(other).map(Some),
        }
    }
}

impl<T: Into<Value>> ToValue for Vec<T> {
    fn to_value(self) -> Value {
        Value::Array(self.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>, const N: usize> ToValue for [T; N] {
    fn to_value(self) -> Value {
        Value::Array(self.into_iter().map(Into::into).collect())
    }
}

impl<T: Clone + Into<Value>> ToValue for &[T] {
    fn to_value(self) -> Value {
        self.to_vec().to_value()
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Array(items) => items.into_iter().map(T::from_value).collect(),
            other => Err(unexpected(&other, "Vec")),
        }
    }
}

macro_rules! maps {
    ($($name:ident)*) => { $(
        impl<K: Into<String>, V: Into<Value>> ToValue for $name<K, V> {
            fn to_value(self) -> Value {
                Value::Object(self.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
            }
        }

        impl<V: FromValue> FromValue for $name<String, V> {
            fn from_value(value: Value) -> Result<Self, String> {
                match value {
                    Value::Object(fields) => {
                        fields.into_iter().map(|(key, value)| Ok((key, V::from_value(value)?))).collect()
                    }
                    other => Err(unexpected(&other, stringify!($name))),
                }
            }
        }
    )* };
}

maps!(BTreeMap HashMap);

fn unexpected(value: &Value, wanted: &str) -> String {
    format!("{}, which is no {wanted}", value.kind())
}
