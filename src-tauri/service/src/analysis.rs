//! What follows an edit a moment later: token counts. Runs beside the author's work on
//! what was shown; it changes nothing.

use std::collections::BTreeMap;

use promptdeck_model::tokens::TokenCounter;

use crate::shown::Shown;
use crate::wire::Counts;

fn whole(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Token counts of a prompt: of the whole, per section and per token of the assembly order.
///
/// Sections and tokens are counted by themselves, so they need not add up to the whole.
#[must_use]
pub fn counts(document: &str, preview: u32, shown: &Shown, counter: &dyn TokenCounter) -> Counts {
    let mut sections: BTreeMap<String, String> = BTreeMap::new();
    let mut tokens = vec![String::new(); shown.tokens.len()];
    for segment in &shown.segments {
        let Some(source) = &segment.source else {
            continue;
        };
        sections
            .entry(source.section.clone())
            .or_default()
            .push_str(&segment.text);
        let place = source
            .token
            .and_then(|token| tokens.get_mut(token as usize));
        if let Some(text) = place {
            text.push_str(&segment.text);
        }
    }
    let total = counter.count(&shown.text());
    let count = |text: &String| whole(counter.count(text).tokens);
    Counts {
        document: document.to_owned(),
        preview,
        tokenizer: counter.name().to_owned(),
        exact: total.exact,
        total: whole(total.tokens),
        tokens: tokens.iter().map(count).collect(),
        sections: sections
            .iter()
            .map(|(section, text)| (section.clone(), count(text)))
            .collect(),
    }
}
