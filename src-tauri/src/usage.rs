//! Answers `--help` and `--version`, and refuses other flags, before any window opens.

use std::ffi::OsString;

const HELP: &str = "\
Usage: promptdeck-studio [FOLDER|FILE]

Opens the folder of registries, or a registry in its folder. Without an argument it opens the folder
in PROMPTDECK_REGISTRIES, `registries` in the current folder, or Promptdeck in your documents folder.

Options:
  -h, --help     Print help
  -V, --version  Print version";

/// The exit status of arguments that ask for no window: at most one path asks for one.
pub fn answer(arguments: impl IntoIterator<Item = OsString>) -> Option<i32> {
    let mut paths = 0;
    for argument in arguments {
        match argument.to_str() {
            Some("-h" | "--help") => {
                println!("{HELP}");
                return Some(0);
            }
            Some("-V" | "--version") => {
                println!("promptdeck-studio {}", env!("CARGO_PKG_VERSION"));
                return Some(0);
            }
            Some(flag) if flag.starts_with('-') => {
                return Some(refuse(&format!("there is no flag {flag}")));
            }
            _ => paths += 1,
        }
    }
    match paths {
        0 | 1 => None,
        several => {
            let reason = format!("{several} paths given, but a window opens one");
            Some(refuse(&reason))
        }
    }
}

fn refuse(reason: &str) -> i32 {
    eprintln!("promptdeck-studio: {reason}; see promptdeck-studio --help");
    2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_answered_and_paths_are_not() {
        for (arguments, status) in [
            (&["--version"][..], Some(0)),
            (&["-h"], Some(0)),
            (&["decks", "--help"], Some(0)),
            (&["--fullscreen"], Some(2)),
            (&["decks", "--fullscreen"], Some(2)),
            (&["decks", "cards"], Some(2)),
            (&["decks"], None),
            (&[""], None),
            (&[], None),
        ] {
            let given = arguments.iter().map(OsString::from);
            assert_eq!(answer(given), status, "{arguments:?}");
        }
    }
}
