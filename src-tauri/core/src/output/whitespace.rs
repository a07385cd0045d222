//! Collapsing the whitespace of a generated text.

/// Collapses runs of spaces and tabs into one space, removes them before a newline, and allows two
/// newlines in a row.
pub(super) fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut space = false;
    let mut newlines = 0;
    for character in text.chars() {
        match character {
            ' ' | '\t' => space = true,
            '\n' => {
                space = false;
                newlines += 1;
                if newlines <= 2 {
                    out.push('\n');
                }
            }
            other => {
                if space {
                    out.push(' ');
                }
                space = false;
                newlines = 0;
                out.push(other);
            }
        }
    }
    if space {
        out.push(' ');
    }
    out
}
