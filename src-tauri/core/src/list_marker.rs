//! The marker before an entry of a list in plain text.

/// The most digits of a number that is a marker, as in `CommonMark`.
const MOST_DIGITS: usize = 9;

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
    after_bullet(line).or_else(|| numbered(line).map(|(_, text)| text))
}

/// The text after a bullet, and the spaces before it.
pub(crate) fn after_bullet(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let bullets = ["- ", "* ", "+ ", "• "];
    bullets.iter().find_map(|bullet| text.strip_prefix(bullet))
}

/// The number before an entry, and the text after it.
pub(crate) fn numbered(line: &str) -> Option<(u32, &str)> {
    let text = line.trim_start();
    let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    let rest = rest
        .strip_prefix(". ")
        .or_else(|| rest.strip_prefix(") "))?;
    let number = (digits.len() <= MOST_DIGITS).then(|| digits.parse().ok())?;
    Some((number?, rest))
}
