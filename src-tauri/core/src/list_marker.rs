//! The marker before an entry of a list in plain text.

/// The text after a bullet or a number, and the spaces before it; `None` where there is no marker.
///
/// # Examples
///
/// ```
/// use promptdeck_core::list_marker::after;
///
/// assert_eq!(after("  * Be brief."), Some("Be brief."));
/// assert_eq!(after("12) Be brief."), Some("Be brief."));
/// assert_eq!(after("1.5 litres"), None);
/// ```
#[must_use]
pub fn after(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let bullets = ["- ", "* ", "+ ", "• "];
    if let Some(rest) = bullets.iter().find_map(|bullet| text.strip_prefix(bullet)) {
        return Some(rest);
    }
    let number = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let is_numbered = number.len() < text.len();
    let rest = number
        .strip_prefix(". ")
        .or_else(|| number.strip_prefix(") "));
    rest.filter(|_| is_numbered)
}
