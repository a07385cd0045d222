//! How soon templates made to harm are stopped, and with how much memory: the promise is a quarter
//! of a second and 64 MiB in an optimised build. Prints the slowest; fails when the promise is
//! broken.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use promptdeck_core::chat::Request;
use promptdeck_core::chat::jinja::Template;
use promptdeck_tests::hostile_templates;
use serde_json::json;

const BOUND: Duration = Duration::from_millis(250);

fn stopped_after(source: &str) -> (Duration, String) {
    let request = Request::of(vec![json!({"role": "user", "content": "Hi"})]);
    let begun = Instant::now();
    let outcome = Template::compile(source)
        .map_err(|error| error.to_string())
        .and_then(|template| request.render(&template).map_err(|error| error.to_string()));
    let took = begun.elapsed();
    let said = outcome.map_or_else(
        |error| error,
        |text| format!("rendered {} bytes", text.len()),
    );
    (took, said)
}

fn main() -> ExitCode {
    let mut rows: Vec<(Duration, String, String)> = hostile_templates::all()
        .iter()
        .map(|source| {
            let (took, said) = stopped_after(source);
            let shown = source.chars().take(70).collect();
            (took, shown, said.chars().take(60).collect())
        })
        .collect();
    rows.sort();
    println!(
        "{} hostile templates; the slowest ten, in milliseconds",
        rows.len()
    );
    for (took, source, said) in rows.iter().rev().take(10) {
        println!("{:8.1}  {source:70}  {said}", took.as_secs_f64() * 1e3);
    }
    match rows.last() {
        Some((slowest, ..)) if *slowest > BOUND => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}
