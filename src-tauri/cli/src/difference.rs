//! Differences for people: every line behind a mark that says what became of it.

use promptdeck_service::wire::{Part, PartKind};

use crate::report::Report;

/// Which lines are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// All of them.
    All,
    /// Those that changed.
    Changed,
}

/// The lines of a difference, each behind `before`, added to a report.
pub fn lines(report: &mut Report, parts: &[Part], which: Lines, before: &str) {
    for stretch in parts.chunk_by(|one, next| one.kind == next.kind) {
        let mark = match stretch[0].kind {
            PartKind::Same if which == Lines::Changed => continue,
            PartKind::Same => ' ',
            PartKind::Removed => '-',
            PartKind::Added => '+',
        };
        let lines: String = stretch.iter().map(|part| part.text.as_str()).collect();
        for line in lines.lines() {
            report.row(format_args!("{before}{mark}{line}"));
        }
    }
}
