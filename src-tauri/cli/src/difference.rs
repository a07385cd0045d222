//! Differences for people: every line behind a mark that says what became of it.

use promptdeck_service::wire::{Part, PartKind};

/// Which lines are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// All of them.
    All,
    /// Those that changed.
    Changed,
}

/// The lines of a difference, each behind `before`.
pub fn lines(parts: &[Part], which: Lines, before: &str) -> String {
    let mut text = String::new();
    for stretch in parts.chunk_by(|one, next| one.kind == next.kind) {
        let mark = match stretch[0].kind {
            PartKind::Same if which == Lines::Changed => continue,
            PartKind::Same => ' ',
            PartKind::Removed => '-',
            PartKind::Added => '+',
        };
        let lines: String = stretch.iter().map(|part| part.text.as_str()).collect();
        for line in lines.lines() {
            text += before;
            text.push(mark);
            text += line;
            text.push('\n');
        }
    }
    text
}
