//! Measures how soon hostile templates are stopped, rendered and inspected, and how much memory
//! they take. The promise is a quarter of a second and 64 MiB each in an optimized build. Prints
//! the slowest and the largest, and fails if the promise is broken. Measures the CPU time of this
//! thread where the system reports it, so that other load on the machine does not count.

use std::fs;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use promptdeck_chat::detect::ModelConfig;
use promptdeck_chat::inspect::inspect;
use promptdeck_chat::{Family, Request};
use promptdeck_jinja::Template;
use promptdeck_tests::hostile_templates;
use serde_json::json;

const BOUND: Duration = Duration::from_millis(250);
const BOUND_OF_MEMORY: u64 = 64 << 10;

/// Cost of one template.
struct Taken {
    source: String,
    time: Duration,
    /// In KiB; `None` if the system does not report it.
    memory: Option<u64>,
    outcome: String,
}

/// CPU time of this thread.
fn running() -> Option<Duration> {
    let all = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = all.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// A memory figure of this process, in KiB.
fn figure(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Renders a template.
fn render(source: &str) -> Result<String, String> {
    let request = Request::of(vec![json!({"role": "user", "content": "Hi"})]);
    Template::compile(source)
        .map_err(|error| error.to_string())
        .and_then(|template| request.render(&template).map_err(|error| error.to_string()))
        .map(|text| format!("rendered {} bytes", text.len()))
}

/// Inspects a template with every probe.
fn inspected(source: &str) -> Result<String, String> {
    let config = ModelConfig::of(Family::Generic);
    inspect(Some(source), &config, None, None)
        .map(|report| format!("inspected, {} findings", report.proofs.len()))
        .map_err(|error| error.to_string())
}

fn take(source: &str, work: fn(&str) -> Result<String, String>) -> Taken {
    // Writing 5 resets the peak to the current usage.
    let renewed = fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = figure("VmRSS:").filter(|_| renewed);
    let (clock, begun) = (Instant::now(), running());
    let outcome = work(source);
    let time = match (begun, running()) {
        (Some(begun), Some(ended)) => ended.saturating_sub(begun),
        _ => clock.elapsed(),
    };
    let memory = figure("VmHWM:").zip(before);
    Taken {
        source: source.chars().take(70).collect(),
        time,
        memory: memory.map(|(peak, before)| peak.saturating_sub(before)),
        outcome: outcome.unwrap_or_else(|error| error.chars().take(60).collect()),
    }
}

fn main() -> ExitCode {
    let (slow, large) = [
        ("rendered", render as fn(&str) -> _),
        ("inspected", inspected),
    ]
    .into_iter()
    .map(|(what, work)| table(what, work))
    .fold((0, 0), |all, counts| (all.0 + counts.0, all.1 + counts.1));
    println!("{slow} beyond {BOUND:?}, {large} beyond 64 MiB");
    match slow + large {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Prints the worst cases of one operation; returns how many were too slow and too large.
fn table(what: &str, work: fn(&str) -> Result<String, String>) -> (usize, usize) {
    let mut rows: Vec<Taken> = hostile_templates::all()
        .iter()
        .map(|source| take(source, work))
        .collect();
    println!(
        "{} hostile templates {what}; the slowest ten, in milliseconds",
        rows.len()
    );
    rows.sort_by_key(|row| std::cmp::Reverse(row.time));
    for row in rows.iter().take(10) {
        let time = row.time.as_secs_f64() * 1e3;
        println!("{time:8.1}  {:70}  {}", row.source, row.outcome);
    }
    println!("the five that take most memory, in MiB");
    let slow = rows.iter().filter(|row| row.time > BOUND).count();
    rows.sort_by_key(|row| std::cmp::Reverse(row.memory));
    for row in rows.iter().take(5) {
        let memory = row.memory.map_or(f64::NAN, |kib| kib as f64 / 1024.0);
        println!("{memory:8.1}  {:70}  {}", row.source, row.outcome);
    }
    let large = |row: &&Taken| row.memory.is_some_and(|memory| memory > BOUND_OF_MEMORY);
    let large = rows.iter().filter(large).count();
    (slow, large)
}
