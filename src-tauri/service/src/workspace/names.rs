//! Names of registries and sub-folders: which are accepted, and which file a title gets.

use std::path::{Component, Path};

use super::walk::DEEPEST;
use promptdeck_checks::is_checks_name;

use crate::ServiceError;
use crate::calls::folder::CALLS;

/// Longest title in characters, and longest name of a file or folder in bytes.
const LONGEST: usize = 120;

/// Names of devices on Windows, with and without an ending.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The sub-folder of a registry, empty for none, and its file name.
#[must_use]
pub fn parts(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or(("", name))
}

/// The name of a file in a sub-folder.
pub(crate) fn join(folder: &str, file: &str) -> String {
    if folder.is_empty() {
        file.to_owned()
    } else {
        format!("{folder}/{file}")
    }
}

/// Whether a name is that of a `.json` file directly in a folder, other than a file of checks.
#[must_use]
pub fn is_registry_name(name: &str) -> bool {
    is_plain(name) && has_extension(name) && !is_checks_name(name)
}

/// Whether a name ends like that of a registry file.
pub(super) fn has_extension(name: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

/// Whether a name is that of a `.json` file in the folder or in a sub-folder, other than that of
/// the call documents.
#[must_use]
pub fn is_registry_path(name: &str) -> bool {
    let (folder, file) = parts(name);
    let inside = !name.contains('/') || is_folder_path(folder);
    inside && is_registry_name(file)
}

/// Whether a name is that of a sub-folder in which registries are listed.
pub(super) fn is_folder_path(name: &str) -> bool {
    let steps: Vec<&str> = name.split('/').collect();
    steps.len() <= DEEPEST && steps.iter().all(|step| is_listed_folder(step))
}

/// Whether a folder of this name is looked into for registries.
pub(super) fn is_listed_folder(name: &str) -> bool {
    is_plain(name) && !name.starts_with('.') && name != CALLS
}

/// The name of a path in a folder, as steps below it; `None` if it is elsewhere.
pub(crate) fn relative(folder: &Path, path: &Path) -> Option<String> {
    let steps = path.strip_prefix(folder).ok()?.components();
    let steps: Option<Vec<&str>> = steps.map(|step| step.as_os_str().to_str()).collect();
    Some(steps?.join("/"))
}

/// A single step that leads nowhere else.
fn is_plain(name: &str) -> bool {
    let mut steps = Path::new(name).components();
    let plain = matches!(
        (steps.next(), steps.next()),
        (Some(Component::Normal(step)), None) if step == name
    );
    plain && !name.contains(['\0', '\\', '/'])
}

/// Checks a title that an author gives, and takes away the white space around it.
///
/// # Errors
/// [`ServiceError::BadName`] if it is empty, too long or more than one line.
pub fn check_title(title: &str) -> Result<&str, ServiceError> {
    let title = title.trim();
    let reason = if title.is_empty() {
        "a title cannot be empty"
    } else if title.chars().count() > LONGEST {
        "a title has at most 120 characters"
    } else if title.contains(char::is_control) {
        "a title is one line without control characters"
    } else {
        return Ok(title);
    };
    Err(bad(title, reason))
}

/// Checks the name of a new sub-folder, and takes away the white space around it.
///
/// # Errors
/// [`ServiceError::BadName`] if a file system or this program would refuse it.
pub fn check_folder_name(name: &str) -> Result<&str, ServiceError> {
    let name = name.trim();
    match portable_fault(name) {
        Some(reason) => Err(bad(name, reason)),
        None if name == CALLS => Err(bad(name, "that folder holds the call documents")),
        None => Ok(name),
    }
}

/// Checks the name of a new registry file, with its extension.
///
/// # Errors
/// [`ServiceError::BadName`] if a file system or this program would refuse it.
pub(super) fn check_file_name(name: &str) -> Result<&str, ServiceError> {
    match portable_fault(name) {
        Some(reason) => Err(bad(name, reason)),
        None if is_checks_name(name) => {
            Err(bad(name, "files that end in .checks.json hold checks"))
        }
        None if !is_registry_name(name) => Err(bad(name, "a registry is a .json file")),
        None => Ok(name),
    }
}

/// Why some file system does not take a name.
fn portable_fault(name: &str) -> Option<&'static str> {
    let stem = name.split('.').next().unwrap_or_default().to_lowercase();
    let device = RESERVED.iter().any(|device| {
        let rest = stem.strip_prefix(device);
        rest.is_some_and(|rest| rest.is_empty() || rest.parse::<u8>().is_ok_and(|n| n < 10))
    });
    if name.is_empty() {
        Some("a name cannot be empty")
    } else if name.len() > LONGEST {
        Some("a name has at most 120 bytes")
    } else if name.contains(char::is_control)
        || name.contains(['/', '\\', ':', '*', '?', '"'])
        || name.contains(['<', '>', '|'])
    {
        Some("a name has none of / \\ : * ? \" < > |")
    } else if name.starts_with('.') {
        Some("files and folders whose name begins with a dot are hidden")
    } else if name.ends_with('.') || device {
        Some("the name is reserved on Windows")
    } else {
        None
    }
}

fn bad(name: &str, reason: &'static str) -> ServiceError {
    ServiceError::BadName {
        name: name.to_owned(),
        why: reason,
    }
}

/// The registry file that typed words make, a name or a title: the same for a new file and for one that
/// is renamed.
///
/// ```
/// use promptdeck_service::workspace::file_name;
///
/// assert_eq!(file_name("Radio Host"), "radio_host.json");
/// assert_eq!(file_name("radio_host.json"), "radio_host.json");
/// ```
#[must_use]
pub fn file_name(typed: &str) -> String {
    format!("{}.json", file_stem(without_extension(typed)))
}

/// A name that an author types, without the extension of registries and the white space around it.
pub(super) fn without_extension(typed: &str) -> &str {
    let typed = typed.trim();
    match has_extension(typed) {
        true => &typed[..typed.len() - ".json".len()],
        false => typed,
    }
}

/// Checks the name that an author gives a new registry file, and makes the file's name of it.
///
/// # Errors
/// [`ServiceError::BadName`] if it is empty, names a folder, or some file system would refuse it.
pub(super) fn new_file_name(typed: &str) -> Result<String, ServiceError> {
    let typed = typed.trim();
    if typed.is_empty() {
        Err(bad(typed, "a name cannot be empty"))
    } else if typed.contains(['/', '\\']) {
        Err(bad(
            typed,
            "a name has none of / \\; the folder is chosen beside it",
        ))
    } else {
        let name = file_name(typed);
        check_file_name(&name)?;
        Ok(name)
    }
}

/// Converts a title to a file name: lower case, words joined by underscores, no other characters.
#[must_use]
pub fn file_stem(title: &str) -> String {
    let mut stem = String::new();
    for character in title.chars().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() {
            stem.push(character);
        } else if !stem.is_empty() && !stem.ends_with('_') {
            stem.push('_');
        }
        if stem.len() > 60 {
            break;
        }
    }
    let stem = stem.trim_end_matches('_');
    if stem.is_empty() {
        "registry".into()
    } else {
        stem.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_file_names() {
        let check = |title: &str, stem: &str| assert_eq!(file_stem(title), stem, "{title:?}");
        check("Trivia Host", "trivia_host");
        check("  ../../etc/passwd ", "etc_passwd");
        check("Zwölf & mehr!", "zwölf_mehr");
        check("***", "registry");
    }

    #[test]
    fn typed_names_become_the_file_names_that_titles_become() {
        for (typed, file) in [
            (" Radio Host ", "radio_host.json"),
            ("radio_host.JSON", "radio_host.json"),
            ("v1.2 deck", "v1_2_deck.json"),
            ("act 1: why?", "act_1_why.json"),
            ("x.checks", "x_checks.json"),
        ] {
            assert_eq!(file_name(typed), file, "{typed:?}");
            assert_eq!(new_file_name(typed).expect("good"), file, "{typed:?}");
        }
        for bad in ["", "  ", "../x", "/x", "a\\b", "con", "CON.json"] {
            assert!(new_file_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn folder_names_are_those_that_every_system_takes() {
        let check = |name: &str, good: bool| {
            assert_eq!(check_folder_name(name).is_ok(), good, "{name:?}");
        };
        check("finals", true);
        check(" support desk ", true);
        check("console", true);
        for bad in [
            "", " ", ".", "..", ".git", "a/b", "a\\b", "a\nb", "a:b", "CON", "com1.old", "end.",
            "calls",
        ] {
            check(bad, false);
        }
        check(&"x".repeat(121), false);
    }

    #[test]
    fn a_file_of_checks_is_no_registry() {
        assert!(is_registry_name("host.json") && is_registry_path("finals/checks.json"));
        assert!(!is_registry_name("host.checks.json") && !is_registry_path("a/host.Checks.JSON"));
    }

    #[test]
    fn titles_are_one_line() {
        assert_eq!(check_title("  Bell ringer ").expect("good"), "Bell ringer");
        for bad in ["", "  ", "a\nb", &"x".repeat(121)] {
            assert_eq!(
                check_title(bad).expect_err("bad").code(),
                "bad_name",
                "{bad:?}"
            );
        }
    }
}
