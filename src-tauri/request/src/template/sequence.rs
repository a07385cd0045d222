//! Slices and ranges as Python has them. minijinja's own miscount when they run backwards, up to a
//! panic on empty texts.

use minijinja::{Error, ErrorKind, Value, value::ValueKind};
use promptdeck_python::slice::Indices;

/// The longest range.
const MAX_RANGE: u64 = 100_000;

/// `value[start:stop:step]`, none for a part left out. Of what is undefined: undefined.
pub fn slice(value: &Value, start: &Value, stop: &Value, step: &Value) -> Result<Value, Error> {
    let (start, stop) = (part(start)?, part(stop)?);
    let step = part(step)?.unwrap_or(1);
    if step == 0 {
        return Err(invalid("the step of a slice cannot be 0"));
    }
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => Ok(Value::UNDEFINED),
        ValueKind::String => {
            let letters: Vec<char> = value.as_str().unwrap_or_default().chars().collect();
            let selected =
                Indices::new(letters.len(), start, stop, step).map(|index| letters[index]);
            Ok(Value::from(selected.collect::<String>()))
        }
        ValueKind::Seq | ValueKind::Iterable => {
            let entries = value
                .try_iter()?
                .checked()
                .collect::<Result<Vec<Value>, Error>>()?;
            let selected =
                Indices::new(entries.len(), start, stop, step).map(|index| entries[index].clone());
            Ok(Value::from(selected.collect::<Vec<Value>>()))
        }
        kind => Err(invalid(&format!("a value of type {kind} cannot be sliced"))),
    }
}

/// `range(stop)` or `range(start, stop, step)`.
pub fn range(first: i64, second: Option<i64>, step: Option<i64>) -> Result<Value, Error> {
    let (start, stop) = second.map_or((0, first), |stop| (first, stop));
    let step = step.unwrap_or(1);
    if step == 0 {
        return Err(invalid("the step of a range cannot be 0"));
    }
    let forward = step > 0;
    let distance = if forward == (start < stop) {
        start.abs_diff(stop)
    } else {
        0
    };
    let length = distance.div_ceil(step.unsigned_abs());
    if length > MAX_RANGE {
        return Err(super::budget::limit(&format!(
            "a range of more than {MAX_RANGE} numbers"
        )));
    }
    let mut at = start;
    let mut numbers = Vec::new();
    for _ in 0..length {
        numbers.push(Value::from(at));
        at = at.saturating_add(step);
    }
    Ok(Value::from(numbers))
}

fn part(value: &Value) -> Result<Option<i64>, Error> {
    if value.is_none() || value.is_undefined() {
        return Ok(None);
    }
    i64::try_from(value.clone()).map(Some)
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, start: Option<i64>, stop: Option<i64>, step: Option<i64>, expected: &str) {
        let part = |given: Option<i64>| given.map_or_else(|| Value::from(()), Value::from);
        let sliced = slice(&Value::from(text), &part(start), &part(stop), &part(step));
        assert_eq!(
            sliced.expect("a slice").as_str(),
            Some(expected),
            "{start:?}:{stop:?}:{step:?}"
        );
    }

    #[test]
    fn slices_as_in_python() {
        check("abcdef", Some(1), Some(4), None, "bcd");
        check("abcdef", Some(-2), None, None, "ef");
        check("abcdef", None, Some(-2), None, "abcd");
        check("abcdef", None, None, Some(-1), "fedcba");
        check("abcdef", Some(4), Some(1), Some(-1), "edc");
        check("abcdef", Some(1), Some(4), Some(-1), "");
        check("abcdef", None, None, Some(4), "ae");
        check("abcdef", None, Some(0), Some(-2), "fdb");
        check("", None, None, Some(-1), "");
        check("ab", Some(i64::MIN), Some(i64::MAX), Some(i64::MAX), "a");
        check("ab", Some(i64::MAX), Some(i64::MIN), Some(i64::MIN), "b");
        check("é🌱", Some(1), None, None, "🌱");
    }

    fn check_range(first: i64, second: Option<i64>, step: Option<i64>, expected: &[i64]) {
        let numbers = range(first, second, step).expect("a range");
        let numbers: Vec<i64> = numbers
            .try_iter()
            .expect("a list")
            .map(|number| i64::try_from(number).expect("a number"))
            .collect();
        assert_eq!(numbers, expected);
    }

    #[test]
    fn ranges_as_in_python() {
        check_range(3, None, None, &[0, 1, 2]);
        check_range(1, Some(10), Some(4), &[1, 5, 9]);
        check_range(3, Some(0), Some(-1), &[3, 2, 1]);
        check_range(0, Some(3), Some(-1), &[]);
        check_range(-1, None, None, &[]);
        check_range(
            i64::MAX - 1,
            Some(i64::MAX),
            Some(i64::MAX),
            &[i64::MAX - 1],
        );
        check_range(1, Some(0), Some(i64::MIN), &[1]);
        assert!(range(i64::MAX, None, None).is_err());
        assert!(range(1, None, Some(0)).is_err());
    }
}
