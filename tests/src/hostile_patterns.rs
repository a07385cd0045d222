//! Patterns with excessive running time: known shapes, and families of shapes generated from below
//! to far above the limits of compiling and searching.

/// Known shapes, each with the unit of its worst-case text.
pub const KNOWN: [(&str, &str); 116] = [
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

/// Counts on both sides of every limit.
const COUNTS: [u32; 8] = [3, 12, 30, 70, 150, 400, 1_500, 5_000];

/// All shapes, known and generated.
#[must_use]
pub fn all() -> Vec<String> {
    let mut all: Vec<String> = KNOWN.iter().map(|(shape, _)| (*shape).to_owned()).collect();
    let nested = nested_repetitions();
    all.extend(nested.iter().map(|core| format!("{core}b")));
    // The same behind constructs that select another engine or disable optimizations.
    for (index, core) in nested.iter().enumerate() {
        all.push(match index % 8 {
            0 => format!("(?<=b)a|{core}c"),
            1 => format!("(?>{core})c"),
            2 => format!("(?={core}b)a"),
            3 => format!("(?!{core}b)a"),
            4 => format!(r"(x)?{core}\1c"),
            5 => format!("(b)?(?(1)a|{core}c)"),
            6 => format!(r"\b{core}\Bc"),
            _ => format!("(?:{core})*+c"),
        });
    }
    for count in COUNTS {
        all.extend([
            format!("(?:a?){{{count}}}"),
            format!("(?:a?){{{count}}}b"),
            format!("(?:a|b|ab){{{count}}}c"),
            format!("(?=.{{0,{count}}}zz)a"),
            format!("(?!.{{0,{count}}}zz)a|."),
            format!("(?<!a{{{count}}})b|a"),
            format!("[ab]*a[ab]{{{count}}}c"),
            format!("(?s)a.{{{count}}}b|a"),
            format!(".{{0,{count}}}=|a"),
            format!(r"\w{{1,{count}}}@"),
            format!("(?i)[a-zé]{{1,{count}}}!!"),
            format!(r"(a{{1,{count}}})\1x"),
            format!("(?:{})x", vec!["a*"; count as usize / 3].concat()),
            format!("(?:{})x", vec!["a"; count as usize].join("|")),
            format!("(?:|){{{count}}}a{{{count}}}c"),
        ]);
    }
    all
}

/// Nested bounded repetitions.
fn nested_repetitions() -> Vec<String> {
    let mut cores = Vec::new();
    for outer in [3, 10, 30, 60, 100, 300] {
        for inner in [3, 10, 30, 60, 100, 300] {
            cores.push(format!("(a{{1,{inner}}}){{1,{outer}}}"));
            if inner >= outer {
                cores.push(format!("(?:a{{0,{inner}}}){{0,{outer}}}"));
            }
        }
    }
    for count in [2, 5, 9, 15, 22, 30, 45] {
        let counts = format!("{{1,{count}}}");
        cores.push(format!("((a{counts}){counts}){counts}"));
        cores.push(format!("(?:(?:(?:[ab]{counts}){counts}){counts}){counts}"));
    }
    cores
}

/// Six kinds of text of about `length` bytes.
#[must_use]
pub fn texts(length: usize) -> [(&'static str, String); 6] {
    let of = |unit: &str, end: &str| unit.repeat(length / unit.len()) + end;
    [
        ("one letter", of("a", "!")),
        ("two letters", of("ab", "!")),
        ("words", of("aaa ", "!")),
        ("beyond ASCII", of("é", "!")),
        ("signs and lines", of("a\n<(", "!")),
        (
            "prose",
            of(
                "The quick brown fox, 42 of them, jumped \"over\" the lazy dog's <b>bed</b>.\n",
                "",
            ),
        ),
    ]
}
