//! The words of a comparison, the same in text and in Markdown.

use promptdeck_population::{
    distribution::Distribution,
    impact::{Impact, SideReport},
};

use crate::{
    plots::{grouped, percent},
    rendering::UNRENDERED,
};

/// The result in one line.
pub fn summary(impact: &Impact) -> String {
    let all = grouped(impact.rolls);
    if impact.changed.rolls == 0 {
        return format!("{all} of {all} rolls identical");
    }
    let mut line = format!(
        "changes {} of rolls ({} of {all})",
        percent(impact.changed.share),
        grouped(impact.changed.rolls)
    );
    if let Some(tokens) = &impact.tokens {
        line.push_str(&format!(", median {} tokens", signed(tokens.median)));
    }
    line
}

/// A number with its sign.
pub fn signed(number: i64) -> String {
    match number {
        0 => "0".to_owned(),
        number if number > 0 => format!("+{}", grouped(number.unsigned_abs())),
        number => format!("-{}", grouped(number.unsigned_abs())),
    }
}

/// A distribution of changes in one line.
pub fn changes(distribution: &Distribution) -> String {
    let Distribution {
        min,
        p5,
        median,
        p95,
        max,
        ..
    } = *distribution;
    format!(
        "min {}, 5 % {}, median {}, 95 % {}, max {}",
        signed(min),
        signed(p5),
        signed(median),
        signed(p95),
        signed(max)
    )
}

/// Everything else that is worth a line.
pub fn facts(impact: &Impact) -> Vec<String> {
    let mut lines = Vec::new();
    if impact.rendered == Some(false) {
        lines.push(UNRENDERED.to_owned());
    }
    if impact.order_only.rolls > 0 {
        lines.push(format!(
            "order or whitespace alone changes in {} of rolls",
            percent(impact.order_only.share)
        ));
    }
    if let Some(budget) = &impact.budget {
        lines.push(format!(
            "budget of {} tokens: {} of rolls rise above it, {} fall below it",
            grouped(budget.budget),
            percent(budget.above.share),
            percent(budget.below.share)
        ));
    }
    if let (Some(before), Some(after)) = (shared(&impact.before), shared(&impact.after)) {
        let unchanged = before == after;
        lines.push(match unchanged {
            true => format!("all rolls share {before} from the start, as before"),
            false => format!("all rolls share {after} from the start, {before} before"),
        });
    }
    let (before, after) = (&impact.before, &impact.after);
    for (what, before, after) in [
        ("print nothing", before.empty, after.empty),
        (
            "satisfy not all requires and excludes",
            before.conflicts,
            after.conflicts,
        ),
    ] {
        if before.rolls != after.rolls {
            lines.push(format!(
                "{} of rolls {what}, {} before",
                percent(after.share),
                percent(before.share)
            ));
        }
    }
    lines
}

fn shared(side: &SideReport) -> Option<String> {
    let level = &side.prefix.as_ref()?.all;
    Some(match level.tokens {
        Some(tokens) => format!("{} tokens", grouped(tokens)),
        None => format!("{} characters", grouped(level.characters)),
    })
}
