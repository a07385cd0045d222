//! Hostile templates: counted work stops each rendering and inspection within the promised memory.
//! Counted work and memory are asserted; the time limit is a backstop.

use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use promptdeck_chat::detect::ModelConfig;
use promptdeck_chat::inspect::inspect;
use promptdeck_chat::{Family, RenderError, Request};
use promptdeck_jinja::{ErrorKind, Limits, Template};
use promptdeck_tests::hostile_templates;
use serde_json::json;

use super::clock::timed;

/// Set for the test's own process, whose memory is measured as a whole.
const ALONE: &str = "PROMPTDECK_TEST_ALONE";
/// Far above the promise of a quarter of a second, since machines and builds differ.
const BACKSTOP: Duration = Duration::from_secs(3);
const PROMISED: Duration = Duration::from_millis(250);
/// The promise, in MiB.
const MEMORY: u64 = 64;

/// A memory figure of this process, in KiB.
fn figure(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|value| value.split_whitespace().next()?.parse().ok())
        .unwrap_or_default()
}

/// The result of `work`, its time, and the growth of peak memory in MiB.
fn measured<T>(work: impl FnOnce() -> T) -> (T, Duration, u64) {
    // Writing 5 resets the peak to the current usage.
    let renewed = fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = if renewed {
        figure("VmRSS:")
    } else {
        figure("VmHWM:")
    };
    let (outcome, took) = timed(work);
    (outcome, took, figure("VmHWM:").saturating_sub(before) >> 10)
}

/// The default memory and a tenth of the default steps: enough to use that memory, and a template
/// that stops within them also stops within ten times as many.
fn limits() -> Limits {
    let all = Limits::default();
    Limits {
        steps: all.steps / 10,
        ..all
    }
}

/// The worst cases.
#[derive(Default)]
struct Worst {
    late: usize,
    time: Duration,
    slowest: String,
    memory: u64,
    wrong: Vec<String>,
}

impl Worst {
    fn note(&mut self, time: Duration, memory: u64, what: &str) {
        self.late += usize::from(time > PROMISED);
        if time > self.time {
            self.time = time;
            what.clone_into(&mut self.slowest);
        }
        self.memory = self.memory.max(memory);
        if time > BACKSTOP || memory > MEMORY {
            self.wrong.push(format!("{what}: {time:.1?}, {memory} MiB"));
        }
    }

    fn show(&self, what: &str) {
        println!(
            "{what}: {} later than {PROMISED:?}, the largest {} MiB, the slowest {:.1?}: {}",
            self.late, self.memory, self.time, self.slowest
        );
    }
}

/// Renders every template; returns how many a limit stopped.
fn render(all: &[String], worst: &mut Worst) -> usize {
    let mut limited = 0;
    for source in all {
        let request = Request {
            limits: limits(),
            ..Request::of(vec![json!({"role": "user", "content": "Hi"})])
        };
        let (outcome, time, memory) = measured(|| {
            Template::compile(source)
                .map_err(RenderError::from)
                .and_then(|template| request.render(&template))
        });
        let excerpt: String = source.chars().take(160).collect();
        worst.note(time, memory, &format!("rendering {excerpt}"));
        match outcome {
            Err(RenderError::Template(error)) => {
                let stopped = matches!(
                    error.kind(),
                    ErrorKind::Limit
                        | ErrorKind::Arithmetic
                        | ErrorKind::Value
                        | ErrorKind::Type
                        | ErrorKind::Syntax
                );
                if !stopped {
                    worst.wrong.push(format!("{excerpt}: {error:?}"));
                }
                limited += usize::from(error.kind() == ErrorKind::Limit);
            }
            outcome => worst.wrong.push(format!(
                "not stopped: {excerpt}: {:?}",
                outcome.map(|text| text.len())
            )),
        }
    }
    limited
}

/// Inspects every template; returns how many inspections reported an exhausted budget.
fn inspections(all: &[String], worst: &mut Worst) -> usize {
    let config = ModelConfig::of(Family::Generic);
    let mut limited = 0;
    for source in all {
        let (report, time, memory) = measured(|| inspect(Some(source), &config, None, None));
        let excerpt: String = source.chars().take(160).collect();
        worst.note(time, memory, &format!("inspecting {excerpt}"));
        let Ok(report) = report else {
            continue;
        };
        let is_limited = report
            .remarks
            .iter()
            .any(|remark| remark.code == "inspection_limit");
        limited += usize::from(is_limited);
        let cut_short = report.proofs.iter().any(|proof| {
            proof.rendered.contains("takes too many steps")
                || proof.rendered.contains("uses too much memory")
        });
        if cut_short && !is_limited {
            worst.wrong.push(format!("silently incomplete: {excerpt}"));
        }
    }
    limited
}

#[test]
fn hostile_templates_are_stopped() {
    if env::var_os(ALONE).is_none() {
        let test_binary = env::current_exe().expect("the test's own program");
        let name = "templates::hostile_templates_are_stopped";
        let mut alone = Command::new(test_binary);
        alone.args(["--exact", name, "--nocapture", "--test-threads=1"]);
        let output = alone.env(ALONE, "1").output().expect("it runs again");
        println!("{}", String::from_utf8_lossy(&output.stdout));
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{complaint}");
        return;
    }
    let all = hostile_templates::all();
    let (mut rendered, mut inspected) = (Worst::default(), Worst::default());
    let by_limit = render(&all, &mut rendered);
    let stopped = inspections(&all, &mut inspected);
    println!(
        "{} hostile templates rendered, {by_limit} stopped by a limit; inspected, {stopped} by the \
         budget of the inspection",
        all.len()
    );
    rendered.show("rendering, a tenth of the steps");
    inspected.show("inspecting, all of the steps");
    assert!(
        stopped * 2 > all.len(),
        "only {stopped} inspections were stopped"
    );
    let wrong = [rendered.wrong, inspected.wrong].concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
