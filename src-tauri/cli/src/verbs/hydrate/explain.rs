//! Prints the evaluation as a table: for each section the values used and why, for each token its
//! outcome. The JSON form has the same facts.

use promptdeck_core::hydrate::{
    ArrayEvaluation, Evaluation, Hydration, Origin, TokenOutcome, TokenReport,
};
use serde::Serialize;

use crate::report::{Report, cell};

/// The table.
pub fn table(hydration: &Hydration) -> Report {
    let mut rows = section_rows(&hydration.evaluation);
    rows.push([String::new(), String::new(), String::new()]);
    rows.extend(hydration.tokens.iter().map(|report| {
        [
            report.token.clone(),
            outcome(&report.outcome, &hydration.tokens),
            String::new(),
        ]
    }));
    for column in rows.iter_mut().flatten() {
        *column = cell(column);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let (first, second) = (width(0).unwrap_or(0), width(1).unwrap_or(0));
    let mut table = Report::default();
    table.row(format_args!("seed {}", hydration.seed));
    for [name, used, reason] in &rows {
        let row = format!("{name:first$}  {used:second$}  {reason}");
        table.row(row.trim_end());
    }
    table
}

type Row = [String; 3];

fn section_rows(evaluation: &Evaluation) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, section) in &evaluation.sections {
        let selection: Vec<String> = section
            .items
            .iter()
            .map(|item| {
                item.id
                    .clone()
                    .unwrap_or_else(|| format!("#{}", item.index + 1))
            })
            .collect();
        let used = if selection.is_empty() {
            "none".to_owned()
        } else {
            selection.join(", ")
        };
        let filtered = if section.filtered {
            ", left out by an injection"
        } else {
            ""
        };
        rows.push([
            name.clone(),
            used,
            format!("{}{filtered}", word(&section.origin)),
        ]);
        if section.slider.origin != Origin::Default {
            let value = section.slider.value.to_string();
            rows.push(["  slider".to_owned(), value, word(&section.slider.origin)]);
        }
        let arrays = evaluation
            .arrays
            .iter()
            .filter(|array| array.section == *name);
        rows.extend(
            arrays
                .filter(|array| array.origin != Origin::Default)
                .map(array_row),
        );
    }
    rows
}

fn array_row(array: &ArrayEvaluation) -> Row {
    let used: Vec<String> = array.selected.iter().map(usize::to_string).collect();
    let used = if used.is_empty() {
        "none".to_owned()
    } else {
        used.join(", ")
    };
    [
        format!("  {}", array.field),
        format!("{}: {used} of {}", array.mode, array.total),
        word(&array.origin),
    ]
}

fn outcome(outcome: &TokenOutcome, tokens: &[TokenReport]) -> String {
    match outcome {
        TokenOutcome::Rendered => "rendered".to_owned(),
        TokenOutcome::Merged { into } => {
            let list = tokens
                .get(*into)
                .map_or("the list above", |report| &report.token);
            format!("merged into {list}")
        }
        TokenOutcome::Dropped { reason } => format!("dropped: {}", word(reason)),
        TokenOutcome::Filtered { by } => format!("filtered by {}", by.join(", ")),
    }
}

/// The JSON name of a value, with spaces for underscores.
fn word(value: &impl Serialize) -> String {
    let name = serde_json::to_value(value).unwrap_or_default();
    name.as_str().unwrap_or_default().replace('_', " ")
}
