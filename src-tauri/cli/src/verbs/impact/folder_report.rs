//! The comparison of two folders as text, JSON and Markdown.

use promptdeck_core::control_chars;
use promptdeck_population::impact::Impact;
use serde::Serialize;

use super::{
    Pair,
    folders::{FileComparison, FileStatus, FolderComparison},
    markdown::{self, code},
    text, words,
};
use crate::{
    failure::ErrorReport,
    plots::{Ink, percent},
    report::Report,
};

/// Rows of the table in a comment, and registries whose changes it folds.
const MAX_ROWS: usize = 12;
const MAX_FOLDED: usize = 3;

/// A folder's comparison as JSON.
#[derive(Serialize)]
pub struct FolderJson<'a> {
    old: &'a str,
    new: &'a str,
    /// Number of registries with the same bytes and name in both.
    same: usize,
    registries: Vec<FileJson<'a>>,
}

#[derive(Serialize)]
struct FileJson<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_file: Option<&'a str>,
    #[serde(flatten)]
    status: FileStatusJson<'a>,
}

#[derive(Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
enum FileStatusJson<'a> {
    Compared(Box<Pair<'a>>),
    Added,
    Deleted,
    /// With the error of the old version.
    NotCompared {
        error: &'a ErrorReport,
    },
    Unreadable {
        error: &'a ErrorReport,
    },
}

/// The comparison for programs.
pub fn json<'a>(
    (old, new): &'a (String, String),
    comparison: &'a FolderComparison,
) -> FolderJson<'a> {
    let registries = comparison.files.iter().map(|file| FileJson {
        file: &file.file,
        old_file: file.old_file.as_deref(),
        status: match &file.status {
            FileStatus::Compared(impact) => FileStatusJson::Compared(Box::new(Pair::of(impact))),
            FileStatus::Added => FileStatusJson::Added,
            FileStatus::Deleted => FileStatusJson::Deleted,
            FileStatus::NotCompared(error) => FileStatusJson::NotCompared { error },
            FileStatus::Unreadable(error) => FileStatusJson::Unreadable { error },
        },
    });
    FolderJson {
        old,
        new,
        same: comparison.same,
        registries: registries.collect(),
    }
}

/// The comparison for people.
pub fn text((old, new): &(String, String), comparison: &FolderComparison, ink: Ink) -> Vec<Report> {
    let mut first = Report::default();
    first.row(format_args!("{old} to {new}: {}", comparison.summary()));
    for file in &comparison.files {
        match &file.status {
            FileStatus::Added => first.row(format_args!("  new: {}", file.file)),
            FileStatus::Deleted => first.row(format_args!("  deleted: {}", file.file)),
            FileStatus::NotCompared(_) => first.row(format_args!("  not compared: {}", file.file)),
            // What is unreadable is an error of its own.
            FileStatus::Compared(_) | FileStatus::Unreadable(_) => {}
        }
    }
    let mut reports = vec![first];
    for (file, impact) in comparison.compared() {
        let mut gap = Report::default();
        gap.gap();
        reports.extend([gap, text::report(&names_of(file), impact, ink)]);
    }
    reports
}

/// The comparison as a comment on a pull request: a line, a table, and the largest changes folded.
pub fn comment(comparison: &FolderComparison) -> String {
    let mut text = format!("**Promptdeck: {}**\n", comparison.summary());
    if comparison.files.is_empty() {
        return text;
    }
    let mut rows: Vec<&FileComparison> = comparison.files.iter().collect();
    // What cannot be read comes first, then the largest changes.
    rows.sort_by(|one, other| rank(other).total_cmp(&rank(one)));
    text.push_str(
        "\n| registry | rolls changed | median tokens | new problems |\n|---|---:|---:|---:|\n",
    );
    for file in rows.iter().take(MAX_ROWS) {
        text.push_str(&row(file));
    }
    if rows.len() > MAX_ROWS {
        text.push_str(&format!("| {} more | | | |\n", rows.len() - MAX_ROWS));
    }
    let changed = rows.iter().filter_map(|file| match &file.status {
        FileStatus::Compared(impact) if impact.changed.rolls > 0 => Some((file, impact)),
        _ => None,
    });
    for (file, impact) in changed.take(MAX_FOLDED) {
        text.push_str(&format!(
            "\n<details><summary>{}</summary>\n\n{}\n</details>\n",
            code(&file.file),
            markdown::comment(&names_of(file), impact)
        ));
    }
    text
}

/// The names of both versions.
fn names_of(file: &FileComparison) -> (String, String) {
    let old = file.old_file.as_ref().unwrap_or(&file.file);
    (old.clone(), file.file.clone())
}

/// Sort key of a registry in the table, highest first.
fn rank(file: &FileComparison) -> f64 {
    match &file.status {
        FileStatus::Unreadable(_) => 4.0,
        FileStatus::NotCompared(_) => 3.0,
        FileStatus::Compared(impact) if impact.changed.rolls > 0 => 1.0 + impact.changed.share,
        FileStatus::Added | FileStatus::Deleted => 1.0,
        FileStatus::Compared(_) => 0.0,
    }
}

fn row(file: &FileComparison) -> String {
    let name = match &file.old_file {
        Some(old) => format!("{} → {}", code(old), code(&file.file)),
        None => code(&file.file),
    };
    let (rolls, tokens, problems) = match &file.status {
        FileStatus::Added => ("new".to_owned(), String::new(), String::new()),
        FileStatus::Deleted => ("deleted".to_owned(), String::new(), String::new()),
        FileStatus::Unreadable(error) => return faulty(&name, "unreadable", error),
        FileStatus::NotCompared(error) => {
            return faulty(&name, "not compared, old version unreadable", error);
        }
        FileStatus::Compared(impact) => cells(impact),
    };
    format!("| {name} | {rolls} | {tokens} | {problems} |\n")
}

/// The row of a registry with an error.
fn faulty(name: &str, reason: &str, error: &ErrorReport) -> String {
    let message = control_chars::escape(&error.message);
    format!("| {name} | {reason}: {} | | |\n", code(&message))
}

fn cells(impact: &Impact) -> (String, String, String) {
    let rolls = match impact.changed.rolls {
        0 => "none".to_owned(),
        _ => percent(impact.changed.share),
    };
    let tokens = match (&impact.tokens, impact.changed.rolls) {
        (Some(tokens), 1..) => words::signed(tokens.median),
        _ => String::new(),
    };
    let problems = match impact.problems.added.len() {
        0 => String::new(),
        added => added.to_string(),
    };
    (rolls, tokens, problems)
}
