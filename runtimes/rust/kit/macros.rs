//! `args!` for the arguments of a call, `json!` for values within values.

/// By name, `args! {"a" => 1, "b" => 2}`; by place, `args![1, 2]`; or none, `args! {}`.
#[macro_export]
macro_rules! args {
    () => { $crate::Args::default() };
    ($($name:expr => $value:expr),+ $(,)?) => {
        $crate::Args::named(vec![$((::std::string::String::from($name), $crate::Value::from($value))),+])
    };
    ($($value:expr),+ $(,)?) => { $crate::Args::positional(vec![$($crate::Value::from($value)),+]) };
}

/// JSON as one writes it, with expressions for values: `json!({"name": name, "tags": ["a", null]})`.
#[macro_export]
macro_rules! json {
    // A list: what is read, then what is left. Literals of JSON come before expressions, which they would pass for.
    (@list [$($read:expr),*]) => { vec![$($read),*] };
    (@list [$($read:expr),*] null $(, $($left:tt)*)?) => { $crate::json!(@list [$($read,)* $crate::json!(null)] $($($left)*)?) };
    (@list [$($read:expr),*] [$($inner:tt)*] $(, $($left:tt)*)?) => {
        $crate::json!(@list [$($read,)* $crate::json!([$($inner)*])] $($($left)*)?)
    };
    (@list [$($read:expr),*] {$($inner:tt)*} $(, $($left:tt)*)?) => {
        $crate::json!(@list [$($read,)* $crate::json!({$($inner)*})] $($($left)*)?)
    };
    (@list [$($read:expr),*] $value:expr $(, $($left:tt)*)?) => {
        $crate::json!(@list [$($read,)* $crate::json!($value)] $($($left)*)?)
    };
    // The fields of an object, likewise.
    (@fields [$($read:expr),*]) => { ::std::collections::BTreeMap::from([$($read),*]) };
    (@fields [$($read:expr),*] $key:tt : null $(, $($left:tt)*)?) => {
        $crate::json!(@fields [$($read,)* (::std::string::String::from($key), $crate::json!(null))] $($($left)*)?)
    };
    (@fields [$($read:expr),*] $key:tt : [$($inner:tt)*] $(, $($left:tt)*)?) => {
        $crate::json!(@fields [$($read,)* (::std::string::String::from($key), $crate::json!([$($inner)*]))] $($($left)*)?)
    };
    (@fields [$($read:expr),*] $key:tt : {$($inner:tt)*} $(, $($left:tt)*)?) => {
        $crate::json!(@fields [$($read,)* (::std::string::String::from($key), $crate::json!({$($inner)*}))] $($($left)*)?)
    };
    (@fields [$($read:expr),*] $key:tt : $value:expr $(, $($left:tt)*)?) => {
        $crate::json!(@fields [$($read,)* (::std::string::String::from($key), $crate::json!($value))] $($($left)*)?)
    };
    (null) => { $crate::Value::Null };
    ([$($items:tt)*]) => { $crate::Value::Array($crate::json!(@list [] $($items)*)) };
    ({$($fields:tt)*}) => { $crate::Value::Object($crate::json!(@fields [] $($fields)*)) };
    ($value:expr) => { $crate::Value::from($value) };
}
