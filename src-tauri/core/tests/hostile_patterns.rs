//! Patterns known to make backtracking engines explode, each on a megabyte of the text it hates:
//! searched for and removed within a tenth of a second, or refused. Built for release, the bound
//! is the person's; a debug build only has to stay far from a hang.

use std::time::{Duration, Instant};

use promptdeck_core::output::Pattern;

const MEGABYTE: usize = 1 << 20;

fn bound() -> Duration {
    Duration::from_millis(if cfg!(debug_assertions) { 5_000 } else { 100 })
}

/// Shapes and the unit of text they are run on: the unit repeated to a megabyte, then `!`.
const SHAPES: [(&str, &str); 116] = [
    (r"(a+)+$", "a"),
    (r"(a*)*$", "a"),
    (r"(a|a)*$", "a"),
    (r"(a|aa)+$", "a"),
    (r"(a|a?)+$", "a"),
    (r"(.*a){20}$", "a"),
    (r"(.*)*$", "a"),
    (r"(.+)+$", "a"),
    (r"^(a+)+$", "a"),
    (r"^(([a-z])+.)+[A-Z]([a-z])+$", "a"),
    (r"^(\w+\s?)*$", "aaa "),
    (r"^(\w+)*$", "a"),
    (r"(\w*)*\.$", "a"),
    (r"(x+x+)+y", "x"),
    (r"(x*)*y", "x"),
    (r"x*x*x*x*x*y", "x"),
    (r"a*a*a*a*a*a*b", "a"),
    (r".*.*=.*", "x"),
    (r".*.*.*;$", "x"),
    (r"\s+$", " "),
    (r"\s*\s*\s*$", " "),
    (r"^\s+|\s+$", " "),
    (r"(\s|\t)*x", " "),
    (r"\d+\d+\d+$", "7"),
    (r"(\d+)*x", "7"),
    (r"^(\d+\.?)+$", "7."),
    (r"([a-zA-Z]+)*$", "a"),
    (r"([a-z]+|[a-z0-9]+)*$", "a"),
    (r"(?:a|b|ab)*c", "ab"),
    (r"((ab)*)*c", "ab"),
    (r"((a*)b*)*c", "ab"),
    (r"(a*b*)*c", "ab"),
    (r"(a?){50}a{50}", "a"),
    (r"(a{0,30}){30}b", "a"),
    (r"(a{1,20}){1,20}b", "a"),
    (r"(?:(?:a{0,9}){0,9}){0,9}b", "a"),
    (r"[01]*1[01]{12}$", "10"),
    (r"(0|1)*1(0|1){30}x", "10"),
    (r"(a|b)*a(a|b){14}x", "ab"),
    (r"(a|b)*a(a|b){40}[xyz]", "aab"),
    (r"([ab]*a[ab]{60}|[ab]*b[ab]{50})[xyz]", "aababbb"),
    (r"\b(\w+\s*)+\W\b\.", "é "),
    (r"(\bé\w*\s*)+[.;]|é", "é"),
    (
        r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$",
        "a",
    ),
    (r"^[\w.]+@([\w]+\.)+\w+$", "a."),
    (r"(\w+\.)+\w+@", "a."),
    (
        r"^(([^<>()\[\]\\.,;:\s@]+(\.[^<>()\[\]\\.,;:\s@]+)*)|(.+))@x$",
        "a.",
    ),
    (r"<(\w+)[^>]*>.*</x>", "<a>"),
    (r"<!--.*?-->", "<!--"),
    (r"(?s)<script.*?>.*?</script>", "<script>"),
    (r"<[^>]*>|<", "<"),
    (r".*[^A-Z]|[A-Z]", "A"),
    (r"(?s).*?x.*y|a", "a"),
    (r"a.*b|a", "a"),
    (r"(?:a+)+b|a", "a"),
    (r"a(?:[^b]*b)?", "a"),
    (r"\(OOC:[^)]*\)|\(", "("),
    (r"(a*?)*?b", "a"),
    (r"(a+?)+?b", "a"),
    (r"a*?a*?a*?b", "a"),
    (r"(?:a*?b?)*c", "a"),
    (r"a*?|b", "a"),
    (r"|a+b", "a"),
    (r"\b(\w+\s*)+\.", "a "),
    (r"(\b\w+\b\s*)*!!", "a "),
    (r"\b|\w+x", "a "),
    (r"(\W|\w)*z", "a "),
    (r"([^a]|a)*z", "ab"),
    (r"(?i)(ſ|s|S)*k", "sS"),
    (r"(?i)(straße|strasse)*x", "STRASSE"),
    (r"\w{1,50}\w{1,50}\w{1,50}!!", "é"),
    (r"[\w.-]{1,200}@", "a"),
    (r"(?:\p|x)*", "x"),
    (r"(a{1000}){1000}", "a"),
    (r"((a{100}){100}){100}", "a"),
    (r"a{4294967290}", "a"),
    (r"(?:x{0,2147483647}){0,2147483647}", "x"),
    (r"(?=(a+))\1b", "a"),
    (r"(?=.*z)x", "a"),
    (r"(?=.*z)a", "a"),
    (r"(?!.*z)x", "a"),
    (r"^(?=.*[a-z])(?=.*\d)(?=.*[A-Z]).{8,}$", "a"),
    (r"(?=(.*a)+z)", "a"),
    (r"(?=a*a*a*z)a", "a"),
    (r"(?!(a+)+z)a", "a"),
    (r"(?<=a)(a+)+z", "a"),
    (r"(?<!b)(a|aa)+z", "a"),
    (r"(?<=\w)x*y", "x"),
    (r"(?<!\S)\S+(?!\S)", "ab "),
    (r"(.*)\1z", "a"),
    (r"(.+)\1+$", "a"),
    (r"(a*)(a*)\1c|a", "a"),
    (r"(\w+)\s+\1x", "ab ab "),
    (r"(a+)+\1z", "a"),
    (r"(a*)*\1b", "a"),
    (r"(?P<q>['\x22]).*?(?P=q)z", "'"),
    (r"(['\x22])(?:\\.|(?!\1).)*\1z", "'a"),
    (r"(a)?(?(1)a*|b)*z", "a"),
    (r"(?>a+)+z", "a"),
    (r"(?>a*)*z", "a"),
    (r"(?:a++)+z", "a"),
    (r"(a*+)*z", "a"),
    (r"(?:(?=a)a)+z", "a"),
    (r"(?:a(?=b)|a)*c", "ab"),
    (r"(?:(?!z).)*z", "a"),
    (r"(?s)(?:(?!END).)*END", "a"),
    (r"((?!b)a|aa)*z", "a"),
    (r"(?=(\w+))\1:", "a"),
    (r"(?<=(a))\1*z", "a"),
    (r"(?i)(k+)\1+z", "kK"),
    (r"a$\n?(a+)+$", "a"),
    (r"(?:a$|a)*b$", "a"),
    (r"(a\b|a)*\Bz", "a"),
    (r"(?a)\B(a+)+\Bz", "a"),
    (r"^(?:(?:[^()]|\((?:[^()]|\([^()]*\))*\)))*$", "(a)"),
    (r"(?:(?:(?:(?:(?:a*)*)*)*)*)*b", "a"),
];

/// What became of a search, compilation included.
fn search(pattern: &str, text: &str) -> String {
    match Pattern::for_search(pattern) {
        Err(error) => error.code().to_owned(),
        Ok(pattern) => match pattern.is_match(text) {
            Err(error) => error.code().to_owned(),
            Ok(found) => format!("found {found}"),
        },
    }
}

/// What became of a removal, compilation included.
fn removal(pattern: &str, text: &str) -> String {
    match Pattern::for_removal(pattern) {
        Err(error) => error.code().to_owned(),
        Ok(pattern) => match pattern.remove_all(text) {
            Err(error) => error.code().to_owned(),
            Ok(kept) => format!("kept {}", kept.len()),
        },
    }
}

/// What a piece of work gives and how long this thread was at it. On Linux the time that other
/// programs took from it is not counted: a busy machine is not the pattern's fault.
fn timed(work: impl Fn() -> String) -> (String, Duration) {
    let (wall, thread) = (Instant::now(), thread_time());
    let outcome = work();
    let took = match (thread, thread_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => wall.elapsed(),
    };
    (outcome, took)
}

/// How long this thread has run so far, where the system tells.
fn thread_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = statistics.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[test]
fn known_shapes_end_in_time_on_a_megabyte() {
    let mut slow = Vec::new();
    let mut refused = 0;
    for (pattern, unit) in SHAPES {
        let mut text = unit.repeat(MEGABYTE / unit.len());
        text.push('!');
        let (searched, search_took) = timed(|| search(pattern, &text));
        let (removed, removal_took) = timed(|| removal(pattern, &text));
        println!(
            "{pattern:<40.40} {search_took:>8.1?} {searched:<18} {removal_took:>8.1?} {removed}"
        );
        refused += usize::from(searched.starts_with("pattern"));
        refused += usize::from(removed.starts_with("pattern"));
        if search_took.max(removal_took) > bound() {
            slow.push(format!("{pattern}: {search_took:.1?}, {removal_took:.1?}"));
        }
    }
    println!("{} shapes, used twice: {refused} refused", SHAPES.len());
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
