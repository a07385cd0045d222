//! Finds the registries of two folders that were renamed.

use std::{collections::BTreeMap, path::Path};

use promptdeck_population::impact::ItemTexts;

use super::folders::Found;

/// Pairs of files whose texts are compared; with more, only equal files are renames.
const MAX_PAIRS: usize = 10_000;

/// Files of the old folder and what they are called in the new one: the most similar first.
pub fn renames(
    old: &BTreeMap<String, Found>,
    new: &BTreeMap<String, Found>,
) -> Vec<(String, String)> {
    let compares = old.len().saturating_mul(new.len()) <= MAX_PAIRS;
    let (old, new) = (candidates(old, compares), candidates(new, compares));
    let mut pairs = Vec::new();
    for before in &old {
        for after in &new {
            if let Some(similarity) = before.similarity(after) {
                let names = [before.name, after.name].map(|name| Path::new(name).file_name());
                pairs.push((similarity, names[0] == names[1], before.name, after.name));
            }
        }
    }
    pairs.sort_by(|one, other| {
        let by_similarity = other.0.total_cmp(&one.0);
        by_similarity.then(other.1.cmp(&one.1))
    });
    let mut renames: Vec<(String, String)> = Vec::new();
    for (_, _, from, to) in pairs {
        if renames.iter().all(|(old, new)| old != from && new != to) {
            renames.push((from.clone(), to.clone()));
        }
    }
    renames
}

/// A file that may have been renamed.
struct Candidate<'f> {
    name: &'f String,
    bytes: &'f [u8],
    /// Its texts, if it is readable and texts are compared.
    texts: Option<ItemTexts<'f>>,
}

fn candidates(files: &BTreeMap<String, Found>, compares: bool) -> Vec<Candidate<'_>> {
    let candidates = files.iter().map(|(name, found)| {
        let readable = found.registry.as_ref().ok().filter(|_| compares);
        Candidate {
            name,
            bytes: &found.bytes,
            texts: readable.map(ItemTexts::of),
        }
    });
    candidates.collect()
}

impl Candidate<'_> {
    /// How similar two versions of a registry are; `None` if they are not versions of one.
    fn similarity(&self, other: &Self) -> Option<f64> {
        if self.bytes == other.bytes {
            return Some(1.0);
        }
        let (before, after) = (self.texts.as_ref()?, other.texts.as_ref()?);
        before.is_version_of(after).then(|| before.in_common(after))
    }
}
