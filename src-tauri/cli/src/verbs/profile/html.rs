//! A profile as one page of HTML: no script, nothing loaded, every plot with a table. Text of the
//! registry is escaped; the content security policy allows the page's own style sheet alone.

use std::fmt::Write as _;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use promptdeck_core::control_chars;
use promptdeck_population::{
    StablePrefix,
    distribution::Lengths,
    profile::{Pair, Profile, SectionCoverage},
};
use sha2::{Digest, Sha256};

use super::words;
use crate::plots::{grouped, percent, rolls};

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1d1d1f; --paper: #ffffff; --soft: #6b6b70; --line: #d9d9de;
  --bar: #3465a4; --rare: #b3541e; --band: #9db7d9; --x: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf0; --paper: #18181b; --soft: #a0a0a8;
  --line: #3a3a40; --bar: #7aa7e0; --rare: #e59a63; --band: #3d5678; --x: #f2867d; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: 0.2rem 0.6rem;
  border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.soft { color: var(--soft); } .note { border-left: 3px solid var(--rare); padding-left: 0.8rem; }
svg { width: 100%; height: auto; } svg text { font: 11px system-ui, sans-serif; fill: var(--soft); }
.bar { fill: var(--bar); } .band { fill: var(--band); } .track { fill: var(--line); }
.budget { stroke: var(--rare); stroke-width: 2; stroke-dasharray: 4 3; }
.curve { fill: none; stroke: var(--bar); stroke-width: 2; } .axis { stroke: var(--line); }
.impossible { color: var(--x); } .share { width: 9rem; min-width: 6rem; }
summary { cursor: pointer; color: var(--soft); }
";

/// Size of a plot, in its own units.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 180.0;

/// The page.
pub fn page(name: &str, profile: &Profile) -> String {
    let mut body = String::new();
    let route = profile
        .route
        .as_ref()
        .map_or(String::new(), |route| format!(", route {route}"));
    let _ = write!(
        body,
        "<h1>{}</h1>\n<p class=\"soft\">{}, {}{}</p>\n",
        escape(name),
        rolls(profile.rolls),
        profile.seed.range_in_words(profile.rolls),
        escape(&route)
    );
    for line in words::remarks(profile) {
        let _ = writeln!(body, "<p class=\"note\">{}</p>", escape(&line));
    }
    if let (Some(tokens), Some(tokenizer)) = (&profile.tokens, &profile.tokenizer) {
        let exactness = if tokenizer.exact { "" } else { ", not exact" };
        lengths(
            &mut body,
            &format!("Tokens ({}{exactness})", tokenizer.name),
            "tokens",
            tokens,
        );
    }
    if let Some(characters) = &profile.characters {
        lengths(&mut body, "Characters", "characters", characters);
    }
    if let Some(prefix) = &profile.prefix {
        self::prefix(&mut body, prefix);
    }
    body.push_str("<h2>Sameness</h2>\n<ul>\n");
    for line in words::sameness(profile) {
        let _ = writeln!(body, "<li>{}</li>", escape(&line));
    }
    body.push_str("</ul>\n<h2>Coverage</h2>\n<p class=\"soft\">Rare and missing first. The band is the 99 % interval of the share.</p>\n");
    for section in &profile.coverage {
        coverage(&mut body, section);
    }
    if !profile.pairs.is_empty() {
        body.push_str("<h2>Pairs</h2>\n");
    }
    for pair in &profile.pairs {
        self::pair(&mut body, pair);
    }
    let hash = BASE64_STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Profile of {}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n\
         </body>\n</html>\n",
        escape(name)
    )
}

/// Text for HTML, in elements and in quoted attributes.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for char in control_chars::escape(text).chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            char => escaped.push(char),
        }
    }
    escaped
}

fn lengths(body: &mut String, title: &str, unit: &str, lengths: &Lengths) {
    let distribution = &lengths.distribution;
    let _ = write!(
        body,
        "<h2>{}</h2>\n<p>Minimum {} (seed {}), 5&nbsp;% {}, median {}, 95&nbsp;% {}, maximum {} (seed {}).",
        escape(title),
        distribution.min,
        lengths.min_seed,
        distribution.p5,
        distribution.median,
        distribution.p95,
        distribution.max,
        lengths.max_seed
    );
    if let Some(over) = &lengths.over_budget {
        let _ = write!(
            body,
            " {} of rolls are over {} {unit}.",
            escape(&percent(over.share)),
            grouped(over.budget)
        );
    }
    body.push_str("</p>\n");
    let most = distribution
        .bars
        .iter()
        .map(|bar| bar.rolls)
        .max()
        .unwrap_or_default()
        .max(1) as f64;
    let step = WIDTH / distribution.bars.len().max(1) as f64;
    let _ = writeln!(
        body,
        "<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"Histogram of {unit}; the table below has its numbers\">",
        HEIGHT + 20.0
    );
    for (at, bar) in distribution.bars.iter().enumerate() {
        let height = (bar.rolls as f64 / most * HEIGHT).max(if bar.rolls > 0 { 1.0 } else { 0.0 });
        let _ = writeln!(
            body,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{} to {}: {}</title></rect>",
            at as f64 * step + 1.0,
            HEIGHT - height,
            (step - 2.0).max(1.0),
            bar.from,
            bar.to,
            rolls(bar.rolls)
        );
    }
    let (first, end) = (
        distribution.min as f64,
        distribution
            .bars
            .last()
            .map_or(distribution.max, |bar| bar.to + 1) as f64,
    );
    if let Some(over) = &lengths.over_budget {
        let at = (over.budget as f64 + 1.0 - first) / (end - first).max(1.0) * WIDTH;
        if (0.0..=WIDTH).contains(&at) {
            let _ = writeln!(
                body,
                "<line class=\"budget\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"0\" y2=\"{HEIGHT}\"><title>budget {}</title></line>",
                over.budget
            );
        }
    }
    let _ = write!(
        body,
        "<text x=\"0\" y=\"{0}\">{1}</text><text x=\"{WIDTH}\" y=\"{0}\" text-anchor=\"end\">{2}</text>\n</svg>\n",
        HEIGHT + 15.0,
        distribution.min,
        distribution.max
    );
    body.push_str("<details><summary>Table</summary>\n<table>\n<tr><th class=\"number\">From</th><th class=\"number\">To</th><th class=\"number\">Rolls</th></tr>\n");
    for bar in &distribution.bars {
        let _ = writeln!(
            body,
            "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            bar.from,
            bar.to,
            rolls(bar.rolls)
        );
    }
    body.push_str("</table>\n</details>\n");
}

fn prefix(body: &mut String, prefix: &StablePrefix) {
    body.push_str(
        "<h2>Stable prefix</h2>\n<table>\n<tr><th>Shared by</th><th>From the start</th></tr>\n",
    );
    for (who, level) in [
        ("all rolls", &prefix.all),
        ("95 % of rolls", &prefix.most),
        ("half of the rolls", &prefix.half),
    ] {
        let _ = writeln!(
            body,
            "<tr><td>{who}</td><td>{}</td></tr>",
            escape(&words::level(level))
        );
    }
    body.push_str("</table>\n");
    let longest = prefix
        .curve
        .last()
        .map_or(1, |point| point.characters)
        .max(1) as f64;
    let mut path = format!("M 0 {:.1}", 0.0);
    let mut before = 0.0;
    for point in &prefix.curve {
        let (x, y) = (
            point.characters as f64 / longest * WIDTH,
            (1.0 - point.share) * HEIGHT,
        );
        // The share holds up to the point, and falls behind it.
        let _ = write!(path, " L {before:.1} {y:.1} L {x:.1} {y:.1}");
        before = x;
    }
    let _ = write!(
        body,
        "<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"Share of rolls by shared length; the table below has its numbers\">\n\
         <line class=\"axis\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{HEIGHT}\" y2=\"{HEIGHT}\"/>\n<path class=\"curve\" d=\"{path}\"/>\n\
         <text x=\"0\" y=\"{1}\">0 characters</text><text x=\"{WIDTH}\" y=\"{1}\" text-anchor=\"end\">{longest}</text>\n</svg>\n",
        HEIGHT + 20.0,
        HEIGHT + 15.0
    );
    body.push_str("<details><summary>Table</summary>\n<table>\n<tr><th class=\"number\">Characters</th><th class=\"number\">Tokens</th><th class=\"number\">Share of rolls</th></tr>\n");
    for point in &prefix.curve {
        let _ = writeln!(
            body,
            "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            grouped(point.characters),
            point.tokens.map_or(String::new(), grouped),
            escape(&percent(point.share))
        );
    }
    body.push_str("</table>\n</details>\n");
}

fn coverage(body: &mut String, section: &SectionCoverage) {
    if section.rows.is_empty() {
        return;
    }
    let kind = if section.required {
        "required"
    } else {
        "optional"
    };
    let rolled = if section.rolled { ", rolled" } else { "" };
    let _ = writeln!(
        body,
        "<h3>{} <span class=\"soft\">({kind}{rolled})</span></h3>\n<table>\n\
         <tr><th>Text</th><th class=\"share\">Share</th><th class=\"number\">Share</th>\
         <th class=\"number\">99 % interval</th><th class=\"number\">Exact</th><th>Why not</th></tr>",
        escape(&section.section)
    );
    for (name, row) in words::named_rows(section) {
        let reason = row.absence.as_ref().map(words::reason).unwrap_or_default();
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td class=\"share\"><svg viewBox=\"0 0 100 12\" aria-hidden=\"true\">\
             <rect class=\"track\" x=\"0\" y=\"5\" width=\"100\" height=\"2\"/>\
             <rect class=\"band\" x=\"{:.2}\" y=\"1\" width=\"{:.2}\" height=\"10\"/>\
             <rect class=\"bar\" x=\"0\" y=\"3\" width=\"{:.2}\" height=\"6\"/></svg></td>\
             <td class=\"number\">{}</td><td class=\"number\">{} to {}</td><td class=\"number\">{}</td><td>{}</td></tr>",
            escape(&name),
            row.low * 100.0,
            (row.high - row.low) * 100.0,
            row.share * 100.0,
            escape(&percent(row.share)),
            escape(&percent(row.low)),
            escape(&percent(row.high)),
            escape(&row.chance.map(percent).unwrap_or_default()),
            escape(&reason)
        );
    }
    body.push_str("</table>\n");
}

fn pair(body: &mut String, pair: &Pair) {
    let _ = write!(
        body,
        "<h3>{} and {}</h3>\n<table>\n<tr><th></th>",
        escape(&words::slot(&pair.first)),
        escape(&words::slot(&pair.second))
    );
    for value in &pair.second_values {
        let _ = write!(body, "<th class=\"number\">{}</th>", escape(value));
    }
    body.push_str("</tr>\n");
    for (line, (value, counts)) in pair.first_values.iter().zip(&pair.rolls).enumerate() {
        let _ = write!(body, "<tr><th>{}</th>", escape(value));
        for (column, rolls) in counts.iter().enumerate() {
            let mut cells = pair.impossible.iter();
            let forbidden = cells.find(|cell| (cell.line, cell.column) == (line, column));
            let _ = match forbidden {
                Some(cell) => write!(
                    body,
                    "<td class=\"number impossible\">{} <span class=\"soft\">impossible: {}</span></td>",
                    grouped(*rolls),
                    escape(&words::causes(&cell.because))
                ),
                None => write!(body, "<td class=\"number\">{}</td>", grouped(*rolls)),
            };
        }
        body.push_str("</tr>\n");
    }
    body.push_str("</table>\n");
}
