//! Generates output policies and texts, deterministic by seed. Patterns use Python's syntax and are
//! sometimes malformed; texts consist of matches of the patterns and of near misses.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

/// Words that texts and patterns share.
const WORDS: [&str; 24] = [
    "Sure",
    "Assistant:",
    "the",
    "cat",
    "naïve",
    "İstanbul",
    "Straße",
    "ΣΊΣΥΦΟΣ",
    "ſense",
    "K9",
    "हिन्दी",
    "日本",
    "x1_y",
    "٣٤",
    "½",
    "e\u{301}",
    "<b>",
    "</b>",
    "[OOC]",
    "{x}",
    "a-b",
    "\\",
    "😀",
    "ǅ",
];
const GAPS: [&str; 14] = [
    " ", " ", " ", "  ", "\n", "\n\n", "\n\n\n\n", "\t", " \n ", "\u{a0}", "\u{1c}", "\r\n",
    "\u{2028}", "",
];
const ENDS: [&str; 6] = ["", "", "\n", " \n", ".", "\n\n"];
/// Patterns of ordinary policies.
pub const ORDINARY: [&str; 10] = [
    r"^\s*Assistant:\s*",
    r"\(OOC:[^)]*\)",
    r"<[^>]+>",
    r"\bthe\b",
    r"(?i)sure[,!]?",
    r"^.*:$",
    r"\s+$",
    r"^\d+\.\s",
    r"[\w.-]+@\w+",
    r"\*\*(.+?)\*\*",
];
/// Patterns with unusual groups, comments and verbose mode.
const ODD: [&str; 9] = [
    r"(?P<it's>b)",
    r"(?#not \) yet)the",
    r"(?#never \)",
    "(?x)the#never\\\nhere\ncat",
    "(?x)the#lost\\",
    r"(?P<a\>b",
    r"(?P<a\>b>c)",
    r"(?(a\)b)the)",
    r"(?P<a\",
];
/// Further realistic patterns, including bad ones.
const FURTHER: [&str; 50] = [
    r"(?s)<b>.*?</b>",
    r"\Z",
    r"\A\s",
    r"(\w)\1",
    r"(?P<q>['\x22]).*?(?P=q)",
    r"(?<!a)b",
    r"(?<=\s)\S+",
    r"(?=\d)\w",
    r"x(?!\d)",
    r"[[]OOC[]]",
    r"[a&&b]",
    r"[^\W\d_]+",
    r"[\s\S]",
    r"(?x) the # article
      \s",
    r"(?i:CAT)",
    r"(?a)\w+",
    r"(?ai)ſ",
    r"\d{2,}",
    r"a{,2}b",
    r"{x}",
    r"a{}",
    r"\x41|\u0061",
    r"\07|\0",
    r"\n{2,}",
    r"$",
    r"^",
    r"\b",
    r"\B",
    r"a*?",
    r"|a",
    r"(?:a|ab)(?:c|bcd)?",
    r"t$",
    r"t$\n",
    r"(?m)^the$",
    r"(?-m:^.)",
    r"(?s:.)$",
    r"(a)?(?(1)b|c)",
    r"(?>a+)b",
    r"\w++",
    r"[\w-.]",
    r"a**",
    r"(?P<n>a",
    r"[z-a]",
    r"\q",
    r"(?<=a+)b",
    r"(",
    r"a{3,2}",
    r"\9",
    r"(?i)i",
    r"[^İ]",
];

/// A policy and a text.
#[derive(Debug)]
pub struct Case {
    /// The `output_policy` object.
    pub policy: Value,
    /// A possible model output.
    pub text: String,
}

/// Generates cases.
#[derive(Debug)]
pub struct Cases {
    random: ChaCha12Rng,
}

impl Cases {
    /// A generator whose cases depend on `seed` only.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            random: ChaCha12Rng::seed_from_u64(seed),
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.random.next_u64() % bound as u64) as usize
    }

    fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// The next case.
    pub fn next_case(&mut self) -> Case {
        let mut policy = serde_json::Map::new();
        let mut matching = Vec::new();
        for field in ["strip_patterns", "forbidden_patterns", "require_patterns"] {
            if self.one_in(2) {
                let patterns: Vec<Value> = (0..=self.below(2))
                    .map(|_| {
                        let (pattern, example) = self.pattern();
                        matching.push(example);
                        json!(pattern)
                    })
                    .collect();
                policy.insert(field.to_owned(), json!(patterns));
            }
        }
        let text = self.text(&matching);
        if self.one_in(3) {
            policy.insert("strip_prefixes".to_owned(), json!(self.prefixes(&text)));
        }
        if self.one_in(4) {
            let word = self.pick(&WORDS);
            policy.insert("forbidden_substrings".to_owned(), json!(["", word]));
        }
        if self.one_in(4) {
            policy.insert("max_length".to_owned(), json!(self.below(40)));
        }
        if self.one_in(5) {
            policy.insert("min_length".to_owned(), json!(self.below(20)));
        }
        if self.one_in(4) {
            let suffix = self.pick(&["", " ", "...", "\n-- end", " \u{1f}"]);
            policy.insert("append_suffix".to_owned(), json!(suffix));
        }
        if self.one_in(4) {
            policy.insert("collapse_whitespace".to_owned(), json!(self.one_in(2)));
        }
        Case {
            policy: Value::Object(policy),
            text,
        }
    }

    /// Pieces of the patterns' examples among words and gaps.
    fn text(&mut self, matching: &[String]) -> String {
        let mut text = String::new();
        for _ in 0..self.below(9) {
            if !matching.is_empty() && self.one_in(2) {
                text.push_str(&matching[self.below(matching.len())]);
            } else {
                text.push_str(self.pick(&WORDS));
            }
            text.push_str(self.pick(&GAPS));
        }
        text.push_str(self.pick(&ENDS));
        text
    }

    /// Prefixes, some of which start the text in another letter case.
    fn prefixes(&mut self, text: &str) -> Vec<String> {
        (0..=self.below(2))
            .map(|_| {
                let start: String = text.trim_start().chars().take(1 + self.below(6)).collect();
                match self.below(4) {
                    0 => start,
                    1 => start.to_lowercase(),
                    2 => start.to_uppercase(),
                    _ => self.pick(&WORDS).to_owned(),
                }
            })
            .collect()
    }

    /// A pattern and a text that it probably matches.
    fn pattern(&mut self) -> (String, String) {
        if self.one_in(3) {
            let patterns = [&ODD[..], &ORDINARY, &FURTHER].concat();
            let pattern = self.pick(&patterns);
            return (pattern.to_owned(), self.pick(&WORDS).to_owned());
        }
        let flags = self.pick(&[
            "", "", "", "", "(?i)", "(?s)", "(?m)", "(?a)", "(?ix)", "(?im)",
        ]);
        let (pattern, example) = self.branches(2);
        if self.one_in(25) {
            // Removing a character produces many kinds of malformed patterns.
            let lost = self.below(pattern.chars().count().max(1));
            let broken = pattern.chars().enumerate().filter(|(at, _)| *at != lost);
            return (broken.map(|(_, character)| character).collect(), example);
        }
        (format!("{flags}{pattern}"), example)
    }

    fn branches(&mut self, depth: usize) -> (String, String) {
        let (mut pattern, mut example) = self.sequence(depth);
        while self.one_in(4) {
            let (other, other_example) = self.sequence(depth);
            pattern = format!("{pattern}|{other}");
            if self.one_in(2) {
                example = other_example;
            }
        }
        (pattern, example)
    }

    fn sequence(&mut self, depth: usize) -> (String, String) {
        let mut pattern = String::new();
        let mut example = String::new();
        for _ in 0..=self.below(3) {
            let (item, item_example, repeatable) = self.item(depth);
            pattern.push_str(&item);
            let sign = if repeatable && self.one_in(3) {
                self.pick(&[
                    "*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "+?", "??", "{0,2}?", "*+",
                ])
            } else {
                ""
            };
            // CPython drops the empty match of a possessive group; nothing depends on that.
            let sign = if item.starts_with('(') && sign == "*+" {
                "*"
            } else {
                sign
            };
            pattern.push_str(sign);
            let times = match sign {
                "" => 1,
                "{2}" | "{2,}" => 2,
                "+" | "+?" | "{1,2}" => 1 + self.below(2),
                _ => self.below(3),
            };
            example.push_str(&item_example.repeat(times));
        }
        (pattern, example)
    }

    /// An item, a text that it matches, and whether it may be repeated.
    fn item(&mut self, depth: usize) -> (String, String, bool) {
        match self.below(if depth > 0 { 14 } else { 9 }) {
            0..=2 => {
                let word = self.pick(&WORDS);
                (escaped(word), word.to_owned(), false)
            }
            3 => {
                let letter = self.pick(&["a", "b", "ß", "s", "k", "Σ", "ι", "I", "é", "_", "1"]);
                (letter.to_owned(), letter.to_uppercase(), true)
            }
            4 => {
                let class = [
                    (r"\d", "7"),
                    (r"\s", " "),
                    (r"\w", "w"),
                    (r"\D", "x"),
                    (r"\S", "!"),
                    (r"\W", "-"),
                    (r"\s", "\u{1d}"),
                    (r"\w", "ि"),
                    (r"\d", "٣"),
                    (".", "?"),
                    (r"\t", "\t"),
                    (r"\x2d", "-"),
                ][self.below(12)];
                (class.0.to_owned(), class.1.to_owned(), true)
            }
            5 => {
                let set = [
                    ("[a-c]", "b"),
                    ("[^a-c]", "d"),
                    ("[]x]", "]"),
                    ("[^]x]", "y"),
                    ("[a-]", "-"),
                    ("[[a]", "["),
                    (r"[\w']", "'"),
                    (r"[^\s,]", "q"),
                    ("[a&&b]", "&"),
                    ("[A-Z]", "q"),
                    (r"[\d\-x]", "-"),
                    (r"[^\W]", "e"),
                    ("[à-ý]", "É"),
                    ("[~~|]", "|"),
                    (r"[\]\\]", "\\"),
                    (r"[\x61-\143]", "c"),
                    ("[İ]", "i"),
                    ("[ſ-ƀ]", "S"),
                ][self.below(18)];
                (set.0.to_owned(), set.1.to_owned(), true)
            }
            6 => (
                self.pick(&["^", "$", r"\A", r"\Z"]).to_owned(),
                String::new(),
                false,
            ),
            7 => (
                self.pick(&[r"\b", r"\B", r"\b"]).to_owned(),
                String::new(),
                false,
            ),
            8 => (" ".to_owned(), " ".to_owned(), true),
            9 | 10 => self.grouped("(", depth, true),
            11 => {
                let open = self.pick(&[
                    "(?:", "(?i:", "(?-i:", "(?s:", "(?m:", "(?-m:", "(?a:", "(?>",
                ]);
                self.grouped(open, depth, true)
            }
            12 => {
                let open = self.pick(&["(?=", "(?!"]);
                self.grouped(open, depth, false)
            }
            _ => {
                let behind = [
                    ("(?<=a)", "a"),
                    (r"(?<!\s)", ""),
                    (r"(?<=\w\s)", "a "),
                    ("(?<!the)", ""),
                ];
                let (pattern, example) = behind[self.below(4)];
                (pattern.to_owned(), example.to_owned(), false)
            }
        }
    }

    fn grouped(&mut self, open: &str, depth: usize, repeatable: bool) -> (String, String, bool) {
        let (inner, example) = self.branches(depth - 1);
        let looks_ahead = matches!(open, "(?=" | "(?!");
        let example = if looks_ahead { String::new() } else { example };
        if open == "(" && self.one_in(4) {
            let name = format!("g{}", self.random.next_u32());
            let pattern = format!("(?P<{name}>{inner})(?P={name})");
            return (pattern, example.repeat(2), false);
        }
        (format!("{open}{inner})"), example, repeatable)
    }
}

/// Escapes `word` like Python's `re.escape`.
fn escaped(word: &str) -> String {
    let mut out = String::new();
    for character in word.chars() {
        if character.is_ascii() && !character.is_ascii_alphanumeric() && character != '_' {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
