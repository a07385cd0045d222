//! A comparison as a comment on a pull request: no longer than a screen, the differences folded.
//! Text of the registries is escaped, so that it neither formats, links nor mentions anyone.

use promptdeck_core::control_chars;
use promptdeck_population::impact::Impact;

use super::{text::word_diff, words};
use crate::plots::{percent, rolls};

const MAX_SECTIONS: usize = 8;
const MAX_FIELDS: usize = 4;
const MAX_PROBLEMS: usize = 5;
const MAX_CHANGES: usize = 3;

/// Lines of a difference, and characters of each.
const MAX_LINES: usize = 12;
const MAX_CHARS: usize = 240;

/// The comment.
pub fn comment((old, new): &(String, String), impact: &Impact) -> String {
    let mut text = format!(
        "**{} → {}: {}**\n",
        code(old),
        code(new),
        words::summary(impact)
    );
    let mut facts: Vec<String> = words::facts(impact);
    if let (Some(tokens), Some(tokenizer)) = (&impact.tokens, &impact.tokenizer) {
        facts.insert(
            0,
            format!(
                "{} tokens: {}",
                code(&tokenizer.name),
                words::changes(tokens)
            ),
        );
    }
    for (mark, problems) in [
        ("New problem", &impact.problems.added),
        ("Solved", &impact.problems.removed),
    ] {
        let listed = problems.iter().take(MAX_PROBLEMS);
        facts.extend(listed.map(|problem| format!("{mark}: {}", code(&problem.message))));
        if problems.len() > MAX_PROBLEMS {
            facts.push(format!("{mark}: {} more", problems.len() - MAX_PROBLEMS));
        }
    }
    if !facts.is_empty() {
        text.push('\n');
        for fact in facts {
            text.push_str(&format!("- {fact}\n"));
        }
    }
    if !impact.sections.is_empty() {
        text.push_str("\n| section | rolls changed | fields |\n|---|---:|---|\n");
        for section in impact.sections.iter().take(MAX_SECTIONS) {
            let mut fields: Vec<String> = section
                .fields
                .iter()
                .take(MAX_FIELDS)
                .map(|field| format!("{} {}", code(&field.field), percent(field.rolls.share)))
                .collect();
            if section.fields.len() > MAX_FIELDS {
                fields.push(format!("{} more", section.fields.len() - MAX_FIELDS));
            }
            text.push_str(&format!(
                "| {} | {} | {} |\n",
                code(&section.section),
                percent(section.rolls.share),
                fields.join(", ")
            ));
        }
        if impact.sections.len() > MAX_SECTIONS {
            let more = impact.sections.len() - MAX_SECTIONS;
            text.push_str(&format!("| {more} more | | |\n"));
        }
    }
    for change in impact.changes.iter().take(MAX_CHANGES) {
        let mut lines: Vec<String> = word_diff(change)
            .iter()
            .map(|line| shortened(&control_chars::escape(line)))
            .collect();
        let more = lines.len().saturating_sub(MAX_LINES);
        lines.truncate(MAX_LINES);
        if more > 0 {
            lines.push(format!("... {more} more lines"));
        }
        let fence = "`".repeat(longest_run(&lines).max(2) + 1);
        text.push_str(&format!(
            "\n<details><summary>seed {} ({})</summary>\n\n{fence}text\n{}\n{fence}\n\n</details>\n",
            change.seed,
            rolls(change.rolls),
            lines.join("\n")
        ));
    }
    text
}

/// A name as inline code: HTML, in which no character has a meaning and no name is a mention.
pub fn code(text: &str) -> String {
    let mut escaped = "<code>".to_owned();
    for char in control_chars::escape(text).chars() {
        match char {
            char if char.is_ascii_punctuation() && !matches!(char, '.' | ',' | '-') => {
                escaped.push_str(&format!("&#{};", u32::from(char)));
            }
            char => escaped.push(char),
        }
    }
    escaped + "</code>"
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}

/// The longest run of backticks; a longer fence encloses it.
fn longest_run(lines: &[String]) -> usize {
    let runs = lines.iter().flat_map(|line| line.split(|char| char != '`'));
    runs.map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_names() {
        assert_eq!(
            code("a|b`<i>@x"),
            "<code>a&#124;b&#96;&#60;i&#62;&#64;x</code>"
        );
        assert_eq!(code("a.b-c"), "<code>a.b-c</code>");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_encloses() {
        assert_eq!(longest_run(&["a ```` b".to_owned(), "`".to_owned()]), 4);
        assert_eq!(longest_run(&[]), 0);
    }
}
