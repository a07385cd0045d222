//! Names of registries, call documents and sub-folders: which are accepted, and which file a title gets.
//!
//! A registry has a title, of any characters on one line, and its file a name made of it. A sub-folder
//! and a call document have no title: their names are those of the folder and of the file, and every
//! file system must take them.

use std::path::{Component, Path};

use super::walk::DEEPEST;
use promptdeck_checks::is_checks_name;

use crate::ServiceError;
use crate::calls::folder::CALLS;

/// Why a name without characters is refused.
const EMPTY: &str = "a name cannot be empty";

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
        EMPTY
    } else if title.chars().count() > LONGEST {
        "a title may have at most 120 characters"
    } else if title.contains(char::is_control) {
        "a title must be one line without control characters"
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
        None if name == CALLS => Err(bad(name, "the folder calls is for call documents")),
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
        None if is_checks_name(name) => Err(bad(
            name,
            "a name may not end in .checks, which marks files of checks",
        )),
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
        Some(EMPTY)
    } else if name.len() > LONGEST {
        Some("the name is too long")
    } else if name.contains(char::is_control) {
        Some("a name may not contain control characters")
    } else if name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|']) {
        Some("a name may not contain / \\ : * ? \" < > |")
    } else if name.starts_with('.') {
        Some("a name may not begin with a dot, which hides files and folders")
    } else if name.ends_with('.') {
        Some("a name may not end with a dot")
    } else if device {
        Some("Windows reserves that name for a device")
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

/// Checks the name or title that an author gives a registry, and makes its file's name of it.
///
/// # Errors
/// [`ServiceError::BadName`] if it is no title, or some file system would refuse the file's name.
pub(crate) fn titled_file_name(typed: &str) -> Result<String, ServiceError> {
    let name = file_name(check_title(typed)?);
    check_file_name(&name)?;
    Ok(name)
}

/// The file that an author names without a title, such as a call document.
///
/// # Errors
/// [`ServiceError::BadName`] if a file system or this program would refuse it.
pub(crate) fn own_file_name(typed: &str) -> Result<String, ServiceError> {
    let typed = typed.trim();
    match portable_fault(typed) {
        Some(reason) => Err(bad(typed, reason)),
        None => {
            let name = match has_extension(typed) {
                true => typed.to_owned(),
                false => format!("{typed}.json"),
            };
            check_file_name(&name).map(str::to_owned)
        }
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
            assert_eq!(titled_file_name(typed).expect("good"), file, "{typed:?}");
        }
        assert_eq!(
            titled_file_name("Blurb writer: v2/ä").expect("good"),
            "blurb_writer_v2_ä.json"
        );
        for bad in ["", "  ", "a\nb", "con", "CON.json"] {
            assert!(titled_file_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_file_without_a_title_has_the_name_that_is_typed() {
        for (typed, file) in [(" Late shift ", "Late shift.json"), ("a.JSON", "a.JSON")] {
            assert_eq!(own_file_name(typed).expect("good"), file, "{typed:?}");
        }
        for bad in ["", "a/b", "a:b?", "x.checks", "con", ".git"] {
            let fault = own_file_name(bad).expect_err("refused");
            assert_eq!(fault.code(), "bad_name", "{bad:?}");
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
