//! The name of a file of checks: `NAME.checks.json` beside the registry `NAME.json`.

/// How the name of a file of checks ends.
pub const SUFFIX: &str = ".checks.json";

/// Whether a file name is that of a file of checks. Letter case does not count.
///
/// ```
/// use promptdeck_checks::is_checks_name;
///
/// assert!(is_checks_name("host.checks.json"));
/// assert!(!is_checks_name("host.json") && !is_checks_name(".checks.json"));
/// ```
#[must_use]
pub fn is_checks_name(name: &str) -> bool {
    stem(name).is_some()
}

/// The name of the registry that a file of checks belongs to.
#[must_use]
pub fn registry_name(checks: &str) -> Option<String> {
    stem(checks).map(|stem| format!("{stem}.json"))
}

/// The name of the file of checks of a registry; `None` for a name that does not end in `.json`.
#[must_use]
pub fn checks_name(registry: &str) -> Option<String> {
    let stem = without(registry, ".json").filter(|_| !is_checks_name(registry))?;
    Some(format!("{stem}{SUFFIX}"))
}

fn stem(name: &str) -> Option<&str> {
    without(name, SUFFIX)
}

fn without<'a>(name: &'a str, ending: &str) -> Option<&'a str> {
    let at = name.len().checked_sub(ending.len()).filter(|at| *at > 0)?;
    let (stem, end) = name.split_at_checked(at)?;
    end.eq_ignore_ascii_case(ending).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_stand_beside_their_registry() {
        let check = |registry: &str, checks: Option<&str>| {
            assert_eq!(checks_name(registry).as_deref(), checks, "{registry}");
        };
        check("a.json", Some("a.checks.json"));
        check("a.JSON", Some("a.checks.json"));
        check("a.b.json", Some("a.b.checks.json"));
        check("a.checks.json", None);
        check("a.txt", None);
        check(".json", None);
        check("ä", None);
        assert_eq!(registry_name("é.Checks.json").as_deref(), Some("é.json"));
        assert_eq!(registry_name("a.json"), None);
    }
}
