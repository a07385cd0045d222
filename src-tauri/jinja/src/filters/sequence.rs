//! Filters over sequences and mappings.

use std::sync::Arc;

use super::super::call::{Applicable, Args, integer, required};
use super::super::error::{Result, fail};
use super::super::iterate::{Generator, Iter};
use super::super::machine::Machine;
use super::super::merge::merge_sorted;
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
        "min" => |machine, own, args| extreme(machine, &own, args, false),
        "max" => |machine, own, args| extreme(machine, &own, args, true),
        "sum" => sum,
        "batch" => batch,
        "slice" => slice,
        "groupby" => groupby,
        _ => return None,
    })
}

fn first(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    args.none("first")?;
    Ok(Iter::of(&own)?
        .next(machine)?
        .unwrap_or_else(|| Value::Undefined(Undefined::hint("No first item, sequence was empty."))))
}

fn last(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    args.none("do_last")?;
    if matches!(own, Value::Generator(_) | Value::Undefined(_)) {
        return match &own {
            // `reversed` finds a length of nothing and stops.
            Value::Undefined(_) => Ok(Value::Undefined(Undefined::hint(
                "No last item, sequence was empty.",
            ))),
            other => fail!(Type, "'{}' object is not reversible", other.type_name()),
        };
    }
    let mut items = machine.collect(&own)?;
    Ok(items
        .pop()
        .unwrap_or_else(|| Value::Undefined(Undefined::hint("No last item, sequence was empty."))))
}

fn list(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    args.none("list")?;
    Value::list(machine.collect(&own)?)
}

fn join(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [separator, attribute] = args.bind("join", ["d", "attribute"])?;
    let separator = match separator {
        Some(value) => machine.text_of(&value)?,
        None => "".into(),
    };
    let parts = attribute
        .filter(|value| !matches!(value, Value::None))
        .map(|value| parts_of(machine, &value))
        .transpose()?;
    let mut out = String::new();
    let mut iter = Iter::of(&own)?;
    let mut begun = false;
    while let Some(mut item) = iter.next(machine)? {
        if let Some(parts) = &parts {
            item = machine.path(item, parts, None)?;
        }
        if std::mem::replace(&mut begun, true) {
            machine.budget.make(separator.len())?;
            out.push_str(&separator);
        }
        super::super::value::text(&item, &mut out, &mut machine.budget)?;
    }
    Ok(Value::str(out))
}

fn reverse(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    args.none("do_reverse")?;
    match &own {
        Value::Str(text) | Value::Markup(text) => {
            machine.budget.walk(text.len())?;
            machine.budget.make(text.len())?;
            let reversed: Arc<str> = text.chars().rev().collect::<String>().into();
            Ok(match own {
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
            let mut items = machine.collect(other)?;
            items.reverse();
            match other {
                Value::Generator(_) => Value::list(items),
                _ => Generator::over("list_reverseiterator", items),
            }
        }
    }
}

fn items(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    args.none("do_items")?;
    match own {
        Value::Undefined(_) => Generator::over("do_items", Vec::new()),
        Value::Dict(dict) => {
            machine.budget.make_entries(dict.len())?;
            let pairs = dict
                .iter()
                .map(|(key, value)| Value::pair(key.clone(), value.clone()));
            Generator::over("do_items", pairs.collect())
        }
        _ => fail!(Type, "Can only get item pairs from a mapping."),
    }
}

/// A text in lower case, anything else as it is: what sorting compares by default.
fn ignoring_case(machine: &mut Machine<'_>, value: Value) -> Result<Value> {
    match &value {
        Value::Str(text) | Value::Markup(text) => {
            machine.budget.walk(text.len())?;
            machine.budget.make(text.len() * 3)?;
            Ok(Value::str(text.to_lowercase()))
        }
        _ => Ok(value),
    }
}

/// Sorts stably by keys; an error where Python cannot compare two of them.
fn sort_by_keys(
    machine: &mut Machine<'_>,
    keyed: Vec<(Value, Value)>,
    reverse: bool,
) -> Result<Vec<(Value, Value)>> {
    machine.budget.make_items(keyed.len())?;
    let budget = &mut machine.budget;
    merge_sorted(keyed, &mut |(a, _), (b, _)| {
        let (a, b) = if reverse { (b, a) } else { (a, b) };
        compare(Order::Less, a, b, budget)
    })
}

fn sort(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [reverse, case, attribute] =
        args.bind("do_sort", ["reverse", "case_sensitive", "attribute"])?;
    let case = case.is_some_and(|flag| flag.truth());
    let paths: Vec<Vec<Value>> = match &attribute {
        None | Some(Value::None) => vec![Vec::new()],
        Some(Value::Str(text)) => {
            machine
                .budget
                .make_texts(text.matches(',').count(), text.len())?;
            text.split(',')
                .map(|one| parts_of(machine, &Value::str(one)))
                .collect::<Result<_>>()?
        }
        Some(other) => vec![parts_of(machine, other)?],
    };
    let mut keyed = Vec::new();
    for item in machine.collect(&own)? {
        let mut key = Vec::new();
        for path in &paths {
            let part = machine.path(item.clone(), path, None)?;
            key.push(if case {
                part
            } else {
                ignoring_case(machine, part)?
            });
        }
        machine.budget.make_items(key.len())?;
        keyed.push((Value::list(key)?, item));
    }
    let sorted = sort_by_keys(machine, keyed, reverse.is_some_and(|flag| flag.truth()))?;
    Value::list(sorted.into_iter().map(|(_, item)| item).collect())
}

fn dictsort(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [case, by, reverse] = args.bind("do_dictsort", ["case_sensitive", "by", "reverse"])?;
    let case = case.is_some_and(|flag| flag.truth());
    let by_value = match by.as_ref().map_or(Some("key"), |by| by.as_str()) {
        Some("key") => false,
        Some("value") => true,
        _ => return fail!(Runtime, "You can only sort by either \"key\" or \"value\""),
    };
    let Value::Dict(dict) = &own else {
        return match &own {
            Value::Undefined(undefined) => Err(undefined.error()),
            other => fail!(
                Type,
                "'{}' object has no attribute 'items'",
                other.type_name()
            ),
        };
    };
    machine.budget.make_entries(dict.len())?;
    let mut keyed = Vec::new();
    for (key, value) in dict.iter() {
        let by = if by_value { value.clone() } else { key.clone() };
        let by = if case {
            by
        } else {
            ignoring_case(machine, by)?
        };
        keyed.push((by, Value::pair(key.clone(), value.clone())));
    }
    let sorted = sort_by_keys(machine, keyed, reverse.is_some_and(|flag| flag.truth()))?;
    Value::list(sorted.into_iter().map(|(_, pair)| pair).collect())
}

/// A mapping with its keys in order, for printing.
pub(super) fn sorted_by_key(machine: &mut Machine<'_>, dict: &Dict) -> Result<Value> {
    machine.budget.make_entries(dict.len())?;
    let keyed = dict
        .iter()
        .map(|(key, value)| (key.clone(), Value::pair(key.clone(), value.clone())))
        .collect();
    let sorted = sort_by_keys(machine, keyed, false)?;
    Value::dict(sorted.into_iter().filter_map(|(key, _)| {
        let value = dict.get(&key)?.clone();
        Some((key, value))
    }))
}

fn unique(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [case, attribute] = args.bind("do_unique", ["case_sensitive", "attribute"])?;
    let case = case.is_some_and(|flag| flag.truth());
    let path = attribute
        .map(|value| parts_of(machine, &value))
        .transpose()?
        .unwrap_or_default();
    let mut seen: std::collections::HashMap<u64, Vec<Value>> = std::collections::HashMap::new();
    let mut kept = Vec::new();
    for item in machine.collect(&own)? {
        let mut key = machine.path(item.clone(), &path, None)?;
        if !case {
            key = ignoring_case(machine, key)?;
        }
        charge_key(&key, &mut machine.budget)?;
        machine.budget.make(96)?;
        let same = seen.entry(hashable(&key)?).or_default();
        let mut known = false;
        for other in same.iter() {
            known |= equal(other, &key, &mut machine.budget)?;
        }
        if !known {
            same.push(key);
            kept.push(item);
        }
    }
    Generator::over("sync_do_unique", kept)
}

fn extreme(machine: &mut Machine<'_>, own: &Value, args: Args, largest: bool) -> Result<Value> {
    let [case, attribute] = args.bind("do_min", ["case_sensitive", "attribute"])?;
    let case = case.is_some_and(|flag| flag.truth());
    let path = attribute
        .map(|value| parts_of(machine, &value))
        .transpose()?
        .unwrap_or_default();
    let mut best: Option<(Value, Value)> = None;
    for item in machine.collect(own)? {
        let mut key = machine.path(item.clone(), &path, None)?;
        if !case {
            key = ignoring_case(machine, key)?;
        }
        let order = if largest { Order::Greater } else { Order::Less };
        let better = match &best {
            Some((own, _)) => compare(order, &key, own, &mut machine.budget)?,
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

fn sum(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [attribute, start] = args.bind("sum", ["attribute", "start"])?;
    let path = match attribute {
        None | Some(Value::None) => Vec::new(),
        Some(value) => parts_of(machine, &value)?,
    };
    let mut total = start.unwrap_or(Value::Int(0));
    if total.as_str().is_some() {
        return fail!(Type, "sum() can't sum strings [use ''.join(seq) instead]");
    }
    for item in machine.collect(&own)? {
        let item = machine.path(item, &path, None)?;
        total = binary(Operator::Add, &total, &item, &mut machine.budget)?;
    }
    Ok(total)
}

fn batch(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [count, fill] = args.bind("do_batch", ["linecount", "fill_with"])?;
    let count = required(count, "do_batch", "linecount")?;
    let mut batches = Vec::new();
    let mut current: Vec<Value> = Vec::new();
    for item in machine.collect(&own)? {
        let full = equal(
            &Value::Int(current.len() as i64),
            &count,
            &mut machine.budget,
        )?;
        if full {
            machine.budget.make(96)?;
            batches.push(Value::list(std::mem::take(&mut current))?);
        }
        current.push(item);
    }
    if !current.is_empty() {
        if let Some(fill) = fill.filter(|value| !matches!(value, Value::None)) {
            let missing = usize::try_from(integer(&count)?)
                .unwrap_or(0)
                .saturating_sub(current.len());
            machine.budget.make_items(missing)?;
            current.extend(std::iter::repeat_n(fill, missing));
        }
        batches.push(Value::list(current)?);
    }
    Generator::over("do_batch", batches)
}

fn slice(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [slices, fill] = args.bind("do_slice", ["slices", "fill_with"])?;
    let slices = integer(&required(slices, "do_slice", "slices")?)?;
    let items = machine.collect(&own)?;
    if slices == 0 {
        return fail!(Arithmetic, "integer division or modulo by zero");
    }
    let slices = usize::try_from(slices).unwrap_or(0);
    machine.budget.make_items(slices.saturating_mul(4))?;
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

fn groupby(machine: &mut Machine<'_>, own: Value, args: Args) -> Result<Value> {
    let [attribute, default, case] =
        args.bind("groupby", ["attribute", "default", "case_sensitive"])?;
    let path = parts_of(machine, &required(attribute, "groupby", "attribute")?)?;
    let default = default.filter(|value| !matches!(value, Value::None));
    let case = case.is_some_and(|flag| flag.truth());
    let mut keyed = Vec::new();
    for item in machine.collect(&own)? {
        let key = machine.path(item.clone(), &path, default.as_ref())?;
        let key = if case {
            key
        } else {
            ignoring_case(machine, key)?
        };
        keyed.push((key, item));
    }
    let mut groups: Vec<(Value, Vec<Value>)> = Vec::new();
    for (key, item) in sort_by_keys(machine, keyed, false)? {
        match groups.last_mut() {
            Some((own, members)) if equal(own, &key, &mut machine.budget)? => members.push(item),
            _ => {
                machine.budget.make_items(4)?;
                groups.push((key, vec![item]));
            }
        }
    }
    let mut out = Vec::new();
    for (key, members) in groups {
        // The key shown is that of the first member, in its own case.
        let shown = match (case, members.first()) {
            (false, Some(first)) => machine.path(first.clone(), &path, default.as_ref())?,
            _ => key,
        };
        out.push(Value::group(shown, Value::list(members)?));
    }
    Value::list(out)
}
