//! `'{} and {name!r:>10}'.format(...)`, with the sandbox's rules for attributes.

use num_bigint::Sign;

use super::super::call::Args;
use super::super::error::{Result, fail};
use super::super::interpreter::Interpreter;
use super::super::markup;
use super::super::value::{Number, Value, char_count, repr, text};
use super::number::{float_digits, grouped, integer_digits, prefix};
use super::percent::ascii;
use super::width_of;

/// Formats a template with arguments; `marked` escapes what is put in.
pub(crate) fn formatted(
    interpreter: &mut Interpreter<'_>,
    template: &str,
    args: &Args,
    marked: bool,
) -> Result<String> {
    let mut automatic = Some(0);
    fields(interpreter, template, args, marked, &mut automatic, 3)
}

fn fields(
    interpreter: &mut Interpreter<'_>,
    template: &str,
    args: &Args,
    marked: bool,
    automatic: &mut Option<usize>,
    depth: u8,
) -> Result<String> {
    if depth == 0 {
        return fail!(Value, "Max string recursion exceeded");
    }
    let mut out = String::new();
    let mut rest = template;
    // Each brace is looked for in the field around it as well.
    interpreter.budget.walk(template.len() * 2)?;
    while let Some(at) = rest.find(['{', '}']) {
        interpreter.budget.make(at + 8)?;
        out.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            out.push_str(brace);
            rest = after;
            continue;
        }
        if brace == "}" {
            return fail!(Value, "Single '}}' encountered in format string");
        }
        let Some(end) = field_end(rest) else {
            return fail!(Value, "expected '}}' before end of string");
        };
        let (name, conversion, spec) = parts(&rest[..end])?;
        rest = &rest[end + 1..];
        let value = lookup(interpreter, name, args, automatic)?;
        let spec = fields(interpreter, spec, args, false, automatic, depth - 1)?;
        let written = write(interpreter, &value, conversion, &spec)?;
        let plain = !matches!(value, Value::Markup(_));
        out.push_str(&if marked && plain {
            markup::escape(&written, &mut interpreter.budget)?
        } else {
            written
        });
    }
    interpreter.budget.make(rest.len())?;
    out.push_str(rest);
    Ok(out)
}

/// The closing brace of a field, which may contain nested fields.
fn field_end(text: &str) -> Option<usize> {
    let mut open = 0;
    for (at, character) in text.char_indices() {
        match character {
            '{' => open += 1,
            '}' if open == 0 => return Some(at),
            '}' => open -= 1,
            _ => {}
        }
    }
    None
}

/// Name, conversion and format of a field.
fn parts(field: &str) -> Result<(&str, Option<char>, &str)> {
    let mut brackets = 0;
    let cut = field.char_indices().find(|(_, character)| {
        match character {
            '[' => brackets += 1,
            ']' => brackets -= 1,
            _ => {}
        }
        brackets <= 0 && matches!(character, '!' | ':')
    });
    let Some((at, sign)) = cut else {
        return Ok((field, None, ""));
    };
    let (name, rest) = (&field[..at], &field[at + 1..]);
    if sign == ':' {
        return Ok((name, None, rest));
    }
    let mut characters = rest.chars();
    let Some(conversion) = characters.next() else {
        return fail!(
            Value,
            "end of string while looking for conversion specifier"
        );
    };
    match (characters.next(), characters.as_str()) {
        (None, _) => Ok((name, Some(conversion), "")),
        (Some(':'), spec) => Ok((name, Some(conversion), spec)),
        _ => fail!(Value, "expected ':' after conversion specifier"),
    }
}

fn lookup(
    interpreter: &mut Interpreter<'_>,
    name: &str,
    args: &Args,
    automatic: &mut Option<usize>,
) -> Result<Value> {
    let end = name.find(['.', '[']).unwrap_or(name.len());
    let (first, mut rest) = name.split_at(end);
    let index = if first.is_empty() {
        let Some(next) = automatic else {
            return fail!(
                Value,
                "cannot switch from manual field specification to automatic field numbering"
            );
        };
        *next += 1;
        Some(*next - 1)
    } else if let Ok(index) = first.parse::<usize>() {
        if automatic.is_some_and(|used| used > 0) {
            return fail!(
                Value,
                "cannot switch from automatic field numbering to manual field specification"
            );
        }
        *automatic = None;
        Some(index)
    } else {
        None
    };
    let found = match index {
        Some(index) => args.positional.get(index).cloned(),
        None => {
            interpreter.budget.search(args.named.len())?;
            let mut named = args.named.iter();
            named
                .find(|(name, _)| &**name == first)
                .map(|(_, value)| value.clone())
        }
    };
    let mut value = match (found, index) {
        (Some(value), _) => value,
        (None, Some(index)) => {
            return fail!(
                Lookup,
                "Replacement index {index} out of range for positional args tuple"
            );
        }
        (None, None) => return fail!(Lookup, "'{first}'"),
    };
    while !rest.is_empty() {
        interpreter.budget.step()?;
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            if end == 0 {
                return fail!(Value, "Empty attribute in format string");
            }
            value = interpreter.attribute(&value, &after[..end].into())?;
            rest = &after[end..];
        } else if let Some((key, after)) = rest
            .strip_prefix('[')
            .and_then(|inner| inner.split_once(']'))
        {
            let key = match key.parse::<i64>() {
                Ok(index) => Value::Int(index),
                Err(_) => Value::str(key),
            };
            value = interpreter.item(&value, &key)?;
            rest = after;
        } else {
            return fail!(
                Value,
                "Only '.' or '[' may follow ']' in format field specifier"
            );
        }
    }
    Ok(value)
}

fn write(
    interpreter: &mut Interpreter<'_>,
    value: &Value,
    conversion: Option<char>,
    spec: &str,
) -> Result<String> {
    let mut converted = String::new();
    let budget = &mut interpreter.budget;
    match conversion {
        None => {
            let spec = Spec::parse(spec)?;
            budget.walk(spec.precision.unwrap_or(0))?;
            budget.make(spec.width.saturating_mul(4) + spec.precision.unwrap_or(0))?;
            match value {
                Value::Str(text) | Value::Markup(text) => budget.make(text.len() * 2)?,
                Value::Big(number) => budget.steps(number.bits() / 8)?,
                _ => {}
            }
            return spec.write(interpreter, value);
        }
        Some('s') => text(value, &mut converted, budget)?,
        Some('r') => repr(value, &mut converted, budget)?,
        Some('a') => {
            repr(value, &mut converted, budget)?;
            converted = ascii(&converted, budget)?;
        }
        Some(other) => return fail!(Value, "Unknown conversion specifier '{other}'"),
    }
    let spec = Spec::parse(spec)?;
    interpreter
        .budget
        .make(spec.width.saturating_mul(4) + converted.len() * 2)?;
    spec.text(&converted)
}

/// The longest format specification that is read, in bytes.
const MAX_SPEC: usize = 256;

/// Python's format specification: `[[fill]align][sign][#][0][width][,][.precision][type]`.
#[derive(Default)]
struct Spec {
    fill: Option<char>,
    align: Option<char>,
    sign: Option<char>,
    alternate: bool,
    width: usize,
    separator: Option<char>,
    precision: Option<usize>,
    kind: Option<char>,
}

impl Spec {
    fn parse(spec: &str) -> Result<Self> {
        let mut format = Self::default();
        if spec.len() > MAX_SPEC {
            return fail!(Value, "Too many decimal digits in format string");
        }
        let characters: Vec<char> = spec.chars().collect();
        let mut at = 0;
        let is_align = |index: usize| {
            characters
                .get(index)
                .is_some_and(|character| "<>=^".contains(*character))
        };
        if is_align(1) {
            format.fill = Some(characters[0]);
            format.align = Some(characters[1]);
            at = 2;
        } else if is_align(0) {
            format.align = Some(characters[0]);
            at = 1;
        }
        if let Some(sign @ ('+' | '-' | ' ')) = characters.get(at) {
            format.sign = Some(*sign);
            at += 1;
        }
        if characters.get(at) == Some(&'#') {
            format.alternate = true;
            at += 1;
        }
        if characters.get(at) == Some(&'0') {
            format.fill = format.fill.or(Some('0'));
            format.align = format.align.or(Some('='));
            at += 1;
        }
        let digits = |at: &mut usize| -> Result<Option<usize>> {
            let begin = *at;
            while characters.get(*at).is_some_and(char::is_ascii_digit) {
                *at += 1;
            }
            let digits: String = characters[begin..*at].iter().collect();
            if digits.is_empty() {
                Ok(None)
            } else {
                width_of(&digits).map(Some)
            }
        };
        format.width = digits(&mut at)?.unwrap_or(0);
        if let Some(separator @ (',' | '_')) = characters.get(at) {
            format.separator = Some(*separator);
            at += 1;
        }
        if characters.get(at) == Some(&'.') {
            at += 1;
            format.precision = digits(&mut at)?;
            if format.precision.is_none() {
                return fail!(Value, "Format specifier missing precision");
            }
        }
        format.kind = characters.get(at).copied();
        if characters.len() > at + 1 {
            return fail!(Value, "Invalid format specifier '{spec}'");
        }
        Ok(format)
    }

    fn write(&self, interpreter: &mut Interpreter<'_>, value: &Value) -> Result<String> {
        if let Some(text) = value.as_str() {
            return self.text(text);
        }
        let number = match value {
            Value::Bool(_) if self.is_plain() => None,
            other => Number::of(other),
        };
        let Some(number) = number else {
            let mut plain = String::new();
            text(value, &mut plain, &mut interpreter.budget)?;
            interpreter.budget.make(plain.len() * 2)?;
            if self.is_plain() {
                return self.text(&plain);
            }
            return match value {
                Value::Undefined(_) => self.text(""),
                _ => fail!(
                    Type,
                    "unsupported format string passed to {}.__format__",
                    value.type_name()
                ),
            };
        };
        self.number(&number, value)
    }

    fn is_plain(&self) -> bool {
        self.fill.is_none()
            && self.align.is_none()
            && self.sign.is_none()
            && !self.alternate
            && self.width == 0
            && self.separator.is_none()
            && self.precision.is_none()
            && self.kind.is_none()
    }

    fn text(&self, text: &str) -> Result<String> {
        match self.kind {
            None | Some('s') => {}
            Some(other) => {
                return fail!(
                    Value,
                    "Unknown format code '{other}' for object of type 'str'"
                );
            }
        }
        if self.sign.is_some() || self.align == Some('=') && self.fill != Some('0') {
            return fail!(
                Value,
                "Sign or '=' alignment not allowed in string format specifier"
            );
        }
        let cut: String = match self.precision {
            Some(precision) => text.chars().take(precision).collect(),
            None => text.to_owned(),
        };
        Ok(self.aligned("", &cut, '<'))
    }

    fn number(&self, number: &Number<'_>, value: &Value) -> Result<String> {
        let kind = self.kind.unwrap_or(match number {
            Number::Float(_) => ' ',
            _ => 'd',
        });
        let (negative, digits) = match kind {
            'd' | 'x' | 'X' | 'o' | 'b' | 'c' | 'n' if !matches!(number, Number::Float(_)) => {
                if self.precision.is_some() {
                    return fail!(Value, "Precision not allowed in integer format specifier");
                }
                let integer = number.to_big().unwrap_or_default();
                if kind == 'c' {
                    let code = u32::try_from(&integer).ok().and_then(char::from_u32);
                    return match code {
                        Some(character) => Ok(self.aligned("", &character.to_string(), '<')),
                        None => fail!(Arithmetic, "%c arg not in range(0x110000)"),
                    };
                }
                (
                    integer.sign() == Sign::Minus,
                    integer_digits(&integer, kind),
                )
            }
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%' | ' ' | 'n' => {
                let float = number.to_f64()?;
                let kind = if kind == 'n' { 'g' } else { kind };
                let digits = float_digits(float, kind, self.precision, self.alternate);
                (float.is_sign_negative() && !float.is_nan(), digits)
            }
            other => {
                return fail!(
                    Value,
                    "Unknown format code '{other}' for object of type '{}'",
                    value.type_name()
                );
            }
        };
        let every = if matches!(kind, 'x' | 'X' | 'o' | 'b') {
            4
        } else {
            3
        };
        let digits = match self.separator {
            Some(separator) => grouped(&digits, separator, every),
            None => digits,
        };
        let sign = match (negative, self.sign) {
            (true, _) => "-",
            (_, Some('+')) => "+",
            (_, Some(' ')) => " ",
            _ => "",
        };
        let prefix = if self.alternate { prefix(kind) } else { "" };
        Ok(self.aligned(&format!("{sign}{prefix}"), &digits, '>'))
    }

    fn aligned(&self, sign: &str, body: &str, default: char) -> String {
        let missing = self
            .width
            .saturating_sub(char_count(sign) + char_count(body));
        let fill = self.fill.unwrap_or(' ');
        let fills = |count: usize| -> String { std::iter::repeat_n(fill, count).collect() };
        match self.align.unwrap_or(default) {
            '<' => format!("{sign}{body}{}", fills(missing)),
            '^' => {
                let left = missing / 2;
                format!("{}{sign}{body}{}", fills(left), fills(missing - left))
            }
            '=' if default == '>' => format!("{sign}{}{body}", fills(missing)),
            '=' => format!("{sign}{body}{}", fills(missing)),
            _ => format!("{}{sign}{body}", fills(missing)),
        }
    }
}
