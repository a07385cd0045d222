//! Counts with their nouns, for messages.

/// A count and its noun, in the plural unless it is one.
///
/// ```
/// use promptdeck_core::plural::plural;
///
/// assert_eq!(plural(1, "entry"), "1 entry");
/// assert_eq!(plural(2, "entry"), "2 entries");
/// assert_eq!(plural(0, "key"), "0 keys");
/// ```
#[must_use]
pub fn plural(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}s"),
    }
}
