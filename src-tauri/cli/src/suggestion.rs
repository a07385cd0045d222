//! Tips about unknown arguments. Those of clap compare letters alone: they name `--version` for
//! `--conversation`.

use std::{ffi::OsString, path::Path};

use clap::{
    Arg, Command, Error,
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};
use promptdeck_json::nearest::nearest;

/// Shorter names are a beginning of too many.
const MIN_STEM: usize = 3;

/// Leaves the error the tips that name something near in spelling or in meaning.
pub fn revise(mut error: Error, root: &Command, args: &[OsString]) -> Error {
    for kind in [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedCommand,
    ] {
        keep_near(&mut error, ContextKind::InvalidSubcommand, kind);
    }
    keep_near(
        &mut error,
        ContextKind::InvalidValue,
        ContextKind::SuggestedValue,
    );
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg).cloned()
        && let Some(name) = unknown.strip_prefix("--")
    {
        error.remove(ContextKind::SuggestedArg);
        // That it can be passed as a value is a tip about a file of that name.
        if !Path::new(&unknown).exists() {
            error.remove(ContextKind::Suggested);
            if let Some(tip) = tip(name, root, args) {
                let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
                error.insert(ContextKind::Suggested, tip);
            }
        }
    }
    error
}

/// Removes the tips that are not near to what was written.
fn keep_near(error: &mut Error, written: ContextKind, suggested: ContextKind) {
    let Some(ContextValue::String(written)) = error.get(written).cloned() else {
        return;
    };
    match error.remove(suggested) {
        Some(ContextValue::String(name)) if is_near(&written, &name) => {
            error.insert(suggested, ContextValue::String(name));
        }
        Some(ContextValue::Strings(mut names)) => {
            names.retain(|name| is_near(&written, name));
            if !names.is_empty() {
                error.insert(suggested, ContextValue::Strings(names));
            }
        }
        _ => {}
    }
}

/// Whether one name is meant by the other: a typing error, or the beginning of it.
fn is_near(written: &str, name: &str) -> bool {
    let stem = written.len().min(name.len());
    nearest(written, [name]).is_some()
        || stem >= MIN_STEM && written.as_bytes()[..stem] == name.as_bytes()[..stem]
}

/// What may be meant by an unknown flag: the command beside this one that has it, the flag that takes
/// the value given, or one that is spelled nearly so.
fn tip(name: &str, root: &Command, args: &[OsString]) -> Option<String> {
    let path = invoked(root, args);
    let command = path.last()?;
    if let [.., group, _] = path.as_slice()
        && path.len() > 2
        && let Some(other) = group.get_subcommands().find(|other| has(other, name))
    {
        let names = path[..path.len() - 1]
            .iter()
            .map(|command| command.get_name());
        let names: Vec<&str> = names.chain([other.get_name()]).collect();
        return Some(format!("'{}' has '--{name}'", names.join(" ")));
    }
    let value = value_of(name, args);
    let takes = |arg: &&Arg| {
        let values = arg.get_possible_values();
        values.iter().any(|known| Some(known.get_name()) == value)
    };
    if let Some(flag) = command
        .get_arguments()
        .find(takes)
        .and_then(|arg| arg.get_long())
    {
        return Some(format!(
            "'{}' is a value of '--{flag}'",
            value.unwrap_or_default()
        ));
    }
    let flags = || command.get_arguments().filter(|arg| !arg.is_hide_set());
    let longs = || flags().filter_map(Arg::get_long);
    let suggestion = nearest(name, longs()).or_else(|| longs().find(|long| is_near(name, long)));
    suggestion.map(|flag| format!("a similar argument exists: '--{flag}'"))
}

/// The commands that the arguments name, from the program on.
fn invoked<'c>(root: &'c Command, args: &[OsString]) -> Vec<&'c Command> {
    let mut path = vec![root];
    for arg in args.iter().skip(1) {
        let found = path.last().and_then(|command| command.find_subcommand(arg));
        match found {
            Some(command) => path.push(command),
            None => break,
        }
    }
    path
}

fn has(command: &Command, name: &str) -> bool {
    let mut arguments = command.get_arguments();
    arguments.any(|arg| arg.get_long() == Some(name))
}

/// The argument after a flag, or behind its equals sign.
fn value_of<'a>(name: &str, args: &'a [OsString]) -> Option<&'a str> {
    let mut args = args.iter().filter_map(|arg| arg.to_str());
    while let Some(arg) = args.next() {
        match arg
            .strip_prefix("--")
            .and_then(|arg| arg.strip_prefix(name))
        {
            Some("") => return args.next(),
            Some(rest) if rest.starts_with('=') => return Some(&rest[1..]),
            _ => {}
        }
    }
    None
}
