//! The filters and tests of the rendering contract: minijinja's, each counting what it costs
//! before it does it, with values printed as Jinja2 prints them; and the steps that
//! [`program`](super::program) weaves into a template.

use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, State, Value, filters, functions, tests,
    value::{DynObject, Kwargs, Object, ObjectRepr, Rest, ValueKind},
};

use super::{
    Limits,
    budget::{self, LoopedTexts, Reached, Trail, Weight},
    display, jinja2, json, sequence,
};

/// Counts walking through a value.
pub const COUNT: &str = "=count";
/// Counts a value that was made.
pub const KEEP: &str = "=keep";
/// Counts walking through two values, and refuses a pair that Python does not put in order.
pub const ORDER: &str = "=order";
/// Counts walking through two values, and refuses to look for what is no text in a text.
pub const CONTAIN: &str = "=contain";
/// Refuses a product that would be too large.
pub const REPEAT: &str = "=repeat";
/// Joins two values' texts.
pub const CONCAT: &str = "=concat";
/// Refuses to put a namespace into a namespace, which could close a ring.
pub const SETTABLE: &str = "=settable";
/// Cuts a text or list.
pub const SLICE: &str = "=slice";
/// Ties a value to the mark it is printed under.
pub const MARK: &str = "=mark";

/// Records that an expression has no value.
pub const GAP: &str = "=gap";

/// Records that a loop goes over a text.
pub const LOOP: &str = "=loop";

/// Room one character takes when a text is taken apart, in bytes.
const CHARACTER: usize = 24;
/// Comparisons per entry when a list is put in order.
const COMPARISONS: usize = 16;
/// Namespaces one rendering may make.
const MAX_NAMESPACES: usize = 100;
/// The widest indentation and number field.
const MAX_WIDTH: usize = 1000;

/// A value on its way to the output, and its mark.
#[derive(Debug)]
pub struct Marked {
    /// What is printed.
    pub value: Value,
    /// Under which mark.
    pub mark: usize,
}

impl Object for Marked {
    fn repr(self: &std::sync::Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }
}

/// Registers every filter and test.
pub fn register(env: &mut Environment<'_>, limits: Limits) {
    macro_rules! counted {
        ($($name:ident)*) => {
            $(add(env, stringify!($name), Value::from_function(filters::$name), limits);)*
        };
    }
    counted!(
        safe lower upper title capitalize replace length dictsort items reverse trim split lines
        default round abs int float attr first last min max sort list bool batch slice sum indent
        select reject selectattr rejectattr map groupby unique chain zip pprint format
    );
    add(env, "count", Value::from_function(filters::length), limits);
    add(env, "d", Value::from_function(filters::default), limits);
    add(env, "string", Value::from_function(string), limits);
    add(env, "join", Value::from_function(join), limits);
    add(env, "tojson", Value::from_function(json::tojson), limits);
    add(env, "escape", Value::from_function(escape), limits);
    add(env, "e", Value::from_function(escape), limits);
    for name in ["eq", "equalto", "=="] {
        add_test(env, name, Value::from_function(tests::is_eq), limits);
    }
    for name in ["ne", "!="] {
        add_test(env, name, Value::from_function(tests::is_ne), limits);
    }
    for name in ["lt", "lessthan", "<"] {
        add_order_test(env, name, Value::from_function(tests::is_lt), limits);
    }
    for name in ["le", "<="] {
        add_order_test(env, name, Value::from_function(tests::is_le), limits);
    }
    for name in ["gt", "greaterthan", ">"] {
        add_order_test(env, name, Value::from_function(tests::is_gt), limits);
    }
    for name in ["ge", ">="] {
        add_order_test(env, name, Value::from_function(tests::is_ge), limits);
    }
    add_test(env, "in", Value::from_function(tests::is_in), limits);
    for (name, test) in [
        ("odd", Value::from_function(tests::is_odd)),
        ("even", Value::from_function(tests::is_even)),
        ("divisibleby", Value::from_function(tests::is_divisibleby)),
    ] {
        env.add_test(name, move |state: &mut State, args: Rest<Value>| {
            defined(name, args.first())?;
            test.call(state, &args)
        });
    }
    add_from_jinja2(env, limits);
    add_steps(env, limits);
}

/// Adds what minijinja does not have.
fn add_from_jinja2(env: &mut Environment<'_>, limits: Limits) {
    for name in jinja2::FILTERS {
        env.add_filter(
            name,
            move |state: &mut State, args: Rest<Value>, kwargs: Kwargs| {
                let args = all(args, kwargs);
                let weight = handle_all(state, &args, &limits)?;
                budget::work(state, jinja2::steps(weight), &limits)?;
                let result = jinja2::filter(name, &args, weight)?;
                budget::keep(state, result, &limits)
            },
        );
    }
    env.set_unknown_method_callback(move |state, value, method, args| {
        let mut weight = budget::handle(state, value, &limits)?;
        weight += handle_all(state, args, &limits)?;
        budget::work(state, jinja2::steps(weight), &limits)?;
        let result = jinja2::method(value, method, args, weight)?;
        budget::keep(state, result, &limits)
    });
}

fn handle_all(state: &mut State, args: &[Value], limits: &Limits) -> Result<Weight, Error> {
    let mut weight = Weight::default();
    for arg in args {
        weight += budget::handle(state, arg, limits)?;
    }
    Ok(weight)
}

fn add_steps(env: &mut Environment<'_>, limits: Limits) {
    env.add_filter(COUNT, move |state: &mut State, value: Value| {
        budget::handle(state, &value, &limits)?;
        Ok::<_, Error>(value)
    });
    env.add_filter(KEEP, move |state: &mut State, value: Value| {
        budget::keep(state, value, &limits)
    });
    env.add_filter(ORDER, move |state: &mut State, value: Value| {
        budget::handle(state, &value, &limits)?;
        check_order(&value.get_item_by_index(0)?, &value.get_item_by_index(1)?)?;
        Ok::<_, Error>(value)
    });
    env.add_filter(CONTAIN, move |state: &mut State, value: Value| {
        budget::handle(state, &value, &limits)?;
        let (left, right) = (value.get_item_by_index(0)?, value.get_item_by_index(1)?);
        if right.as_str().is_some() && left.as_str().is_none() {
            let message = format!(
                "a value of type {} is not looked for in a text",
                left.kind()
            );
            return Err(Error::new(ErrorKind::InvalidOperation, message));
        }
        Ok::<_, Error>(value)
    });
    env.add_filter(REPEAT, move |state: &mut State, value: Value| {
        let (left, right) = (value.get_item_by_index(0)?, value.get_item_by_index(1)?);
        for (thing, times) in [(&left, &right), (&right, &left)] {
            if let Some(times) = times.as_usize()
                && (thing.as_str().is_some() || thing.as_object().is_some())
            {
                let weight = budget::handle(state, thing, &limits)?;
                budget::work(state, weight.steps.saturating_mul(times), &limits)?;
                budget::produce(state, weight.bytes.saturating_mul(times), &limits)?;
            }
        }
        Ok::<_, Error>(value)
    });
    env.add_filter(
        CONCAT,
        move |state: &mut State, left: Value, right: Value| {
            let bytes = budget::handle(state, &left, &limits)?.bytes
                + budget::handle(state, &right, &limits)?.bytes;
            budget::produce(state, bytes, &limits)?;
            let mut text = display::text(&left);
            text.push_str(&display::text(&right));
            Ok::<_, Error>(Value::from(text))
        },
    );
    env.add_filter(SETTABLE, move |state: &mut State, value: Value| {
        budget::handle(state, &value, &limits)?;
        let result = state.get_or_insert_extension_with(Namespaces::default);
        if result.within(&value) {
            return Err(Error::new(
                ErrorKind::InvalidOperation,
                "a namespace cannot contain a namespace",
            ));
        }
        Ok(value)
    });
    let namespace = Value::from_function(functions::namespace);
    env.add_function(
        "namespace",
        move |state: &mut State, args: Rest<Value>, kwargs: Kwargs| {
            let args = all(args, kwargs);
            let result = namespace.call(state, &args)?;
            let known = state.get_or_insert_extension_with(Namespaces::default);
            if args.iter().any(|arg| known.within(arg)) || known.0.len() >= MAX_NAMESPACES {
                return Err(budget::limit("too many namespaces, or one within another"));
            }
            known.0.push(result.clone());
            Ok(result)
        },
    );
    env.add_filter(
        SLICE,
        |value: Value, start: Value, stop: Value, step: Value| {
            sequence::slice(&value, &start, &stop, &step)
        },
    );
    env.add_function("range", sequence::range);
    env.add_filter(
        GAP,
        |state: &mut State, value: Value, gap: usize, captured: bool| {
            if value.is_undefined() {
                let pieces = state.get_extension::<Trail>();
                let pieces = pieces.map_or(0, |trail| trail.steps().len());
                let reached = state.get_or_insert_extension_with(Reached::default);
                let places = reached.0.entry(gap).or_default();
                // What goes into a text first has no place in the output yet.
                if !captured {
                    places.push(pieces);
                }
            }
            value
        },
    );
    env.add_filter(LOOP, |state: &mut State, value: Value, looped: usize| {
        if value.as_str().is_some_and(|text| !text.is_empty()) {
            let texts = state.get_or_insert_extension_with(LoopedTexts::default);
            texts.0.insert(looped);
        }
        value
    });
    env.add_filter(MARK, |value: Value, mark: usize| {
        Value::from_object(Marked { value, mark })
    });
}

/// The namespaces a rendering made. One within another could close a ring, which would never be
/// freed.
#[derive(Debug, Default)]
struct Namespaces(Vec<Value>);

impl Namespaces {
    /// Whether a value is or holds one of them. It was weighed before, so looking through it ends.
    fn within(&self, value: &Value) -> bool {
        let entry_within = |key: Value| value.get_item(&key).is_ok_and(|entry| self.within(&entry));
        match value.as_object().map(DynObject::repr) {
            Some(ObjectRepr::Map) => {
                self.0.iter().any(|result| tests::is_sameas(result, value))
                    || value
                        .try_iter()
                        .is_ok_and(|mut keys| keys.any(entry_within))
            }
            Some(ObjectRepr::Seq) => value
                .try_iter()
                .is_ok_and(|mut entries| entries.any(|entry| self.within(&entry))),
            _ => false,
        }
    }
}

fn add(env: &mut Environment<'_>, name: &'static str, filter: Value, limits: Limits) {
    env.add_filter(
        name,
        move |state: &mut State, args: Rest<Value>, kwargs: Kwargs| {
            let args = all(args, kwargs);
            if args.first().is_some_and(Value::is_undefined)
                && let Some(result) = of_undefined(name, &args[0])?
            {
                return Ok(result);
            }
            let weight = handle_all(state, &args, &limits)?;
            let bytes = growth(name, &args, weight)?;
            budget::produce(state, bytes, &limits)?;
            if matches!(
                name,
                "sort" | "unique" | "groupby" | "dictsort" | "min" | "max"
            ) {
                budget::work(state, weight.steps.saturating_mul(COMPARISONS), &limits)?;
            }
            let result = filter.call(state, &args)?;
            budget::keep(state, result, &limits)
        },
    );
}

/// What Jinja2 makes of an undefined value where minijinja makes something else.
fn of_undefined(filter: &'static str, value: &Value) -> Result<Option<Value>, Error> {
    Ok(Some(match filter {
        "length" | "count" => Value::from(0),
        "items" => Value::from(Vec::<Value>::new()),
        "first" | "last" | "attr" => Value::UNDEFINED,
        "int" | "float" | "indent" | "tojson" => {
            return defined(filter, Some(value)).map(|()| None);
        }
        _ => return Ok(None),
    }))
}

/// Refuses what is undefined where Python asks for a value.
fn defined(user: &'static str, value: Option<&Value>) -> Result<(), Error> {
    if value.is_none_or(Value::is_undefined) {
        let message = format!("{user} needs a value");
        return Err(Error::new(ErrorKind::UndefinedError, message));
    }
    Ok(())
}

/// Refuses two values that Python does not put in order, for which minijinja has an order.
fn check_order(left: &Value, right: &Value) -> Result<(), Error> {
    defined("a comparison", Some(left))?;
    defined("a comparison", Some(right))?;
    // A truth value counts as a number.
    let kind = |value: &Value| match value.kind() {
        ValueKind::Bool => ValueKind::Number,
        ValueKind::Iterable => ValueKind::Seq,
        kind => kind,
    };
    match (kind(left), kind(right)) {
        (one, other)
            if one == other
                && matches!(one, ValueKind::Number | ValueKind::String | ValueKind::Seq) =>
        {
            Ok(())
        }
        _ => Err(Error::new(
            ErrorKind::InvalidOperation,
            format!(
                "values of type {} and {} have no order",
                left.kind(),
                right.kind()
            ),
        )),
    }
}

/// Positional and keyword arguments, as a call passes them on.
fn all(args: Rest<Value>, kwargs: Kwargs) -> Vec<Value> {
    let mut all = args.0;
    let kwargs = Value::from(kwargs);
    if kwargs.len() != Some(0) {
        all.push(kwargs);
    }
    all
}

fn add_test(env: &mut Environment<'_>, name: &'static str, test: Value, limits: Limits) {
    env.add_test(name, move |state: &mut State, args: Rest<Value>| {
        for arg in &*args {
            budget::handle(state, arg, &limits)?;
        }
        test.call(state, &args)
    });
}

fn add_order_test(env: &mut Environment<'_>, name: &'static str, test: Value, limits: Limits) {
    env.add_test(name, move |state: &mut State, args: Rest<Value>| {
        for arg in &*args {
            budget::handle(state, arg, &limits)?;
        }
        if let [left, right] = &**args {
            check_order(left, right)?;
        }
        test.call(state, &args)
    });
}

/// How many bytes a filter makes beyond what it is given.
fn growth(name: &str, args: &[Value], weight: Weight) -> Result<usize, Error> {
    let length = |index: usize| args.get(index).and_then(Value::as_str).map_or(0, str::len);
    let number = |index: usize, keyword: &str| {
        args.get(index)
            .and_then(Value::as_usize)
            .or_else(|| {
                let kwargs = Kwargs::try_from(args.last()?.clone()).ok()?;
                kwargs.get::<usize>(keyword).ok()
            })
            .unwrap_or_default()
    };
    let bounded = |width: usize| {
        if width > MAX_WIDTH {
            return Err(budget::limit(&format!("a width above {MAX_WIDTH}")));
        }
        Ok(width)
    };
    Ok(match name {
        "indent" => {
            let lines = args
                .first()
                .and_then(Value::as_str)
                .map_or(0, |text| text.matches('\n').count() + 1);
            lines * bounded(number(1, "width"))?
        }
        "tojson" => weight.steps * bounded(number(1, "indent"))?,
        "replace" => (length(0) / length(1).max(1) + 1).saturating_mul(length(2)),
        "join" => weight.steps.saturating_mul(length(1)),
        "batch" | "slice" => number(1, "count")
            .saturating_mul(CHARACTER)
            .saturating_add(length(0).saturating_mul(CHARACTER)),
        "format" => {
            for width in args[0]
                .as_str()
                .unwrap_or_default()
                .split(|character: char| !character.is_ascii_digit() && character != '*')
            {
                if width.contains('*') || width.len() > 3 {
                    return Err(budget::limit(&format!("a width above {MAX_WIDTH}")));
                }
            }
            0
        }
        "list" | "sort" | "unique" | "map" | "select" | "reject" | "selectattr" | "rejectattr"
        | "reverse" | "zip" | "chain" | "split" | "lines" | "min" | "max" | "groupby" | "sum"
        | "items" | "dictsort" => weight.bytes.saturating_mul(CHARACTER),
        _ => 0,
    })
}

fn string(value: &Value) -> Value {
    if value.as_str().is_some() {
        value.clone()
    } else {
        Value::from(display::text(value))
    }
}

fn escape(value: &Value) -> Value {
    if value.is_safe() {
        value.clone()
    } else {
        Value::from_safe_string(display::escape(&display::text(value)))
    }
}

fn join(
    state: &mut State,
    value: Value,
    args: Rest<Value>,
    kwargs: Kwargs,
) -> Result<Value, Error> {
    let args = all(args, kwargs);
    if args.last().is_some_and(Value::is_kwargs) || !matches!(state.auto_escape(), AutoEscape::None)
    {
        let mut all = vec![value];
        all.extend(args);
        return Value::from_function(filters::join).call(state, &all);
    }
    let joint = args.first().map(display::text).unwrap_or_default();
    let mut text = String::new();
    for (index, entry) in value.try_iter()?.enumerate() {
        if index > 0 {
            text.push_str(&joint);
        }
        text.push_str(&display::text(&entry));
    }
    Ok(Value::from(text))
}
