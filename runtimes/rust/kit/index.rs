//! Reaches into values: `order["lines"][0]`. What is not there is `Null`, so a whole path can be tried at once.

use crate::Value;
use std::ops;

static NULL: Value = Value::Null;

/// A key of an object or a place in an array.
pub trait Index {
    fn find<'a>(&self, value: &'a Value) -> Option<&'a Value>;
}

impl Index for str {
    fn find<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        value.as_object()?.get(self)
    }
}

impl Index for String {
    fn find<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        Index::find(self.as_str(), value)
    }
}

impl Index for usize {
    fn find<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        value.as_array()?.get(*self)
    }
}

impl<T: Index + ?Sized> Index for &T {
    fn find<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        (**self).find(value)
    }
}

impl Value {
    /// The field or item, if it is there.
    pub fn get(&self, index: impl Index) -> Option<&Value> {
        index.find(self)
    }
}

impl<I: Index> ops::Index<I> for Value {
    type Output = Value;

    fn index(&self, index: I) -> &Value {
        index.find(self).unwrap_or(&NULL)
    }
}
