//! Ordinary policies stay within the search limit on short and long texts.

use promptdeck_core::output::{CompiledPolicy, OutputPolicy};
use promptdeck_tests::policy_cases::ORDINARY;
use serde_json::json;

#[test]
fn ordinary_policies_run_on_large_texts() {
    let further = [
        r"(?s)<think>.*?</think>",
        r"(?P<q>['\x22]).{0,40}?(?P=q)",
        r"(?<=\s)#\w+",
        r"(?<!\w)_(\w+)_(?!\w)",
        r"\n{3,}",
        r"([!?])\1{3,}",
        r"[^\W\d_]{25,}",
    ];
    let forbidden = [
        r"(?i)\bas an? (?:ai|language model)\b",
        r"(?i)^i (?:can't|cannot|won't)",
        r"https?://\S+",
        r"\b\d{3}-\d{4}\b",
        r"(?<!\d)\d{16}(?!\d)",
        r"\{\{.*?\}\}",
        r"^(?=.*never)(?=.*ever since).*$",
        r"(?i)\b(?:kill|harm)\w*\b.{0,50}\b(?:people|person)\b",
    ];
    let strip = [&ORDINARY[..], &further].concat();
    let rules = json!({
        "strip_patterns": strip, "forbidden_patterns": forbidden,
        "require_patterns": [r"\w+", r"(?i)[aeiou]"],
    });
    let policy = OutputPolicy::from_map(rules.as_object().expect("an object")).expect("a policy");
    let compiled = CompiledPolicy::new(policy).expect("patterns compile");
    let plain = "1. The quick brown fox, 42 of them, jumped \"over\" the lazy dog's <b>bed</b>.\n";
    let accented = "Le renard brûlé, à l'été, a \"sauté\" par-dessus the fox d'à côté: déjà vu !\n";
    for unit in [plain, accented] {
        for length in [2_000, 60_000, 1 << 20] {
            let text = unit.repeat(length / unit.len());
            let verdict = compiled.apply(&text).expect("no limit");
            assert!(verdict.accepted, "{:?}", verdict.reason);
        }
    }
}
