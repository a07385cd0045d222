//! Templates made to harm stop with a clear error: because of what they are charged, which is the
//! same on every machine and in every build.

use promptdeck_core::chat::jinja::{ErrorKind, Limits, Template};
use promptdeck_core::chat::{RenderError, Request};
use promptdeck_tests::hostile_templates;
use serde_json::json;

/// The most memory this process ever used, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|own| own.split_whitespace().next()?.parse().ok())
        .unwrap_or_default()
}

/// All the memory there is by default, and a tenth of the steps: enough to spend that memory, and
/// what does not stop after those would not stop after ten times as many.
fn limits() -> Limits {
    let all = Limits::default();
    Limits {
        steps: all.steps / 10,
        ..all
    }
}

// The only test of this file: it looks at the memory of the whole process.
#[test]
fn hostile_templates_are_stopped() {
    let all = hostile_templates::all();
    let before = peak();
    let mut limited = 0;
    let mut unharmed = Vec::new();
    for source in &all {
        let request = Request {
            limits: limits(),
            ..Request::of(vec![json!({"role": "user", "content": "Hi"})])
        };
        let outcome = Template::compile(source)
            .map_err(RenderError::from)
            .and_then(|template| request.render(&template));
        let shown: String = source.chars().take(160).collect();
        let Err(RenderError::Template(error)) = outcome else {
            unharmed.push(format!("{shown}: {:?}", outcome.map(|text| text.len())));
            continue;
        };
        let stopped = matches!(
            error.kind(),
            ErrorKind::Limit
                | ErrorKind::Arithmetic
                | ErrorKind::Value
                | ErrorKind::Type
                | ErrorKind::Syntax
        );
        assert!(stopped, "{shown}: {error:?}");
        limited += u32::from(error.kind() == ErrorKind::Limit);
    }
    let grown = (peak() - before) >> 10;
    println!(
        "{} hostile templates stopped, {limited} of them by a limit; {grown} MiB",
        all.len()
    );
    assert!(unharmed.is_empty(), "not stopped:\n{}", unharmed.join("\n"));
    assert!(grown <= 64, "{grown} MiB were used");
}
