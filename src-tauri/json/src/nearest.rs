//! The known name nearest to one that is not known, for "did you mean".

use strsim::osa_distance;

/// Longer names are not compared: a typing error in them is not what went wrong.
const MAX_CHARS: usize = 64;

/// How many known names are compared at most.
const MAX_KNOWN: usize = 10_000;

/// The known name that is nearest to `name`, when it is near enough to be meant: at most a third of
/// its characters differ. Letter case does not count. Of equally near names the first is given.
///
/// ```
/// use promptdeck_json::nearest::nearest;
///
/// let known = ["selections", "sliders"];
/// assert_eq!(nearest("selection", known), Some("selections"));
/// assert_eq!(nearest("seed", known), None);
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().take(MAX_CHARS + 1).count();
    if length > MAX_CHARS {
        return None;
    }
    let name = name.to_lowercase();
    let limit = (length / 3).max(1);
    known
        .into_iter()
        .take(MAX_KNOWN)
        .filter(|other| {
            let other = other.chars().take(MAX_CHARS + 1).count();
            other.abs_diff(length) <= limit
        })
        .map(|other| (osa_distance(&name, &other.to_lowercase()), other))
        .filter(|(distance, _)| *distance <= limit && *distance < length)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// The end of a message about an unknown name: the nearest known name, or nothing.
#[must_use]
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    hint(nearest(name, known))
}

/// The end of a message about an unknown name whose nearest known name was looked up.
#[must_use]
pub fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |other| format!("; did you mean {other:?}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["selections", "array_modes", "sliders", "seed"];
        let check = |name: &str, expected| assert_eq!(nearest(name, known), expected, "{name}");
        check("selection", Some("selections"));
        check("Sliders", Some("sliders"));
        check("slidres", Some("sliders"));
        check("sede", Some("seed"));
        check("arrays", None);
        check("", None);
        check("x", None);
        check(&"s".repeat(100_000), None);
        assert_eq!(did_you_mean("sede", known), "; did you mean \"seed\"?");
    }
}
