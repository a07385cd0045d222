//! Differences for people: each line with a mark for unchanged, added or removed.

use promptdeck_service::wire::{Part, PartKind};

use crate::report::Report;

/// Lines to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// Every line.
    All,
    /// Changed lines only.
    Changed,
}

/// Appends the lines of a difference to a report, each with the prefix `before`.
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
