//! Filters of Jinja2 and methods of Python's texts, lists and maps that minijinja does not have. The
//! engine of chat templates has them, to the byte: each call is a small template of its own.

use std::fmt::Write as _;

use minijinja::{
    Error, ErrorKind, Value,
    value::{DynObject, Kwargs, ObjectRepr},
};
use promptdeck_jinja::{self as jinja, Template, Variables};

use super::{
    budget::{self, Weight},
    value,
};

/// The filters. `random`, which would print something else each time, and `urlize`, which makes links, are
/// refused with the reason.
pub const FILTERS: [&str; 11] = [
    "center",
    "filesizeformat",
    "forceescape",
    "random",
    "striptags",
    "truncate",
    "urlencode",
    "urlize",
    "wordcount",
    "wordwrap",
    "xmlattr",
];

/// Methods whose result can be walked through, but not written: it becomes a list.
const VIEWS: [&str; 3] = ["items", "keys", "values"];

/// What one call is counted as: a template is compiled, and the values are copied several times.
pub const fn steps(weight: Weight) -> usize {
    200 + weight.bytes
}

/// Applies one of the [`FILTERS`] to the first of the values, with the others as its arguments.
pub fn filter(name: &str, args: &[Value], weight: Weight) -> Result<Value, Error> {
    let call = Call::new(args)?;
    let marked = if args.first().is_some_and(Value::is_safe) {
        "|safe"
    } else {
        ""
    };
    let source = format!(
        "{{% set result = subject{marked}|{name}({}) %}}{{% if result is defined %}}{{{{ \
         'y' if result is escaped else 'n' }}}}{{{{ result|tojson }}}}{{% endif %}}",
        call.arguments
    );
    let rendered = call.render(&source, weight)?;
    let Some((is_escaped, json)) = rendered.split_at_checked(1) else {
        return Ok(Value::UNDEFINED);
    };
    let value = value_of(json)?;
    // Its result is marked only in a template that escapes, which the small one does not.
    let is_html = is_escaped == "y" || name == "xmlattr";
    Ok(match value.as_str() {
        Some(text) if is_html => Value::from_safe_string(text.to_owned()),
        _ => value,
    })
}

/// Calls a method of a text, list, map or number. Those that would change a value are unknown.
pub fn method(subject: &Value, name: &str, args: &[Value], weight: Weight) -> Result<Value, Error> {
    let unknown = || Error::from(ErrorKind::UnknownMethod);
    if subject.is_undefined() {
        // minijinja appends the name that is undefined.
        let message = format!("{name}() is called on what has no value");
        return Err(Error::new(ErrorKind::UnknownMethod, message));
    }
    let is_plain = |object: &DynObject| matches!(object.repr(), ObjectRepr::Map | ObjectRepr::Seq);
    if !subject.as_object().is_none_or(is_plain) {
        return Err(unknown());
    }
    let all: Vec<Value> = [subject].into_iter().chain(args).cloned().collect();
    let call = Call::new(&all)?;
    let list = if VIEWS.contains(&name) { "|list" } else { "" };
    // What a map has under the name is called by minijinja if it can be.
    let source = format!(
        "{{% if subject.{name} is defined and subject.{name} is callable %}}{{{{ subject.{name}({}){list}|tojson }}}}{{% endif %}}",
        call.arguments
    );
    let json = call.render(&source, weight)?;
    match json.is_empty() {
        true => Err(unknown()),
        false => value_of(&json),
    }
}

/// The values of a call, as the variables of a template.
struct Call {
    variables: Variables,
    /// As they are written between the parentheses.
    arguments: String,
}

impl Call {
    /// The subject and the arguments, of which the last may be those with names.
    fn new(values: &[Value]) -> Result<Self, Error> {
        let mut call = Self {
            variables: Variables::default(),
            arguments: String::new(),
        };
        for (index, value) in values.iter().enumerate() {
            if index == 0 {
                call.set("subject", value)?;
            } else if value.is_kwargs() {
                let named = Kwargs::try_from(value.clone())?;
                for key in named.args() {
                    let variable = format!("named_{key}");
                    call.set(&variable, &named.peek::<Value>(key)?)?;
                    let _ = write!(call.arguments, "{key}={variable},");
                }
            } else {
                let variable = format!("argument_{index}");
                call.set(&variable, value)?;
                let _ = write!(call.arguments, "{variable},");
            }
        }
        Ok(call)
    }

    /// What is undefined stays so.
    fn set(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        if value.is_undefined() {
            return Ok(());
        }
        let json = value::to_json(value);
        self.variables.set_json(name, &json).map_err(refused)
    }

    fn render(&self, source: &str, weight: Weight) -> Result<String, Error> {
        let limits = jinja::Limits {
            steps: 150_000,
            bytes: 8 << 20,
            ..jinja::Limits::default()
        };
        let limits = limits.for_input(weight.steps, weight.bytes);
        let template = Template::compile(source).map_err(refused)?;
        template
            .render(&self.variables, None, limits)
            .map_err(refused)
    }
}

fn value_of(json: &str) -> Result<Value, Error> {
    let value: serde_json::Value = serde_json::from_str(json)
        .map_err(|fault| Error::new(ErrorKind::InvalidOperation, fault.to_string()))?;
    Ok(value::from_json(&value))
}

fn refused(fault: jinja::Error) -> Error {
    match fault.kind() {
        jinja::ErrorKind::Limit => budget::limit(fault.message()),
        _ => Error::new(ErrorKind::InvalidOperation, fault.message().to_owned()),
    }
}
