//! Prints the report of `chat inspect` as text.

use std::fmt::Write as _;

use promptdeck_chat::inspect::Stability;
use promptdeck_core::registry::Position;
use promptdeck_service::{
    chat::inspector::{Conversation, Span},
    wire::{ChatProblem, ChatStability, ChatTrial},
};

use super::Answer;
use crate::{
    difference::{self, Lines},
    report::Report,
    snippet,
};

/// Maximum length of a printed excerpt, in characters.
const MAX_EXCERPT: usize = 100;

/// All results, one per line.
pub fn report(answer: &Answer) -> Report {
    let mut report = Report::default();
    inspection(answer, &mut report);
    if let Some(conversation) = &answer.conversation {
        report.gap();
        conversation_rows(conversation, &mut report);
    }
    if let Some(trials) = &answer.against {
        report.gap();
        report.row("compared with the other:");
        for one in trials {
            trial(one, &mut report);
        }
    }
    report
}

fn inspection(answer: &Answer, report: &mut Report) {
    let found = &answer.report.inspection;
    report.row(format_args!("family: {}", found.family.name()));
    report.row(format_args!(
        "generation prompt: {:?}",
        found.generation_prompt
    ));
    report.row(format_args!(
        "end of an answer: {:?}",
        found.assistant_end_tag
    ));
    if !found.variables.is_empty() {
        report.row(format_args!("reads: {}", found.variables.join(", ")));
    }
    for proof in &found.proofs {
        let holds = if proof.holds { "yes" } else { "no" };
        report.row(format_args!("{}: {holds}", proof.capability));
    }
    for step in &found.polyfills {
        report.row(format_args!("polyfill: {}", step.name()));
    }
    match &found.stability {
        Stability::Stable => report.row("each message only appends text"),
        Stability::Unstable { instability } => report.row(format_args!(
            "message {} changes what was written before it, from byte {}: {:?} becomes {:?}",
            instability.message + 1,
            instability.from,
            instability.before,
            instability.after
        )),
        Stability::Unknown { stability_error } => report.row(format_args!(
            "prefix stability is unknown: {}",
            stability_error.message
        )),
    }
    for remark in &found.remarks {
        report.row(format_args!("{}: {}", remark.code, remark.message));
    }
}

/// A conversation: its text message by message, and the facts about it.
fn conversation_rows(conversation: &Conversation, report: &mut Report) {
    if let Some(problem) = &conversation.problem {
        problem_rows("the conversation cannot be rendered: ", problem, report);
    }
    if let Some(output) = &conversation.output {
        text_rows(conversation, output, report);
    }
    for polyfill in &conversation.polyfills {
        let done = match (polyfill.on, polyfill.changes.len()) {
            (false, _) => "switched off".to_owned(),
            (true, 0) => "changes nothing here".to_owned(),
            (true, 1) => "changes 1 message".to_owned(),
            (true, changes) => format!("changes {changes} messages"),
        };
        report.gap();
        report.row(format_args!("polyfill {}: {done}", polyfill.name));
        for change in &polyfill.changes {
            match change.message {
                Some(message) => report.row(format_args!("  message {}", message + 1)),
                None => report.row("  a message of its own"),
            }
            difference::lines(report, &change.parts, Lines::All, "    ");
        }
    }
    for variable in &conversation.variables {
        report.gap();
        match &variable.value {
            None => report.row(format_args!(
                "variable {}: changes nothing here",
                variable.name
            )),
            Some(value) => report.row(format_args!(
                "variable {} = {value} changes:",
                variable.name
            )),
        }
        difference::lines(report, &variable.parts, Lines::Changed, "    ");
    }
    report.gap();
    stability(&conversation.stability, report);
    for remark in &conversation.remarks {
        report.row(format_args!("{}: {}", remark.code, remark.message));
    }
}

fn text_rows(conversation: &Conversation, output: &str, report: &mut Report) {
    let about = if conversation.exact { "" } else { "about " };
    report.row(format_args!(
        "text: {} bytes, {about}{} tokens ({})",
        output.len(),
        conversation.tokens,
        conversation.tokenizer
    ));
    let marked = conversation.spans.iter().any(|span| span.generated);
    for message in &conversation.messages {
        let who = match message.message {
            Some(index) => format!("message {}, {}", index + 1, message.role),
            None if message.generation_prompt => "generation prompt".to_owned(),
            None => "a message of the format's own".to_owned(),
        };
        let mut row = format!(
            "{who}: bytes {}..{}, {about}{} tokens",
            message.start, message.end, message.tokens
        );
        if !message.polyfills.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(row, ", changed by {}", message.polyfills.join(" and "));
        }
        report.gap();
        report.row(row);
        let first = conversation
            .spans
            .partition_point(|span| span.start < message.start);
        let within = |span: &&Span| span.end <= message.end;
        for span in conversation.spans[first..].iter().take_while(within) {
            let place = span.place.map_or(String::new(), |place| {
                format!("line {}:{}", place.line, place.column)
            });
            let generated = match (marked, span.generated) {
                (false, _) => "",
                (true, false) => "          ",
                (true, true) => "generated ",
            };
            report.row(format_args!(
                "  {place:<13}{generated}{}",
                escaped(&output[span.start..span.end])
            ));
        }
    }
}

/// An excerpt of a text on one line.
fn escaped(text: &str) -> String {
    let mut excerpt: String = text.chars().take(MAX_EXCERPT).collect();
    let more = text.chars().count().saturating_sub(MAX_EXCERPT);
    excerpt = format!("{excerpt:?}");
    if more > 0 {
        let _ = write!(excerpt, " and {more} more");
    }
    excerpt
}

fn stability(stability: &ChatStability, report: &mut Report) {
    match stability {
        ChatStability::Stable => report.row("each message of this conversation only appends text"),
        ChatStability::Unstable { broken } => {
            report.row(format_args!(
                "message {} changes what was written before it, from byte {}:",
                broken.message + 1,
                broken.from
            ));
            difference::lines(report, &broken.parts, Lines::Changed, "    ");
        }
        ChatStability::Partial { checked, messages } => report.row(format_args!(
            "the first {checked} of {messages} messages only append text; the \
             rest was not checked: the template must be rendered from the start for each message"
        )),
        ChatStability::Unknown { problem } => report.row(format_args!(
            "prefix stability of this conversation is unknown: {}",
            problem.message
        )),
    }
}

fn problem_rows(what: &str, problem: &ChatProblem, report: &mut Report) {
    report.row(format_args!("{what}{}", problem.message));
    if let (Some(place), Some(line)) = (problem.place, &problem.line) {
        let place = Position {
            line: place.line,
            column: place.column,
        };
        report.drawn(&snippet::beneath(line, place));
    }
}

fn trial(trial: &ChatTrial, report: &mut Report) {
    let verdict = if trial.same { "the same" } else { "differs" };
    report.row(format_args!("  {}: {verdict}", trial.name));
    for (side, problem) in [("this", &trial.left), ("the other", &trial.right)] {
        if let Some(problem) = problem {
            report.row(format_args!("    {side} fails: {}", problem.message));
        }
    }
    difference::lines(report, &trial.parts, Lines::Changed, "    ");
}
