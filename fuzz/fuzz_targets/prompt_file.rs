//! Prompt files: YAML settings and templates, read within bounds or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use promptdeck_core::import::prompt_file::{import_dotprompt, import_jinja, import_prompty};
use promptdeck_core::registry::parse;

fuzz_target!(|bytes: &[u8]| {
    for import in [import_dotprompt, import_prompty, import_jinja] {
        if let Ok(imported) = import(bytes) {
            parse(imported.text.as_bytes()).expect("an import is a registry");
        }
    }
});
