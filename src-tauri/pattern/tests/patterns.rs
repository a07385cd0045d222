//! The meaning of Python's patterns, and the errors for patterns that are not supported.

use promptdeck_pattern::{Pattern, SearchBudget};
use proptest::prelude::*;

#[track_caller]
fn finds(pattern: &str, text: &str, expected: bool) {
    let compiled = Pattern::for_search(pattern).expect(pattern);
    assert_eq!(
        compiled.is_match(text),
        Ok(expected),
        "{pattern} in {text:?}"
    );
}

#[test]
fn patterns_mean_what_python_means() {
    finds(r"[[]", "[", true);
    finds(r"[a&&b]", "&", true);
    finds(r"[a&&b]", "a", true);
    finds(r"[]a]", "]", true);
    finds(r"a\Z", "a\n", false);
    finds(r"a$", "a\n", true);
    finds(r"a$", "a\n\n", false);
    finds(r"a$\n", "a\n", true);
    finds(r"^b", "a\nb", false);
    finds(r"(?m)^b", "a\nb", true);
    finds(r"(?P<q>['*]).(?P=q)", "'x'", true);
    finds(r"(?P<q>['*]).(?P=q)", "'x*", false);
    finds(r"\s", "\u{1c}", true);
    finds(r"(?a)\s", "\u{a0}", false);
    finds(r"^\w$", "\u{301}", false);
    finds(r"^\w$", "½", true);
    finds(r"\d", "٣", true);
    finds(r"(?a)\d", "٣", false);
    finds(r"(?i)i", "İ", true);
    finds(r"(?i)ı", "I", true);
    finds(r"(?ai)k", "\u{212a}", false);
    finds(r"(?i)k", "\u{212a}", true);
    finds(r"\bन", "हिन", true);
    finds(r"\B", "", false);
    finds(r"\x41\u0062\U00000063\101\07", "AbcA\u{7}", true);
    finds(r"\ud800", "a", false);
    finds(r"a{,2}b", "b", true);
    finds(r"a{x}", "a{x}", true);
    finds("(?x) a # b\n c", "ac", true);
    finds(r"(?i:A)b", "ab", true);
    finds(r"(?i:A)b", "aB", false);
    finds(r"(?<!a)b", "ab", false);
    finds(r"(a)?(?(1)b|c)d", "cd", true);
    finds(r"a++a", "aaa", false);
    finds(r"(?>a+)a", "aaa", false);
}

#[track_caller]
fn removes(pattern: &str, text: &str, expected: &str) {
    let compiled = Pattern::for_removal(pattern).expect(pattern);
    assert_eq!(
        compiled.remove_all(text).expect("no limit"),
        expected,
        "{pattern}"
    );
}

#[test]
fn a_place_is_searched_again_after_an_empty_match() {
    removes("|a", "aab", "b");
    removes("a*?", "aab", "b");
    removes(r"^\s*?", "   x", "  x");
    removes("x*", "axb", "ab");
    removes(r"$\n?", "a\nb", "ab");
}

#[test]
fn what_can_only_match_nothing_is_no_fault() {
    removes(r"|(?P<here>\b)(?P=here)", "a b", "a b");
    removes(r"(?x) |\b(?P<end>(?<=a)$)(?P=end)", "b a\n", "b a\n");
}

#[test]
fn what_needs_backtracking_means_what_python_means() {
    finds(r"(?<=é)b", "éb", true);
    finds(r"(?<!é)b", "éb", false);
    finds(r"(?<=ab|cd)e", "cde", true);
    finds(r"(?<=^a)b", "ab", true);
    finds(r"(?=(a+))\1b", "aab", true);
    finds(r"(?!(a))\1", "b", false);
    finds(r"(?i)(é)\1x", "éÉx", true);
    finds(r"(a)|(?(1)b|c)", "c", true);
    finds(r"^(?:(a)|b)*\1$", "aba", true);
    finds(r"(?>a|ab)c", "abc", false);
    finds(r"(?:a|ab){2}+c", "abac", false);
    finds(r"^(?:a{2,3}){2}(?!a)$", "aaaaa", true);
    finds(r"^(?:a{2,3}?){2}(?!a)$", "aaaaaaa", false);
    finds(r"(?<!x)(?:|a)*b", "aab", true);
    finds(r"^(?:a?){3,}(?!a)$", "", true);
    finds(r"(?s)(?<=\A).*(?=\Z)", "a\nb", true);
    finds(r"(?<=\b)\w\B", "हि", false);
    removes(r"(?<=\s)\S+", "a bc d", "a  ");
    removes(r"(?<=\w)x*?", "axxb", "ab");
    removes(r"(?:(?=a)|a)+", "baa", "b");
    removes(r"(?m)^(?!keep).*\n?", "drop\nkeep\ndrop", "keep\n");
}

#[track_caller]
fn fault(pattern: &str, code: &str, message: &str) {
    let error = Pattern::for_search(pattern).expect_err(pattern);
    assert_eq!((error.code(), error.to_string().as_str()), (code, message));
}

#[test]
fn patterns_that_are_refused() {
    fault(
        r"[\w-.]",
        "pattern_malformed",
        r"bad character range \w-. at character 1 of the pattern",
    );
    fault(
        r"a**",
        "pattern_malformed",
        "multiple repeat at character 2 of the pattern",
    );
    fault(
        r"^*",
        "pattern_malformed",
        "nothing to repeat at character 1 of the pattern",
    );
    fault(
        r"\q",
        "pattern_malformed",
        r"bad escape \q at character 0 of the pattern",
    );
    fault(
        r"(a\1)",
        "pattern_malformed",
        "cannot refer to an open group at character 2 of the pattern",
    );
    fault(
        r"(?<=a+)b",
        "pattern_malformed",
        "look-behind requires fixed-width pattern at character 0 of the pattern",
    );
    fault(
        r"x\N{DIGIT ONE}",
        "pattern_unsupported",
        r"\N{...} is not supported: write the character itself or \uXXXX at character 1 of the pattern",
    );
    let size = Pattern::for_search("(a{1000}){1000}").expect_err("too large");
    assert_eq!(size.code(), "pattern_too_large");
    let depth = Pattern::for_search(&"(".repeat(100_000)).expect_err("too deep");
    assert_eq!(depth.code(), "pattern_too_large");
}

#[test]
fn only_what_needs_backtracking_backtracks() {
    let linear = |pattern| Pattern::for_search(pattern).expect(pattern).is_linear();
    for pattern in [
        r"\bthe\b",
        r"^a.*b$",
        r"(?i)x|y",
        r"\w+\Z",
        r"(a+)+",
        r"(?a:\b)x",
    ] {
        assert!(linear(pattern), "{pattern}");
    }
    for pattern in [r"(?=a)", r"(?<!a)b", r"(a)\1", r"(?>a)", r"a++"] {
        assert!(!linear(pattern), "{pattern}");
    }
}

#[test]
fn the_first_match_is_found_at_its_place() {
    let check = |pattern: &str, text: &str, expected: Option<(usize, usize)>| {
        let compiled = Pattern::for_location(pattern).expect(pattern);
        let found = compiled.find(text).expect("few steps");
        let found = found.map(|place| (place.start, place.end));
        assert_eq!(found, expected, "{pattern} in {text:?}");
    };
    check(r"b+", "aabbb", Some((2, 5)));
    check(r"b+?", "aabbb", Some((2, 3)));
    check(r"x|", "abc", Some((0, 0)));
    check(r"^b", "a\nb", None);
    check(r"é\w", "caféé!", Some((3, 7)));
    check(r"(?i)(a)\1", "bAab", Some((1, 3)));
    check(r"(?<=a)b", "abb", Some((1, 2)));
    check(r"\bन", "हिन", Some((6, 9)));
}

/// Texts of characters that are special in patterns.
fn pattern_like() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-cA-C0-9 é日]{1,3}",
        r"[\\()\[\]{}|*+?.^$:<>=!#,-]{1,4}",
        r"\\[a-zA-Z0-9]",
        Just("(?P<n>".to_owned()),
        Just("(?P=n)".to_owned()),
        Just("(?i)".to_owned()),
        Just("(?x-s:".to_owned()),
        Just("(?<=".to_owned()),
        Just("(?(1)".to_owned()),
        Just("[^\\W]".to_owned()),
        Just("{2,5}".to_owned()),
        Just("\\u00e9".to_owned()),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_pattern_makes_it_panic(pattern in pattern_like(), text in "[a-cA-C0-9 é日\n]{0,40}") {
        if let Ok(search) = Pattern::for_search(&pattern) {
            let _ = search.is_match(&text);
        }
        if let Ok(removal) = Pattern::for_removal(&pattern)
            && let Ok(kept) = removal.remove_all(&text)
        {
            prop_assert!(kept.len() <= text.len());
        }
    }

    #[test]
    fn any_text_as_pattern_is_read_or_refused(pattern in any::<String>()) {
        let _ = Pattern::for_search(&pattern);
        let _ = Pattern::for_removal(&pattern);
    }
}

/// One match per letter of a megabyte takes work linear in the text.
#[test]
fn a_megabyte_of_matches_of_one_letter_is_removed() {
    for (pattern, unit, left) in [
        ("a", "a", ""),
        ("a", "ab", "b"),
        ("(a)", "a", ""),
        (".", "a", ""),
        (r"\w", "a", ""),
        (r"\s", " \n", ""),
        (r"\d", "7", ""),
        ("[a-c]", "abc", ""),
        ("[^b]", "a", ""),
        ("a|b", "ab", ""),
        ("(?i)a", "aA", ""),
        ("é", "é", ""),
        ("aa", "a", ""),
        ("a?", "a", ""),
    ] {
        let length = 1 << 20;
        let count = length / unit.len();
        let compiled = Pattern::for_removal(pattern).expect("a pattern");
        let mut budget = SearchBudget::default();
        let text = unit.repeat(count);
        let rest = compiled.remove_all_within(&text, &mut budget);
        let units = budget.spent();
        assert_eq!(
            rest.as_deref(),
            Ok(&*left.repeat(count)),
            "{pattern}: {units}"
        );
        assert!(
            units <= SearchBudget::most_for(length),
            "{pattern}: {units}"
        );
    }
}

proptest! {
    #[test]
    fn a_tester_finds_what_single_searches_find(
        pattern in pattern_like(),
        texts in prop::collection::vec("[a-cA-C0-9 é日\n]{0,20}", 1..6),
    ) {
        if let Ok(pattern) = Pattern::for_search(&pattern) {
            let (mut tester, mut budget) = (pattern.tester(), SearchBudget::default());
            for text in texts {
                let tested = tester.is_match_within(&text, &mut budget);
                prop_assert_eq!(tested, pattern.is_match(&text), "{:?} in {:?}", pattern.source(), text);
            }
        }
    }

    #[test]
    fn a_place_is_found_exactly_where_there_is_a_match(
        pattern in pattern_like(),
        text in "[a-cé \n]{0,12}",
    ) {
        let compiled = (Pattern::for_search(&pattern), Pattern::for_location(&pattern));
        if let (Ok(search), Ok(location)) = compiled
            && let (Ok(matches), Ok(found)) = (search.is_match(&text), location.find(&text))
        {
            prop_assert_eq!(matches, found.is_some(), "{} in {:?}", pattern, text);
            prop_assert!(found.is_none_or(|place| text.get(place).is_some()));
        }
    }
}
