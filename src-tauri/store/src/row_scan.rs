//! Reads the rows of a damaged store page by page, past SQLite: SQLite abandons a table at its
//! first broken page, and the whole file if the first page is broken.
//!
//! Every row has its own checksum, so a row found here is authentic. The search follows the trees
//! of the tables first. While rows are missing, or their number is unknown, it continues in all
//! other pages, and finally at every byte of every page.

mod found_rows;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use found_rows::FoundRows;

use crate::examine::tables;
use crate::image::Image;
use crate::image::btree::{PageVisits, walk};
use crate::list_checksums::{self, Entry};
use crate::manifest::Manifest;

/// Rows found in a damaged store.
#[derive(Debug, Default)]
pub(crate) struct Recovered {
    pub(crate) rows: FoundRows,
    /// Expected state of each list; an entry is absent where neither store nor manifest has it.
    pub(crate) expected: BTreeMap<String, Entry>,
    /// Number of pages of tables and indexes that are partly unreadable.
    pub(crate) broken_pages: usize,
    /// The log is damaged and there is no manifest: the counts in the store may predate the last
    /// changes.
    pub(crate) may_be_behind: bool,
    /// Schema version of the store, from its tables or its manifest.
    schema: i64,
}

impl Recovered {
    /// Whether the expected state of all lists is known and all their rows were found.
    pub(crate) fn is_whole(&self) -> bool {
        !self.may_be_behind && self.rows.missing_contents() == 0 && self.lists_are_whole()
    }

    fn lists_are_whole(&self) -> bool {
        list_checksums::lists_of(self.schema).iter().all(|name| {
            let expected = self.expected.get(*name);
            expected.is_some_and(|expected| expected.same_rows(&self.rows.count(name)))
        })
    }

    fn expect(&mut self, manifest: Option<&Manifest>) {
        let stated = manifest.map_or(&[][..], |manifest| &manifest.lists);
        for entry in self.rows.ledger.values().chain(stated) {
            let known = self.expected.get(&entry.name);
            if known.is_none_or(|known| known.revision < entry.revision) {
                self.expected.insert(entry.name.clone(), entry.clone());
            }
        }
    }
}

/// The pages on the free list; none if the list is broken or leads elsewhere.
fn free_pages(image: &Image) -> BTreeSet<u32> {
    let word = |page: &[u8], at: usize| {
        page.get(at..at + 4)
            .and_then(|four| four.try_into().ok())
            .map_or(0, u32::from_be_bytes)
    };
    let Some(first) = image.page(1) else {
        return BTreeSet::new();
    };
    let (mut trunk, count) = (word(&first, 32), word(&first, 36) as usize);
    let mut free = BTreeSet::new();
    while trunk > 1 && free.len() < count && free.insert(trunk) {
        let Some(page) = image.page(trunk) else {
            return BTreeSet::new();
        };
        let leaves = (word(&page, 4) as usize).min(page.len() / 4 - 2);
        free.extend((0..leaves).map(|leaf| word(&page, 8 + leaf * 4)));
        trunk = word(&page, 0);
    }
    if free.len() == count && trunk == 0 {
        free
    } else {
        BTreeSet::new()
    }
}

/// Finds every row that passes its checksum.
pub(crate) fn recover(image: &Image, manifest: Option<&Manifest>) -> Recovered {
    let mut recovered = Recovered {
        may_be_behind: manifest.is_none() && image.log_damage().is_some(),
        ..Recovered::default()
    };
    let mut roots: Vec<u32> = manifest
        .map(|manifest| manifest.roots.iter().map(|(_, root)| *root).collect())
        .unwrap_or_default();
    let tables = tables(image);
    recovered.schema = manifest.map_or(0, |manifest| manifest.schema);
    if tables.contains_key("turns") {
        recovered.schema = recovered.schema.max(list_checksums::TURNS_SINCE);
    }
    for (root, _) in tables.into_values() {
        if root > 1 && !roots.contains(&root) {
            roots.push(root);
        }
    }
    let mut visits = PageVisits::default();
    visits.seen.insert(1);
    for root in roots {
        let rows = &mut recovered.rows;
        walk(image, root, &mut visits, &mut |record| rows.offer(record));
    }
    recovered.expect(manifest);
    if recovered.is_whole() && visits.broken.is_empty() {
        return recovered;
    }
    let free = free_pages(image);
    let overflow = image.overflow_pages();
    let mut rest: BTreeSet<u32> = (1..=image.pages())
        .filter(|page| {
            !visits.seen.contains(page) && !free.contains(page) && !overflow.contains(page)
        })
        .collect();
    for page in &rest {
        recovered.rows.search_page(image, *page);
    }
    recovered.expect(manifest);
    if recovered.is_whole() && visits.broken.is_empty() {
        return recovered;
    }
    // Pages with a broken header or broken pointers, and older versions of pages.
    rest.extend(&visits.broken);
    for page in &rest {
        recovered.rows.search_bytes(image, *page);
    }
    if !recovered.lists_are_whole() || recovered.rows.missing_contents() > 1 {
        // An intact page may lack pointers to some of its cells. A single missing content is more
        // likely damaged itself.
        for page in &visits.seen {
            recovered.rows.search_bytes(image, *page);
        }
    }
    for page in image.older_pages() {
        let page_records = image.page_records_at(page, 0);
        for record in page_records
            .into_iter()
            .flat_map(|page_records| page_records.records)
        {
            recovered.rows.offer(record);
        }
    }
    for page in &free {
        recovered.rows.search_free_page(image, *page);
    }
    recovered.expect(manifest);
    recovered.broken_pages = visits.broken.len();
    recovered
}
