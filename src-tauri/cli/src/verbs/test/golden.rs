//! Golden texts of `test --update` and `--review`: the new text takes the place of the old one in the
//! file, which is replaced as a whole and only if no other program changed it.

use std::io::{self, BufRead as _};

use promptdeck_checks::GoldenUpdate;
use promptdeck_core::plural::plural;
use promptdeck_service::{diff, files::Expected, store::Hash};

use super::{Tested, Tester};
use crate::{
    difference::{self, Lines},
    failure::Failure,
    input,
    output::{self, Output},
    output_file, report,
};

/// Replaces the golden texts that do not hold, or those that the author accepts, and tests the changed
/// files again.
pub fn replace(
    tester: &Tester,
    tested: &mut [Tested],
    ask: bool,
    out: &mut Output,
) -> Result<(), Failure> {
    let mut review = ask.then(Review::default);
    for tested in tested {
        let mut updates = Vec::new();
        for verdict in &tested.report.checks {
            for update in GoldenUpdate::of(verdict) {
                let accepted = match &mut review {
                    Some(review) => {
                        review.accepts(&tested.report.file, &verdict.name, &update, out)?
                    }
                    None => true,
                };
                if accepted {
                    updates.push(update);
                }
            }
        }
        let (Some((document, bytes)), Some(path)) = (&tested.loaded.checks, &tested.deck.checks)
        else {
            continue;
        };
        if updates.is_empty() {
            continue;
        }
        let text = document.with_golden_texts(&updates);
        output_file::replace(path, &text, Expected::Content(Hash::of(bytes)))?;
        output::message(&format!(
            "{}: replaced {}",
            input::name_of(path),
            plural(updates.len(), "golden text")
        ));
        if let Some(again) = tester.test(std::slice::from_ref(&tested.deck)).0.pop() {
            *tested = again;
        }
    }
    Ok(())
}

/// Answers of the author so far.
#[derive(Default)]
struct Review {
    /// The answer for all that follow.
    rest: Option<bool>,
}

impl Review {
    /// Shows a golden text and the new one, and asks whether to accept it.
    fn accepts(
        &mut self,
        file: &str,
        check: &str,
        update: &GoldenUpdate,
        out: &mut Output,
    ) -> Result<bool, Failure> {
        if let Some(answer) = self.rest {
            return Ok(answer);
        }
        let mut printed = report::Report::default();
        printed.row(format_args!("{file}: {check}"));
        let parts = diff::text::lines(&update.old, &update.new);
        difference::lines(&mut printed, &parts, Lines::All, "  ");
        printed.row("accept? [y]es, [n]o, [a]ll, [q]uit");
        out.report(&printed)?;
        out.flush()?;
        loop {
            let mut answer = String::new();
            let read = io::stdin().lock().read_line(&mut answer);
            // At the end of the input nothing more is accepted.
            let answer = match read {
                Ok(1..) => answer.trim().to_lowercase(),
                _ => "q".to_owned(),
            };
            match answer.as_str() {
                "y" | "yes" => return Ok(true),
                "n" | "no" => return Ok(false),
                "a" | "all" => self.rest = Some(true),
                "q" | "quit" => self.rest = Some(false),
                _ => {
                    out.row("write y, n, a or q")?;
                    out.flush()?;
                }
            }
            if let Some(answer) = self.rest {
                return Ok(answer);
            }
        }
    }
}
