//! Letter case as Python's `re.IGNORECASE` sees it, spelled out as sets.
//!
//! Python compares simple lower-case forms and knows which lower-case letters
//! share an upper-case one; that is Unicode's simple case folding, and beyond
//! it the dotted and dotless i, which Python takes for one letter.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// The four letters Python treats as one and simple folding does not.
const DOTTED_AND_DOTLESS_I: [char; 4] = ['I', 'i', '\u{130}', '\u{131}'];

/// Adds to `ranges` (inclusive code points) every character that differs from
/// one of them in case only. With `ascii`, only A to Z have case.
pub(super) fn expand(ranges: &mut Vec<(u32, u32)>, ascii: bool) {
    if ascii {
        let mut other_case = Vec::new();
        for &(low, high) in ranges.iter() {
            for (from, to) in [(0x41, 0x5A), (0x61, 0x7A)] {
                let (low, high) = (low.max(from), high.min(to));
                if low <= high {
                    // The two cases of an ASCII letter differ in this bit.
                    other_case.push((low ^ 0x20, high ^ 0x20));
                }
            }
        }
        ranges.extend(other_case);
        return;
    }
    let mut class = ClassUnicode::new(
        scalar_ranges(ranges)
            .into_iter()
            .map(|(low, high)| ClassUnicodeRange::new(low, high)),
    );
    if class.try_case_fold_simple().is_err() {
        return;
    }
    let holds = |letter: char| {
        class
            .iter()
            .any(|range| (range.start()..=range.end()).contains(&letter))
    };
    let all_four = DOTTED_AND_DOTLESS_I.into_iter().any(holds);
    *ranges = class
        .iter()
        .map(|range| (u32::from(range.start()), u32::from(range.end())))
        .collect();
    if all_four {
        ranges.extend(DOTTED_AND_DOTLESS_I.map(|letter| (u32::from(letter), u32::from(letter))));
    }
}

/// The same ranges without the surrogates, which no text can hold.
pub(super) fn scalar_ranges(ranges: &[(u32, u32)]) -> Vec<(char, char)> {
    let mut scalars = Vec::new();
    for &(low, high) in ranges {
        let parts = [(low, high.min(0xD7FF)), (low.max(0xE000), high)];
        for (low, high) in parts {
            if let (true, Some(low), Some(high)) =
                (low <= high, char::from_u32(low), char::from_u32(high))
            {
                scalars.push((low, high));
            }
        }
    }
    scalars
}
