//! Golden texts: a new text takes the place of the old one in the file, and no other byte changes.

use serde_json::Value;

use super::{document::ChecksDocument, verdict::Verdict};

/// A golden text and the text that was there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoldenUpdate {
    /// JSON pointer to the golden text.
    pub pointer: String,
    /// The golden text.
    pub old: String,
    /// The text that was there.
    pub new: String,
}

impl GoldenUpdate {
    /// The golden texts that the rolls of a verdict did not give.
    #[must_use]
    pub fn of(verdict: &Verdict) -> Vec<Self> {
        let failures = verdict.failures().iter();
        failures
            .filter_map(|failure| {
                Some(Self {
                    pointer: format!("{}/{}", failure.pointer, failure.expectation),
                    old: failure.golden.clone()?,
                    new: failure.actual.clone()?,
                })
            })
            .collect()
    }
}

impl ChecksDocument {
    /// The file with new golden texts. Key order, spacing, unknown keys and the spelling of numbers
    /// stay. An update whose pointer is not a text of the file is left out.
    #[must_use]
    pub fn with_golden_texts(&self, updates: &[GoldenUpdate]) -> String {
        let mut places: Vec<(usize, usize, &str)> = updates
            .iter()
            .filter_map(|update| {
                let start = self.places().offset(&update.pointer)?;
                let length = literal_length(self.text().get(start..)?)?;
                Some((start, start + length, update.new.as_str()))
            })
            .collect();
        places.sort_unstable();
        places.dedup_by_key(|(start, ..)| *start);
        let mut text = String::with_capacity(self.text().len());
        let mut copied = 0;
        for (start, end, new) in places {
            text.push_str(self.text().get(copied..start).unwrap_or_default());
            text.push_str(&Value::from(new).to_string());
            copied = end;
        }
        text.push_str(self.text().get(copied..).unwrap_or_default());
        text
    }
}

/// The bytes of the string literal that a text starts with, its quotes included.
fn literal_length(text: &str) -> Option<usize> {
    let mut bytes = text.bytes().enumerate();
    if bytes.next()?.1 != b'"' {
        return None;
    }
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return Some(at + 1),
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_text_changes_no_other_byte() {
        let file = "{ \"version\":1,\"mine\": 1.50e0,\n\t\"checks\": [{\"expect\": [{\"text\": \
                    \"a \\\"b\\\" \\u00e4\" , \"x\": 1}], \"name\": \"n\"}]}\n";
        let document = ChecksDocument::parse(file.as_bytes()).expect("a document");
        let update = |new: &str| GoldenUpdate {
            pointer: "/checks/0/expect/0/text".to_owned(),
            old: "a \"b\" ä".to_owned(),
            new: new.to_owned(),
        };
        let updated = document.with_golden_texts(&[update("c\n\"d\"")]);
        assert_eq!(
            updated,
            file.replace(r#""a \"b\" \u00e4""#, r#""c\n\"d\"""#)
        );
        assert_eq!(document.with_golden_texts(&[]), file);
        let elsewhere = GoldenUpdate {
            pointer: "/checks/0/expect/0/x".to_owned(),
            ..update("c")
        };
        assert_eq!(document.with_golden_texts(&[elsewhere]), file);
    }
}
