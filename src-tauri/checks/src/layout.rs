//! The layout of a file after an edit: the bytes of every check that stays, and of everything around
//! the list, are those of the file.

use serde_json::{Map, Value};

use super::document::ChecksDocument;

impl ChecksDocument {
    /// The text of the file with other members. Where only the list of checks differs, new and
    /// changed checks are written anew and nothing else; otherwise the whole file is.
    #[must_use]
    pub fn text_with(&self, members: &Map<String, Value>) -> String {
        let edited = self.with_list_of(members);
        let is_meant = |text: &String| {
            Self::parse(text.as_bytes())
                .is_ok_and(|read| read.members().as_object() == Some(members))
        };
        edited.filter(is_meant).unwrap_or_else(|| {
            let text = serde_json::to_string_pretty(members).unwrap_or_default();
            text + "\n"
        })
    }

    fn with_list_of(&self, members: &Map<String, Value>) -> Option<String> {
        let old = self.members().as_object()?;
        let indentation =
            |(key, value): &(&String, &Value)| *key == "checks" || old.get(*key) == Some(*value);
        if !old.keys().eq(members.keys()) || !members.iter().all(|member| indentation(&member)) {
            return None;
        }
        let (old_list, list) = (
            old.get("checks")?.as_array()?,
            members.get("checks")?.as_array()?,
        );
        let text = self.text();
        let open = self.source_map().offset("/checks")?;
        let close = value_end(text, open)? - 1;
        let slices: Vec<(usize, usize)> = (0..old_list.len())
            .map(|index| {
                let start = self.source_map().offset(&format!("/checks/{index}"))?;
                Some((start, value_end(text, start)?))
            })
            .collect::<Option<_>>()?;
        let between = |from: usize, to: usize| text.get(from..to);
        let line = text.get(..open)?.rsplit('\n').next().unwrap_or_default();
        let margin: String = line
            .chars()
            .take_while(|character| character.is_whitespace())
            .collect();
        let lead = match slices.first() {
            Some((start, _)) => between(open + 1, *start)?.to_owned(),
            None => format!("\n{margin}{margin}"),
        };
        let tail = match slices.last() {
            Some((_, end)) => between(*end, close)?.to_owned(),
            None => format!("\n{margin}"),
        };
        let separator = match slices.as_slice() {
            [(_, end), (next, _), ..] => between(*end, *next)?.to_owned(),
            _ => format!(",{lead}"),
        };
        let indent: String = lead.rsplit('\n').next().unwrap_or_default().to_owned();
        let mut unused: Vec<usize> = (0..old_list.len()).collect();
        let mut written = Vec::new();
        for (index, check) in list.iter().enumerate() {
            let same = |at: &usize| old_list.get(*at) == Some(check);
            let found = unused.iter().copied().find(|at| *at == index && same(at));
            let found = found.or_else(|| unused.iter().copied().find(same));
            let Some(at) = found else {
                let pretty = serde_json::to_string_pretty(check).ok()?;
                written.push(pretty.replace('\n', &format!("\n{indent}")));
                continue;
            };
            unused.retain(|other| *other != at);
            let (start, end) = slices.get(at)?;
            written.push(between(*start, *end)?.to_owned());
        }
        let mut edited = text.get(..=open)?.to_owned();
        if !written.is_empty() {
            edited.push_str(&lead);
            edited.push_str(&written.join(&separator));
            edited.push_str(&tail);
        }
        edited.push_str(text.get(close..)?);
        Some(edited)
    }
}

/// Where the JSON value ends that begins at an offset of a valid text, an object or a list.
fn value_end(text: &str, start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_text = false;
    let mut bytes = text.bytes().enumerate().skip(start);
    while let Some((at, byte)) = bytes.next() {
        match (in_text, byte) {
            (true, b'\\') => {
                bytes.next();
            }
            (_, b'"') => in_text = !in_text,
            (false, b'{' | b'[') => depth += 1,
            (false, b'}' | b']') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const FILE: &str = r#"{ "$schema": "x",
  "version": 1,
  "checks": [
    { "name": "a", "given": { "rolls": 2.0e1 },
      "expect": [ { "contains": "]}\"" } ] },
    { "name": "b", "own": [1,2] }
  ],   "notes": "mine" }
"#;

    fn edited(edit: impl FnOnce(&mut Map<String, Value>)) -> String {
        let document = ChecksDocument::parse(FILE.as_bytes()).expect("checks");
        let mut members = document.members().as_object().expect("an object").clone();
        edit(&mut members);
        let text = document.text_with(&members);
        let again = ChecksDocument::parse(text.as_bytes()).expect("checks");
        assert_eq!(again.members().as_object(), Some(&members));
        text
    }

    fn list(members: &mut Map<String, Value>) -> &mut Vec<Value> {
        members["checks"].as_array_mut().expect("a list")
    }

    #[test]
    fn checks_that_stay_keep_their_bytes() {
        assert_eq!(edited(|_| ()), FILE);
        let added = edited(|members| list(members).push(json!({"name": "c"})));
        let expected = FILE.replace("[1,2] }", "[1,2] },\n    {\n      \"name\": \"c\"\n    }");
        assert_eq!(added, expected);
        let removed = edited(|members| drop(list(members).remove(0)));
        assert!(removed.contains("[\n    { \"name\": \"b\", \"own\": [1,2] }\n  ],   \"notes\""));
        let renamed = edited(|members| list(members)[1]["name"] = json!("d"));
        assert!(renamed.contains("{ \"rolls\": 2.0e1 },\n      \"expect\""));
        assert!(renamed.contains("\"d\"") && !renamed.contains("\"b\""));
        let swapped = edited(|members| list(members).swap(0, 1));
        assert!(
            swapped.contains("[\n    { \"name\": \"b\", \"own\": [1,2] },\n    { \"name\": \"a\"")
        );
        assert!(edited(|members| list(members).clear()).contains("\"checks\": [],   \"notes\""));
    }

    #[test]
    fn other_members_are_written_with_the_whole_file() {
        let text = edited(|members| members["notes"] = json!("yours"));
        assert!(text.starts_with("{\n  \"$schema\": \"x\",\n"));
        let empty = ChecksDocument::parse(b"{\n  \"checks\": []\n}\n").expect("checks");
        let members = json!({"checks": [{"name": "a"}]});
        let members = members.as_object().expect("an object");
        assert_eq!(
            empty.text_with(members),
            "{\n  \"checks\": [\n    {\n      \"name\": \"a\"\n    }\n  ]\n}\n"
        );
    }
}
