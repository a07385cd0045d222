//! Typed access to the members of one object of a check. A member that is null counts as missing.

use promptdeck_json::{WrongValue, push_step};
use serde_json::{Map, Number, Value};

use super::fault::Fault;

/// The members of an object and its place.
pub(crate) struct Fields<'a> {
    pub members: &'a Map<String, Value>,
    pub pointer: String,
}

impl<'a> Fields<'a> {
    pub fn of(value: &'a Value, pointer: String) -> Result<Self, Fault> {
        match value {
            Value::Object(members) => Ok(Self { members, pointer }),
            other => Err(WrongValue::new(pointer, "an object", Some(other)).into()),
        }
    }

    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.members.get(key).filter(|value| !value.is_null())
    }

    pub fn pointer_to(&self, key: &str) -> String {
        let mut pointer = self.pointer.clone();
        push_step(&mut pointer, key);
        pointer
    }

    pub fn fault(&self, key: &str, message: impl Into<String>) -> Fault {
        Fault::new(self.pointer_to(key), message)
    }

    pub fn wrong(&self, key: &str, expected: &str, found: Option<&Value>) -> Fault {
        WrongValue::new(self.pointer_to(key), expected, found).into()
    }

    /// A member that may not be missing.
    pub fn required<T>(
        &self,
        key: &str,
        read: impl Fn(&Self, &str) -> Result<Option<T>, Fault>,
    ) -> Result<T, Fault> {
        let expected = match key {
            "name" => "a name",
            "expect" => "a list of expectations",
            _ => "a value",
        };
        read(self, key)?.ok_or_else(|| self.wrong(key, expected, None))
    }

    pub fn text(&self, key: &str) -> Result<Option<&'a str>, Fault> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            other => Err(self.wrong(key, "a text", other)),
        }
    }

    pub fn list(&self, key: &str) -> Result<Option<&'a [Value]>, Fault> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Array(list)) => Ok(Some(list)),
            other => Err(self.wrong(key, "a list", other)),
        }
    }

    pub fn object(&self, key: &str) -> Result<Option<Self>, Fault> {
        let value = self.get(key);
        value
            .map(|value| Self::of(value, self.pointer_to(key)))
            .transpose()
    }

    pub fn number(&self, key: &str) -> Result<Option<&'a Number>, Fault> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(number)),
            other => Err(self.wrong(key, "a number", other)),
        }
    }

    pub fn count(&self, key: &str) -> Result<Option<u64>, Fault> {
        let Some(number) = self.number(key)? else {
            return Ok(None);
        };
        let refused = || {
            self.fault(
                key,
                format!("expected an integer of 0 or more, found {number}"),
            )
        };
        number.as_u64().map(Some).ok_or_else(refused)
    }

    pub fn only_true(&self, key: &str) -> Result<(), Fault> {
        match self.get(key) {
            Some(Value::Bool(true)) => Ok(()),
            Some(Value::Bool(false)) => Err(self.fault(key, format!("`{key}` can only be true"))),
            other => Err(self.wrong(key, "true", other)),
        }
    }
}
