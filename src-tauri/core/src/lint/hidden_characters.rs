//! Characters that a window does not show but a model receives: bidirectional controls, zero-width
//! characters and C0 controls. Those that emoji or scripts need are left alone.

use std::collections::BTreeMap;

use super::{
    DataKey, DiagnosticData, Findings, Pointer, Section, codes, item_data, title, variables::texts,
};
use crate::registry::is_substituted;

pub(super) fn check(section: &Section, findings: &mut Findings) {
    for (index, item) in section.items().iter().enumerate() {
        let of_item = Pointer::item(section, index);
        for (field, value) in item.fields() {
            if is_substituted(field) {
                texts(value, &|| of_item.key(field), &mut |text, pointer| {
                    let data = || item_data(section, index);
                    check_text(text, &title(section, index), pointer, &data, findings);
                });
            }
        }
    }
    let defaults = section.defaults();
    let of_section = Pointer::to(section.name());
    let data = || DiagnosticData::of(DataKey::Section, section.name());
    let mut check = |text: &str, key: &str, name: Option<&str>| {
        let pointer = || match name {
            Some(name) => of_section.key(key).key(name),
            None => of_section.key(key),
        };
        check_text(text, section.name(), &pointer, &data, findings);
    };
    for (name, text) in &defaults.template_var_defaults {
        check(text, "template_var_defaults", Some(name));
    }
    if let Some(text) = &defaults.scale_template {
        check(text, "scale_template", None);
    }
}

/// Adds a finding for each hidden character of a text, with its count.
fn check_text(
    text: &str,
    owner: &str,
    pointer: &dyn Fn() -> Pointer,
    data: &dyn Fn() -> DiagnosticData,
    findings: &mut Findings,
) {
    // Most texts have none: one pass over the bytes tells.
    if text
        .bytes()
        .all(|byte| (0x20..0x7f).contains(&byte) || byte == b'\n')
    {
        return;
    }
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    for character in hidden(text) {
        *counts.entry(character).or_default() += 1;
    }
    for (character, count) in counts {
        let point = format!("U+{:04X}", u32::from(character));
        let times = if count == 1 {
            String::new()
        } else {
            format!(" ({count} times)")
        };
        let message = format!(
            "{owner} has {point}, {}, which is not shown but sent to the model{times}: delete it if \
             it is not meant",
            kind(character)
        );
        let data = data()
            .with(DataKey::Found, point)
            .with_some(DataKey::Count, (count > 1).then_some(count));
        findings.warning(codes::HIDDEN_CHARACTER, &pointer(), message, data);
    }
}

fn kind(character: char) -> &'static str {
    match character {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}' => {
            "a bidirectional control"
        }
        '\0'..='\u{1f}' | '\u{7f}' => "a control character",
        _ => "a zero-width character",
    }
}

/// The hidden characters of a text that nothing around them needs.
fn hidden(text: &str) -> impl Iterator<Item = char> {
    let right_to_left = text.chars().any(is_right_to_left);
    let mut before = None;
    let mut tagged = false;
    text.chars().filter(move |&next| {
        let previous = before.replace(next);
        tagged = next == '\u{1f3f4}' || (tagged && is_tag(next));
        match next {
            '\t' | '\n' | '\r' => false,
            '\0'..='\u{1f}' | '\u{7f}' => true,
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
            // Marks set apart what is written from the right from what is not.
            '\u{200e}' | '\u{200f}' | '\u{61c}' => !right_to_left,
            // Joiners: between emoji, and in scripts whose letters join.
            '\u{200c}' | '\u{200d}' => !previous.is_some_and(joins),
            '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => !previous.is_some_and(varies),
            // Word breaks in scripts without spaces.
            '\u{200b}' => !previous.is_some_and(has_no_spaces),
            // The flags of regions are spelled in tags behind a black flag.
            _ if is_tag(next) => !tagged,
            '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{34f}' | '\u{180e}' => true,
            '\u{fff9}'..='\u{fffb}' => true,
            _ => false,
        }
    })
}

fn is_tag(character: char) -> bool {
    ('\u{e0000}'..='\u{e007f}').contains(&character)
}

fn is_right_to_left(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{61b}' | '\u{61d}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Whether a joiner may follow: scripts from Hebrew on that join letters, and symbols.
fn joins(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{1fff}' | '\u{2190}'..='\u{2bff}' | '\u{a840}'..='\u{abff}'
        | '\u{fb50}'..='\u{fdff}' | '\u{fe0f}' | '\u{fe70}'..='\u{fefe}' | '\u{10a00}'..='\u{1ffff}')
}

/// Whether a variation selector may follow: keycaps, symbols, ideographs and other letters; not
/// plain Latin, and not another selector.
fn varies(character: char) -> bool {
    match character {
        '0'..='9' | '#' | '*' => true,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e01ef}' | '\u{200b}'..='\u{200f}' => false,
        _ => !character.is_ascii() && !character.is_whitespace(),
    }
}

fn has_no_spaces(character: char) -> bool {
    matches!(character, '\u{e00}'..='\u{eff}' | '\u{f00}'..='\u{fff}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}' | '\u{1950}'..='\u{1aff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use super::hidden;

    #[test]
    fn what_emoji_and_scripts_need_is_not_hidden() {
        for text in [
            "plain\ttext\r\n",
            "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f}\u{200d}🔥 1\u{fe0f}\u{20e3} ©\u{fe0f} 👍🏽",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "می\u{200c}خواهم क्\u{200d}ष",
            "שלום (C++\u{200e}) عربي\u{200f}!",
            "ภาษา\u{200b}ไทย",
            "葛\u{e0100}",
        ] {
            assert_eq!(hidden(text).count(), 0, "{text:?}");
        }
    }

    #[test]
    fn characters_that_only_hide_are_found() {
        for (text, expected) in [
            ("\u{202e}evil\u{202c}", "\u{202e}\u{202c}"),
            ("\u{2066}a\u{2069}", "\u{2066}\u{2069}"),
            ("a\0b\u{8}\u{1b}", "\0\u{8}\u{1b}"),
            (
                "pass\u{200b}word\u{2060}\u{feff}",
                "\u{200b}\u{2060}\u{feff}",
            ),
            ("a\u{200d}b\u{200c}", "\u{200d}\u{200c}"),
            ("a\u{fe0f} ❤\u{fe0f}\u{fe0e}", "\u{fe0f}\u{fe0e}"),
            ("Latin\u{200f}", "\u{200f}"),
            ("hi\u{e0041}", "\u{e0041}"),
        ] {
            assert_eq!(hidden(text).collect::<String>(), expected, "{text:?}");
        }
    }
}
