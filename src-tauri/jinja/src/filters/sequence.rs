//! Filters over sequences and mappings.

use std::sync::Arc;

use super::super::call::{Applicable, Args, integer, required};
use super::super::error::{Result, fail};
use super::super::fallible_sort::sorted;
use super::super::interpreter::Interpreter;
use super::super::iterate::{Generator, Iter};
use super::super::undefined::Undefined;
use super::super::value::{
    Dict, Operator, Order, Value, binary, charge_key, compare, equal, hashable,
};
use super::select::parts_of;

/// The filter of that name.
pub(super) fn lookup(name: &str) -> Option<Applicable> {
    Some(match name {
        "first" => first,
        "last" => last,
        "list" => list,
        "join" => join,
        "reverse" => reverse,
        "items" => items,
        "sort" => sort,
        "dictsort" => dictsort,
        "unique" => unique,
        "min" => |interpreter, subject, args| extreme(interpreter, &subject, args, false),
        "max" => |interpreter, subject, args| extreme(interpreter, &subject, args, true),
        "sum" => sum,
        "batch" => batch,
        "slice" => slice,
        "groupby" => groupby,
        _ => return None,
    })
}

fn first(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("first")?;
    Ok(Iter::of(&subject)?
        .next(interpreter)?
        .unwrap_or_else(|| Value::Undefined(Undefined::hint("No first item, sequence was empty."))))
}

fn last(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("do_last")?;
    if matches!(subject, Value::Generator(_) | Value::Undefined(_)) {
        return match &subject {
            // `reversed` finds a length of nothing and stops.
            Value::Undefined(_) => Ok(Value::Undefined(Undefined::hint(
                "No last item, sequence was empty.",
            ))),
            other => fail!(Type, "'{}' object is not reversible", other.type_name()),
        };
    }
    let mut items = interpreter.collect(&subject)?;
    Ok(items
        .pop()
        .unwrap_or_else(|| Value::Undefined(Undefined::hint("No last item, sequence was empty."))))
}

fn list(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("list")?;
    Value::list(interpreter.collect(&subject)?)
}

fn join(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [separator, attribute] = args.bind("join", ["d", "attribute"])?;
    let separator = match separator {
        Some(value) => interpreter.text_of(&value)?,
        None => "".into(),
    };
    let parts = attribute
        .filter(|value| !matches!(value, Value::None))
        .map(|value| parts_of(interpreter, &value))
        .transpose()?;
    let mut out = String::new();
    let mut iter = Iter::of(&subject)?;
    let mut begun = false;
    while let Some(mut item) = iter.next(interpreter)? {
        if let Some(parts) = &parts {
            item = interpreter.path(item, parts, None)?;
        }
        if std::mem::replace(&mut begun, true) {
            interpreter.budget.make(separator.len())?;
            out.push_str(&separator);
        }
        super::super::value::text(&item, &mut out, &mut interpreter.budget)?;
    }
    Ok(Value::str(out))
}

fn reverse(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("do_reverse")?;
    match &subject {
        Value::Str(text) | Value::Markup(text) => {
            interpreter.budget.walk(text.len())?;
            interpreter.budget.make(text.len())?;
            let reversed: Arc<str> = text.chars().rev().collect::<String>().into();
            Ok(match subject {
                Value::Markup(_) => Value::Markup(reversed),
                _ => Value::Str(reversed),
            })
        }
        Value::List(seq) | Value::Tuple(seq) => Generator::make(
            "list_reverseiterator",
            Iter::Reversed(Arc::clone(seq), seq.items().len()),
            super::super::iterate::Work::Give,
        ),
        other => {
            let mut items = interpreter.collect(other)?;
            items.reverse();
            match other {
                Value::Generator(_) => Value::list(items),
                _ => Generator::over("list_reverseiterator", items),
            }
        }
    }
}

fn items(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    args.none("do_items")?;
    match subject {
        Value::Undefined(_) => Generator::over("do_items", Vec::new()),
        Value::Dict(dict) => {
            interpreter.budget.make_entries(dict.len())?;
            let pairs = dict
                .iter()
                .map(|(key, value)| Value::pair(key.clone(), value.clone()));
            Generator::over("do_items", pairs.collect())
        }
        _ => fail!(Type, "Can only get item pairs from a mapping."),
    }
}

/// A text in lower case, anything else as it is: what sorting compares by default.
fn ignoring_case(interpreter: &mut Interpreter<'_>, value: Value) -> Result<Value> {
    match &value {
        Value::Str(text) | Value::Markup(text) => {
            interpreter.budget.walk(text.len())?;
            interpreter.budget.make(text.len() * 3)?;
            Ok(Value::str(text.to_lowercase()))
        }
        _ => Ok(value),
    }
}

/// Sorts stably by keys; an error where Python cannot compare two of them.
fn sort_by_keys(
    interpreter: &mut Interpreter<'_>,
    keyed: Vec<(Value, Value)>,
    reverse: bool,
) -> Result<Vec<(Value, Value)>> {
    interpreter.budget.make_items(keyed.len())?;
    let budget = &mut interpreter.budget;
    sorted(keyed, &mut |(a, _), (b, _)| {
        let (a, b) = if reverse { (b, a) } else { (a, b) };
        compare(Order::Less, a, b, budget)
    })
}

fn sort(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [reverse, case, attribute] =
        args.bind("do_sort", ["reverse", "case_sensitive", "attribute"])?;
    let case = case.is_some_and(|flag| flag.truth());
    let paths: Vec<Vec<Value>> = match &attribute {
        None | Some(Value::None) => vec![Vec::new()],
        Some(Value::Str(text)) => {
            interpreter
                .budget
                .make_texts(text.matches(',').count(), text.len())?;
            text.split(',')
                .map(|one| parts_of(interpreter, &Value::str(one)))
                .collect::<Result<_>>()?
        }
        Some(other) => vec![parts_of(interpreter, other)?],
    };
    let mut keyed = Vec::new();
    for item in interpreter.collect(&subject)? {
        let mut key = Vec::new();
        for path in &paths {
            let part = interpreter.path(item.clone(), path, None)?;
            key.push(if case {
                part
            } else {
                ignoring_case(interpreter, part)?
            });
        }
        interpreter.budget.make_items(key.len())?;
        keyed.push((Value::list(key)?, item));
    }
    let sorted = sort_by_keys(interpreter, keyed, reverse.is_some_and(|flag| flag.truth()))?;
    Value::list(sorted.into_iter().map(|(_, item)| item).collect())
}

fn dictsort(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [case, by, reverse] = args.bind("do_dictsort", ["case_sensitive", "by", "reverse"])?;
    let case = case.is_some_and(|flag| flag.truth());
    let by_value = match by.as_ref().map_or(Some("key"), |by| by.as_str()) {
        Some("key") => false,
        Some("value") => true,
        _ => return fail!(Runtime, "You can only sort by either \"key\" or \"value\""),
    };
    let Value::Dict(dict) = &subject else {
        return match &subject {
            Value::Undefined(undefined) => Err(undefined.error()),
            other => fail!(
                Type,
                "'{}' object has no attribute 'items'",
                other.type_name()
            ),
        };
    };
    interpreter.budget.make_entries(dict.len())?;
    let mut keyed = Vec::new();
    for (key, value) in dict.iter() {
        let by = if by_value { value.clone() } else { key.clone() };
        let by = if case {
            by
        } else {
            ignoring_case(interpreter, by)?
        };
        keyed.push((by, Value::pair(key.clone(), value.clone())));
    }
    let sorted = sort_by_keys(interpreter, keyed, reverse.is_some_and(|flag| flag.truth()))?;
    Value::list(sorted.into_iter().map(|(_, pair)| pair).collect())
}

/// A mapping with its keys in order, for printing.
pub(super) fn sorted_by_key(interpreter: &mut Interpreter<'_>, dict: &Dict) -> Result<Value> {
    interpreter.budget.make_entries(dict.len())?;
    let keyed = dict
        .iter()
        .map(|(key, value)| (key.clone(), Value::pair(key.clone(), value.clone())))
        .collect();
    let sorted = sort_by_keys(interpreter, keyed, false)?;
    Value::dict(sorted.into_iter().filter_map(|(key, _)| {
        let value = dict.get(&key)?.clone();
        Some((key, value))
    }))
}

fn unique(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [case, attribute] = args.bind("do_unique", ["case_sensitive", "attribute"])?;
    let case = case.is_some_and(|flag| flag.truth());
    let path = attribute
        .map(|value| parts_of(interpreter, &value))
        .transpose()?
        .unwrap_or_default();
    let mut seen: std::collections::HashMap<u64, Vec<Value>> = std::collections::HashMap::new();
    let mut unique = Vec::new();
    for item in interpreter.collect(&subject)? {
        let mut key = interpreter.path(item.clone(), &path, None)?;
        if !case {
            key = ignoring_case(interpreter, key)?;
        }
        charge_key(&key, &mut interpreter.budget)?;
        interpreter.budget.make(96)?;
        let same = seen.entry(hashable(&key)?).or_default();
        let mut known = false;
        for other in same.iter() {
            known |= equal(other, &key, &mut interpreter.budget)?;
        }
        if !known {
            same.push(key);
            unique.push(item);
        }
    }
    Generator::over("sync_do_unique", unique)
}

fn extreme(
    interpreter: &mut Interpreter<'_>,
    subject: &Value,
    args: Args,
    largest: bool,
) -> Result<Value> {
    let [case, attribute] = args.bind("do_min", ["case_sensitive", "attribute"])?;
    let case = case.is_some_and(|flag| flag.truth());
    let path = attribute
        .map(|value| parts_of(interpreter, &value))
        .transpose()?
        .unwrap_or_default();
    let mut best: Option<(Value, Value)> = None;
    for item in interpreter.collect(subject)? {
        let mut key = interpreter.path(item.clone(), &path, None)?;
        if !case {
            key = ignoring_case(interpreter, key)?;
        }
        let order = if largest { Order::Greater } else { Order::Less };
        let better = match &best {
            Some((subject, _)) => compare(order, &key, subject, &mut interpreter.budget)?,
            None => true,
        };
        if better {
            best = Some((key, item));
        }
    }
    Ok(best.map_or_else(
        || Value::Undefined(Undefined::hint("No aggregated item, sequence was empty.")),
        |(_, item)| item,
    ))
}

fn sum(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [attribute, start] = args.bind("sum", ["attribute", "start"])?;
    let path = match attribute {
        None | Some(Value::None) => Vec::new(),
        Some(value) => parts_of(interpreter, &value)?,
    };
    let mut total = start.unwrap_or(Value::Int(0));
    if total.as_str().is_some() {
        return fail!(Type, "sum() can't sum strings [use ''.join(seq) instead]");
    }
    for item in interpreter.collect(&subject)? {
        let item = interpreter.path(item, &path, None)?;
        total = binary(Operator::Add, &total, &item, &mut interpreter.budget)?;
    }
    Ok(total)
}

fn batch(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [count, fill] = args.bind("do_batch", ["linecount", "fill_with"])?;
    let count = required(count, "do_batch", "linecount")?;
    let mut batches = Vec::new();
    let mut current: Vec<Value> = Vec::new();
    for item in interpreter.collect(&subject)? {
        let full = equal(
            &Value::Int(current.len() as i64),
            &count,
            &mut interpreter.budget,
        )?;
        if full {
            interpreter.budget.make(96)?;
            batches.push(Value::list(std::mem::take(&mut current))?);
        }
        current.push(item);
    }
    if !current.is_empty() {
        if let Some(fill) = fill.filter(|value| !matches!(value, Value::None)) {
            let missing = usize::try_from(integer(&count)?)
                .unwrap_or(0)
                .saturating_sub(current.len());
            interpreter.budget.make_items(missing)?;
            current.extend(std::iter::repeat_n(fill, missing));
        }
        batches.push(Value::list(current)?);
    }
    Generator::over("do_batch", batches)
}

fn slice(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [slices, fill] = args.bind("do_slice", ["slices", "fill_with"])?;
    let slices = integer(&required(slices, "do_slice", "slices")?)?;
    let items = interpreter.collect(&subject)?;
    if slices == 0 {
        return fail!(Arithmetic, "integer division or modulo by zero");
    }
    let slices = usize::try_from(slices).unwrap_or(0);
    interpreter.budget.make_items(slices.saturating_mul(4))?;
    let per = items.len().checked_div(slices).unwrap_or(0);
    let extra = items.len().checked_rem(slices).unwrap_or(0);
    let fill = fill.filter(|value| !matches!(value, Value::None));
    let mut offset = 0;
    let mut all = Vec::new();
    for number in 0..slices {
        let begin = offset + number * per;
        if number < extra {
            offset += 1;
        }
        let end = offset + (number + 1) * per;
        let mut part = items[begin..end].to_vec();
        if let (Some(fill), true) = (&fill, number >= extra) {
            part.push(fill.clone());
        }
        all.push(Value::list(part)?);
    }
    Generator::over("sync_do_slice", all)
}

fn groupby(interpreter: &mut Interpreter<'_>, subject: Value, args: Args) -> Result<Value> {
    let [attribute, default, case] =
        args.bind("groupby", ["attribute", "default", "case_sensitive"])?;
    let path = parts_of(interpreter, &required(attribute, "groupby", "attribute")?)?;
    let default = default.filter(|value| !matches!(value, Value::None));
    let case = case.is_some_and(|flag| flag.truth());
    let mut keyed = Vec::new();
    for item in interpreter.collect(&subject)? {
        let key = interpreter.path(item.clone(), &path, default.as_ref())?;
        let key = if case {
            key
        } else {
            ignoring_case(interpreter, key)?
        };
        keyed.push((key, item));
    }
    let mut groups: Vec<(Value, Vec<Value>)> = Vec::new();
    for (key, item) in sort_by_keys(interpreter, keyed, false)? {
        match groups.last_mut() {
            Some((subject, members)) if equal(subject, &key, &mut interpreter.budget)? => {
                members.push(item);
            }
            _ => {
                interpreter.budget.make_items(4)?;
                groups.push((key, vec![item]));
            }
        }
    }
    let mut out = Vec::new();
    for (key, members) in groups {
        // The key shown is that of the first member, in its own case.
        let group_label = match (case, members.first()) {
            (false, Some(first)) => interpreter.path(first.clone(), &path, default.as_ref())?,
            _ => key,
        };
        out.push(Value::group(group_label, Value::list(members)?));
    }
    Value::list(out)
}
