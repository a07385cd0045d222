//! The report of `test` as JUnit XML: a suite for each registry, a case for each check, one for lint.
//! No times are written, so that the same checks give the same bytes.

use std::io;

use promptdeck_checks::{Outcome, Verdict};
use promptdeck_core::control_chars;
use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};

use super::{
    Counts, Report,
    text::{at, fault_line, origin, sentence},
};
use crate::failure::Failure;

type Xml = Writer<Vec<u8>>;

/// The reports as one document.
pub fn document(reports: &[Report]) -> Result<String, Failure> {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let counts = Counts::of(reports);
    xml.write_event(start(
        "testsuites",
        &[("name", "promptdeck")],
        Some(&counts),
    ))?;
    for report in reports {
        suite(&mut xml, report)?;
    }
    end(&mut xml, "testsuites")?;
    let bytes = xml.into_inner();
    String::from_utf8(bytes).map_err(|error| Failure::Output(io::Error::other(error)))
}

fn suite(xml: &mut Xml, report: &Report) -> io::Result<()> {
    let counts = Counts::of(std::slice::from_ref(report));
    let file = line(&report.file);
    xml.write_event(start("testsuite", &[("name", &file)], Some(&counts)))?;
    for fault in &report.unreadable {
        let problem = ("error", fault.code.as_str(), fault.message.as_str(), "");
        case(xml, &file, "readable", Some(problem))?;
    }
    if report.linted {
        let lines: Vec<&str> = report
            .lint
            .iter()
            .map(|finding| finding.line.as_str())
            .collect();
        let lines = lines.join("\n");
        let problem = lines.lines().next();
        let problem = problem.map(|first| ("failure", "lint", first, lines.as_str()));
        case(xml, &file, "lint", problem)?;
    }
    let checks_file = report.checks_file.as_deref().unwrap_or_default();
    for verdict in &report.checks {
        check(xml, &file, checks_file, verdict)?;
    }
    let warnings = report.warnings.join("\n");
    if report.is_warned() {
        let first = warnings.lines().next().unwrap_or_default();
        let problem = ("failure", "warning", first, warnings.as_str());
        case(xml, &file, "warnings", Some(problem))?;
    } else if !warnings.is_empty() {
        xml.write_event(Event::Start(BytesStart::new("system-err")))?;
        xml.write_event(Event::Text(BytesText::new(&lines(&warnings))))?;
        end(xml, "system-err")?;
    }
    end(xml, "testsuite")
}

fn check(xml: &mut Xml, file: &str, checks_file: &str, verdict: &Verdict) -> io::Result<()> {
    let name = &verdict.name;
    match &verdict.outcome {
        Outcome::Passed => case(xml, file, name, None),
        Outcome::Invalid { faults } => {
            let lines: Vec<String> = faults
                .iter()
                .map(|fault| fault_line(checks_file, fault))
                .collect();
            let message = faults.first().map_or("", |fault| fault.message.as_str());
            let details = lines.join("\n");
            let problem = ("error", "cannot_run", message, details.as_str());
            case(xml, file, name, Some(problem))
        }
        Outcome::Failed { failures } => {
            let details: Vec<String> = failures
                .iter()
                .map(|failure| {
                    let place = at(checks_file, failure.place);
                    let mut detail = format!("{}\n{place}", sentence(failure));
                    if let Some(origin) = origin(failure) {
                        detail.push_str(&format!("\n{origin}"));
                    }
                    if let (Some(golden), Some(actual)) = (&failure.golden, &failure.actual) {
                        detail.push_str(&format!("\nexpected:\n{golden}\nfound:\n{actual}"));
                    }
                    detail
                })
                .collect();
            let first = failures.first();
            let kind = first.map_or("", |failure| failure.expectation);
            let message = first.map(sentence).unwrap_or_default();
            let details = details.join("\n\n");
            let problem = ("failure", kind, message.as_str(), details.as_str());
            case(xml, file, name, Some(problem))
        }
    }
}

/// A test case; a problem is its element, type, message and details.
fn case(
    xml: &mut Xml,
    file: &str,
    name: &str,
    problem: Option<(&str, &str, &str, &str)>,
) -> io::Result<()> {
    let name = line(name);
    let attributes = [("name", name.as_str()), ("classname", file)];
    let Some((element, kind, message, details)) = problem else {
        return xml.write_event(Event::Empty(element_of("testcase", &attributes)));
    };
    xml.write_event(start("testcase", &attributes, None))?;
    let message = line(message);
    let attributes = [("type", kind), ("message", message.as_str())];
    xml.write_event(start(element, &attributes, None))?;
    xml.write_event(Event::Text(BytesText::new(&lines(details))))?;
    end(xml, element)?;
    end(xml, "testcase")
}

fn start(name: &str, attributes: &[(&str, &str)], counts: Option<&Counts>) -> Event<'static> {
    let mut element = element_of(name, attributes);
    if let Some(counts) = counts {
        let checks = counts.hold + counts.fail + counts.invalid;
        let tests = checks + counts.linted + counts.warned + counts.unreadable;
        let failures = counts.fail + counts.with_errors + counts.warned;
        let errors = counts.invalid + counts.unreadable;
        for (key, count) in [("tests", tests), ("failures", failures), ("errors", errors)] {
            element.push_attribute((key, count.to_string().as_str()));
        }
    }
    Event::Start(element)
}

fn element_of(name: &str, attributes: &[(&str, &str)]) -> BytesStart<'static> {
    let mut element = BytesStart::new(name.to_owned());
    for attribute in attributes {
        element.push_attribute(*attribute);
    }
    element
}

fn end(xml: &mut Xml, name: &str) -> io::Result<()> {
    xml.write_event(Event::End(BytesEnd::new(name)))
}

/// A text for an attribute: one line of characters that XML 1.0 allows.
fn line(text: &str) -> String {
    allowed(&control_chars::escape(text))
}

/// A text of several lines of characters that XML 1.0 allows.
fn lines(text: &str) -> String {
    allowed(&control_chars::escape_lines(text))
}

/// Two characters that are no controls are not allowed either.
fn allowed(text: &str) -> String {
    text.replace('\u{fffe}', "\\u{fffe}")
        .replace('\u{ffff}', "\\u{ffff}")
}
