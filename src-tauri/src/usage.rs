//! Answers `--help` and `--version`, and refuses other flags, before any window opens.

use std::ffi::OsString;

const HELP: &str = "\
Usage: promptdeck-studio [FOLDER|FILE]

Opens the folder of registries, or a registry in its folder. Without an argument it opens the folder
in PROMPTDECK_REGISTRIES, `registries` in the current folder, or Promptdeck in your documents folder.

Options:
  -h, --help     Print help
  -V, --version  Print version";

/// The exit status of an argument that asks for no window.
pub fn answer(argument: Option<OsString>) -> Option<i32> {
    match argument?.to_str()? {
        "-h" | "--help" => println!("{HELP}"),
        "-V" | "--version" => println!("promptdeck-studio {}", env!("CARGO_PKG_VERSION")),
        flag if flag.starts_with('-') => {
            eprintln!("promptdeck-studio: there is no flag {flag}; see promptdeck-studio --help");
            return Some(2);
        }
        _ => return None,
    }
    Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_answered_and_paths_are_not() {
        for (argument, status) in [
            (Some("--version"), Some(0)),
            (Some("-h"), Some(0)),
            (Some("--fullscreen"), Some(2)),
            (Some("decks"), None),
            (Some(""), None),
            (None, None),
        ] {
            assert_eq!(answer(argument.map(Into::into)), status, "{argument:?}");
        }
    }
}
