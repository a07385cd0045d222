//! The report of `chat inspect` for people.

use std::fmt::Write as _;

use promptdeck_core::{chat::inspect::Stability, registry::Place};
use promptdeck_service::{
    chat::inspector::{Conversation, Span},
    wire::{ChatProblem, ChatStability, ChatTrial},
};

use super::Answer;
use crate::{
    caret,
    difference::{self, Lines},
};

/// The most of a stretch of text that is shown, in characters.
const SHOWN: usize = 100;

/// Everything that was found, one thing to a line. Writing to a text cannot fail.
pub fn text(answer: &Answer) -> String {
    let mut text = report(answer);
    if let Some(conversation) = &answer.conversation {
        text.push('\n');
        told(conversation, &mut text);
    }
    if let Some(trials) = &answer.against {
        text += "\ncompared with the other:\n";
        for one in trials {
            trial(one, &mut text);
        }
    }
    text
}

fn report(answer: &Answer) -> String {
    let report = &answer.report.inspection;
    let mut text = format!("family: {}\n", report.family.name());
    let _ = writeln!(text, "generation prompt: {:?}", report.generation_prompt);
    let _ = writeln!(text, "end of an answer: {:?}", report.assistant_end_tag);
    if !report.variables.is_empty() {
        let _ = writeln!(text, "reads: {}", report.variables.join(", "));
    }
    for proof in &report.proofs {
        let holds = if proof.holds { "yes" } else { "no" };
        let _ = writeln!(text, "{}: {holds}", proof.capability);
    }
    for step in &report.polyfills {
        let _ = writeln!(text, "polyfill: {}", step.name());
    }
    let _ = match &report.stability {
        Stability::Stable => writeln!(text, "the text only grows at its end"),
        Stability::Unstable { instability } => writeln!(
            text,
            "message {} changes what was written before it, from byte {}: {:?} becomes {:?}",
            instability.message, instability.from, instability.before, instability.after
        ),
        Stability::Unknown { stability_error } => writeln!(
            text,
            "whether the text only grows at its end is not known: {}",
            stability_error.message
        ),
    };
    for remark in &report.remarks {
        let _ = writeln!(text, "{}: {}", remark.code, remark.message);
    }
    text
}

/// A conversation: its text message by message, and what there is to know of it.
fn told(own: &Conversation, text: &mut String) {
    if let Some(problem) = &own.problem {
        text.push_str("the conversation cannot be written down: ");
        told_problem(problem, text);
    }
    if let Some(output) = &own.output {
        written(own, output, text);
    }
    for polyfill in &own.polyfills {
        let done = match (polyfill.on, polyfill.changes.len()) {
            (false, _) => "switched off".to_owned(),
            (true, 0) => "changes nothing here".to_owned(),
            (true, 1) => "changes 1 message".to_owned(),
            (true, changes) => format!("changes {changes} messages"),
        };
        let _ = writeln!(text, "\npolyfill {}: {done}", polyfill.name);
        for change in &polyfill.changes {
            let _ = match change.message {
                Some(message) => writeln!(text, "  message {message}"),
                None => writeln!(text, "  a message of its own"),
            };
            *text += &difference::lines(&change.parts, Lines::All, "    ");
        }
    }
    for variable in &own.variables {
        let _ = match &variable.value {
            None => writeln!(text, "\nvariable {}: changes nothing here", variable.name),
            Some(value) => writeln!(text, "\nvariable {} = {value} changes:", variable.name),
        };
        *text += &difference::lines(&variable.parts, Lines::Changed, "    ");
    }
    text.push('\n');
    stability(&own.stability, text);
    for remark in &own.remarks {
        let _ = writeln!(text, "{}: {}", remark.code, remark.message);
    }
}

fn written(own: &Conversation, output: &str, text: &mut String) {
    let about = if own.exact { "" } else { "about " };
    let _ = writeln!(
        text,
        "text: {} bytes, {about}{} tokens ({})",
        output.len(),
        own.tokens,
        own.tokenizer
    );
    let marked = own.spans.iter().any(|span| span.generated);
    for message in &own.messages {
        let who = match message.message {
            Some(number) => format!("message {number}, {}", message.role),
            None if message.generation_prompt => "generation prompt".to_owned(),
            None => "a message of the format's own".to_owned(),
        };
        let _ = write!(
            text,
            "\n{who}: bytes {}..{}, {about}{} tokens",
            message.start, message.end, message.tokens
        );
        if !message.polyfills.is_empty() {
            let _ = write!(text, ", changed by {}", message.polyfills.join(" and "));
        }
        text.push('\n');
        let within = |span: &&Span| span.start >= message.start && span.end <= message.end;
        for span in own.spans.iter().filter(within) {
            let place = span.place.map_or(String::new(), |place| {
                format!("line {}:{}", place.line, place.column)
            });
            let generated = match (marked, span.generated) {
                (false, _) => "",
                (true, false) => "          ",
                (true, true) => "generated ",
            };
            let _ = writeln!(
                text,
                "  {place:<13}{generated}{}",
                escaped(&output[span.start..span.end])
            );
        }
    }
}

/// A stretch of text on one line.
fn escaped(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    let more = text.chars().count().saturating_sub(SHOWN);
    shown = format!("{shown:?}");
    if more > 0 {
        let _ = write!(shown, " and {more} more");
    }
    shown
}

fn stability(own: &ChatStability, text: &mut String) {
    let _ = match own {
        ChatStability::Stable => writeln!(text, "this conversation only grows at its end"),
        ChatStability::Unstable { broken } => {
            let _ = writeln!(
                text,
                "message {} changes what was written before it, from byte {}:",
                broken.message, broken.from
            );
            *text += &difference::lines(&broken.parts, Lines::Changed, "    ");
            Ok(())
        }
        ChatStability::Unknown { problem } => writeln!(
            text,
            "whether this conversation only grows at its end is not known: {}",
            problem.message
        ),
    };
}

fn told_problem(problem: &ChatProblem, text: &mut String) {
    let _ = writeln!(text, "{}", problem.message);
    if let (Some(place), Some(line)) = (problem.place, &problem.line) {
        let place = Place {
            line: place.line,
            column: place.column,
        };
        let _ = writeln!(text, "{}", caret::beneath(line, place));
    }
}

fn trial(own: &ChatTrial, text: &mut String) {
    let said = if own.same { "the same" } else { "differs" };
    let _ = writeln!(text, "  {}: {said}", own.name);
    for (side, problem) in [("this", &own.left), ("the other", &own.right)] {
        if let Some(problem) = problem {
            let _ = writeln!(text, "    {side} fails: {}", problem.message);
        }
    }
    *text += &difference::lines(&own.parts, Lines::Changed, "    ");
}
