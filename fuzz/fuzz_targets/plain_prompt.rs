//! Plain prompts: whatever is accepted prints the text, but for the white space that the report lists.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_core::import::plain_prompt::{import, outline, propose};
use promptdeck_core::registry::{canonical, parse};

fuzz_target!(|bytes: &[u8]| {
    let Ok(imported) = import(bytes) else {
        return;
    };
    let parsed = parse(imported.text.as_bytes()).expect("an import is a registry");
    assert_eq!(canonical::format(&parsed.document), imported.text);
    let text = std::str::from_utf8(bytes).expect("it was read");
    let split = propose(text).expect("it was split");
    outline(text, &split).expect("a proposal fits its text");
});
