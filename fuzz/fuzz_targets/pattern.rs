//! Python patterns: the first line is the pattern, the rest the text it is run on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_pattern::Pattern;

fuzz_target!(|input: &str| {
    let (pattern, text) = input.split_once('\n').unwrap_or((input, ""));
    if let Ok(search) = Pattern::for_search(pattern) {
        let _ = search.is_match(text);
    }
    if let Ok(removal) = Pattern::for_removal(pattern)
        && let Ok(kept) = removal.remove_all(text)
    {
        assert!(kept.len() <= text.len());
    }
});
