//! JSON pointers: built step by step, and as messages show them, long ones with their middle left
//! out.

use std::borrow::Cow;

/// The most characters of a pointer that a message shows.
const MAX_CHARS: usize = 120;

/// Appends one reference token to a JSON pointer.
///
/// ```
/// let mut pointer = "/sections".to_owned();
/// promptdeck_json::push_step(&mut pointer, "a/b");
/// assert_eq!(pointer, "/sections/a~1b");
/// ```
pub fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    for character in step.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// The same text with its middle left out when it is too long for a message; both ends are what
/// tells where a value stands. A pointer is cut between its steps where that is possible.
#[must_use]
pub fn abridged(pointer: &str) -> Cow<'_, str> {
    if pointer.len() <= MAX_CHARS {
        return Cow::Borrowed(pointer);
    }
    let half = MAX_CHARS / 2;
    let head = &pointer[..pointer.floor_char_boundary(half)];
    let tail = &pointer[pointer.ceil_char_boundary(pointer.len() - half)..];
    let head = head
        .rfind('/')
        .filter(|at| *at > 0)
        .map_or(head, |at| &head[..at]);
    let tail = tail.find('/').map_or(tail, |at| &tail[at..]);
    let slash = if tail.starts_with('/') { "/" } else { "" };
    Cow::Owned(format!("{head}{slash}...{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_pointers_lose_their_middle() {
        assert_eq!(abridged("/a/b"), "/a/b");
        let deep = "/key".repeat(100);
        let shortened = abridged(&deep);
        assert!(shortened.len() <= MAX_CHARS + 4, "{shortened}");
        assert!(
            shortened.starts_with("/key/key/") && shortened.ends_with("/key/key"),
            "{shortened}"
        );
        assert!(shortened.contains("/key/.../key/"), "{shortened}");
        let long = abridged(&"ä".repeat(1_000)).into_owned();
        assert!(
            long.len() <= MAX_CHARS + 4 && long.contains("ä...ä"),
            "{long}"
        );
    }
}
