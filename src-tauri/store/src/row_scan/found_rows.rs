//! Rows found in pages. Only rows that pass their checksum are accepted.

use std::collections::{BTreeMap, BTreeSet};

use crate::blobs::Hash;
use crate::columns::Columns;
use crate::connections::Connection;
use crate::drafts::{DraftRow, EditsRow};
use crate::image::Image;
use crate::image::btree::Record;
use crate::list_checksums::{self, Entry};
use crate::runs::Run;
use crate::settings;
use crate::snapshots::{self, Summary};
use crate::turns::Turn;

/// Rows by key. The first row found under a key wins, since the rows that the trees lead to come
/// first.
#[derive(Debug, Default)]
pub(crate) struct FoundRows {
    pub(crate) contents: BTreeMap<Hash, Vec<u8>>,
    pub(crate) snapshots: BTreeMap<i64, Summary>,
    pub(crate) runs: BTreeMap<i64, Run>,
    pub(crate) turns: BTreeMap<i64, Turn>,
    pub(crate) connections: BTreeMap<String, Connection>,
    pub(crate) drafts: BTreeMap<String, DraftRow>,
    pub(crate) edits: BTreeMap<(String, i64), Vec<EditsRow>>,
    pub(crate) settings: BTreeMap<String, String>,
    pub(crate) ledger: BTreeMap<String, Entry>,
    /// Highest row id assigned in each table.
    pub(crate) numbers: BTreeMap<String, i64>,
    /// Labels of snapshots that failed their checksum, as far as they are readable.
    damaged: BTreeMap<i64, String>,
}

impl FoundRows {
    /// Accepts a record if it is one of our rows.
    pub(crate) fn offer(&mut self, record: Record) {
        let Record { rowid, values } = record;
        let row = values.as_slice();
        match (rowid, row.len()) {
            (Some(id), 15) => {
                if let Some(summary) = Summary::read(row, Some(id)) {
                    self.snapshots.entry(id).or_insert(summary);
                } else if let Some(label) = snapshots::label(row, id) {
                    self.damaged.entry(id).or_insert(label);
                }
            }
            (Some(id), 12) => {
                if let Some(run) = Run::read(row, Some(id)) {
                    self.runs.entry(id).or_insert(run);
                }
            }
            (Some(id), 10) => {
                if let Some(turn) = Turn::read(row, Some(id)) {
                    self.turns.entry(id).or_insert(turn);
                }
            }
            (Some(_), 2) => {
                if let (Some(name), Some(last)) = (row.column::<String>(0), row.column(1))
                    && matches!(name.as_str(), "snapshots" | "runs" | "turns")
                {
                    self.numbers.entry(name).or_insert(last);
                }
            }
            (None, 2) => self.offer_content(row),
            (None, 3) => {
                if let Some((name, value)) = settings::read(row) {
                    self.settings.entry(name).or_insert(value);
                }
            }
            (None, 4) => {
                if let Some(edits) = EditsRow::read(row) {
                    let key = (edits.file.clone(), edits.place);
                    self.edits.entry(key).or_default().push(edits);
                }
            }
            (None, 5) => {
                if let Some(entry) = Entry::read(row) {
                    // The page may still hold an old version of the row.
                    let known = self.ledger.get(&entry.name);
                    if known.is_none_or(|known| known.revision < entry.revision) {
                        self.ledger.insert(entry.name.clone(), entry);
                    }
                }
            }
            (None, 6 | 7) => {
                if let Some(draft) = DraftRow::read(row) {
                    self.drafts.entry(draft.file.clone()).or_insert(draft);
                } else if let Some(connection) = Connection::read(row) {
                    self.connections
                        .entry(connection.name.clone())
                        .or_insert(connection);
                }
            }
            _ => {}
        }
    }

    fn offer_content<C: Columns + ?Sized>(&mut self, row: &C) {
        let (Some(hash), Some(bytes)) = (row.column::<Vec<u8>>(0), row.column::<Vec<u8>>(1)) else {
            return;
        };
        if let Some(hash) = Hash::from_slice(&hash)
            && Hash::of(&bytes) == hash
        {
            self.contents.insert(hash, bytes);
        }
    }

    /// Accepts the rows that a page's header leads to.
    pub(crate) fn search_page(&mut self, image: &Image, page: u32) {
        let records = image
            .page_records(page)
            .map(|page_records| page_records.records);
        records
            .unwrap_or_default()
            .into_iter()
            .for_each(|record| self.offer(record));
    }

    /// Accepts the rows that begin anywhere in a page.
    pub(crate) fn search_bytes(&mut self, image: &Image, page: u32) {
        if let Some(page) = image.page(page) {
            image
                .records_anywhere(&page)
                .into_iter()
                .for_each(|record| self.offer(record));
        }
    }

    /// Accepts the contents of a free page, which are valid wherever they are found because their
    /// key is their hash. Other rows of a free page were deleted.
    pub(crate) fn search_free_page(&mut self, image: &Image, page: u32) {
        for record in image
            .page_records(page)
            .map(|page_records| page_records.records)
            .unwrap_or_default()
        {
            if (record.rowid, record.values.len()) == (None, 2) {
                self.offer_content(record.values.as_slice());
            }
        }
    }

    /// Whether any row was found that only our stores have. Other programs store bytes under their
    /// SHA-256 too.
    pub(crate) fn has_rows(&self) -> bool {
        !(self.snapshots.is_empty()
            && self.runs.is_empty()
            && self.turns.is_empty()
            && self.connections.is_empty()
            && self.drafts.is_empty()
            && self.settings.is_empty()
            && self.ledger.is_empty())
    }

    /// Labels of the snapshots of which no version passed its checksum.
    pub(crate) fn damaged_snapshots(&self) -> impl Iterator<Item = &str> {
        self.damaged
            .iter()
            .filter(|(id, _)| !self.snapshots.contains_key(id))
            .map(|(_, label)| label.as_str())
    }

    /// Number of contents that rows refer to and that were not found.
    pub(crate) fn missing_contents(&self) -> usize {
        let snapshots = self.snapshots.values().map(|each| &each.content);
        let runs = self.runs.values().map(|each| &each.content);
        let drafts = self.drafts.values().map(|each| &each.tree);
        let named: BTreeSet<&Hash> = snapshots.chain(runs).chain(drafts).collect();
        let missing = named
            .iter()
            .filter(|hash| !self.contents.contains_key(**hash));
        missing.count()
    }

    /// The entry of a list, computed from the rows found.
    pub(crate) fn count(&self, name: &str) -> Entry {
        let mut entry = Entry::empty(name);
        match name {
            "snapshots" => self
                .snapshots
                .values()
                .for_each(|each| entry.add(&each.row_checksum())),
            "runs" => self
                .runs
                .values()
                .for_each(|each| entry.add(&each.row_checksum())),
            "turns" => self
                .turns
                .values()
                .for_each(|each| entry.add(&each.row_checksum())),
            "connections" => self
                .connections
                .values()
                .for_each(|each| entry.add(&each.row_checksum())),
            _ => self
                .drafts
                .keys()
                .for_each(|file| entry.add(&list_checksums::draft_mark(file))),
        }
        entry
    }
}
