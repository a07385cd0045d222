//! Templates and wildcards of sd-dynamic-prompts: read within bounds, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_core::import::dynamic_prompt::{Wildcards, import_template, import_wildcards};
use promptdeck_core::registry::parse;

fuzz_target!(|input: (&[u8], &[u8])| {
    let (template, list) = input;
    for file in ["w.txt", "w.yaml", "w.json"] {
        if let Ok(imported) = import_wildcards(file, list) {
            parse(imported.text.as_bytes()).expect("an import is a registry");
        }
        let mut wildcards = Wildcards::default();
        if wildcards.add(file, list).is_ok()
            && let Ok(imported) = import_template(template, &wildcards)
        {
            parse(imported.text.as_bytes()).expect("an import is a registry");
        }
    }
});
