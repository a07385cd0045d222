//! What a file is, found out before SQLite opens it and without touching it: a store in order, a
//! damaged one, or no store at all.

use std::collections::BTreeMap;
use std::path::Path;

use crate::StoreError;
use crate::columns::Columns;
use crate::image::btree::{Walked, walk};
use crate::image::{Image, MAGIC};
use crate::ledger::{Entry, LISTS};
use crate::manifest::Manifest;
use crate::recovery::Found;
use crate::schema::{self, APPLICATION_ID, NEWEST};

/// Pages searched for a row of ours in a file that does not say what it is.
const MOST_SEARCHED: u32 = 65_536;

/// The first schema that has a ledger.
const LEDGER_SINCE: i64 = 4;

/// What a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// There is none, or an empty one.
    Absent,
    /// A store, as far as can be seen without reading all of it.
    Sound,
    /// A store, and what is wrong with it.
    Damaged(String),
}

/// A file, examined.
#[derive(Debug)]
pub(crate) struct Examined {
    pub(crate) state: State,
    pub(crate) image: Image,
    pub(crate) manifest: Option<Manifest>,
}

/// The tables and indexes that a store has: first page and SQL by name.
pub(crate) type Tables = BTreeMap<String, (u32, String)>;

/// What the schema table says, as far as it can be read.
pub(crate) fn tables(image: &Image) -> Tables {
    let mut tables = Tables::new();
    walk(image, 1, &mut Walked::default(), &mut |record| {
        let values = record.values.as_slice();
        let name: Option<String> = values.column(1);
        let root = values
            .column::<i64>(3)
            .and_then(|root| u32::try_from(root).ok());
        if let (Some(name), Some(root), 5) = (name, root, values.len()) {
            tables.insert(name, (root, values.column(4).unwrap_or_default()));
        }
    });
    tables
}

/// The ledger, as far as it can be read.
fn ledger(image: &Image, tables: &Tables) -> Vec<Entry> {
    let mut entries = Vec::new();
    if let Some((root, _)) = tables.get("ledger") {
        walk(image, *root, &mut Walked::default(), &mut |record| {
            entries.extend(Entry::read(record.values.as_slice()));
        });
    }
    entries
}

fn number(page: &[u8], at: usize) -> i64 {
    page.get(at..at + 4)
        .and_then(|four| four.try_into().ok())
        .map_or(0, |four| i64::from(i32::from_be_bytes(four)))
}

/// Whether the fields of the header that never change are what we write.
fn header_holds(page: &[u8], page_size: usize) -> bool {
    usize::from(u16::from_be_bytes([page[16], page[17]])) == page_size
        && matches!((page[18], page[19]), (1, 1) | (2, 2))
        && page[20] == 0
        && page[21..24] == [64, 32, 32]
        && (1..=4).contains(&number(page, 44))
        && [48, 52, 64].iter().all(|at| number(page, *at) == 0)
        && number(page, 56) == 1
        && page[72..92].iter().all(|byte| *byte == 0)
}

/// Whether the file is whole and its schema has no table: not one whose tables can't be read.
fn schema_is_empty(image: &Image, page: &[u8]) -> bool {
    const LEAF: u8 = 13;
    image.main_len() >= image.page_size() as u64 && page[100] == LEAF && page[103..105] == [0, 0]
}

/// Examines a file. One that is not ours, or newer than we are, is refused.
pub(crate) fn examine(path: &Path) -> Result<Examined, StoreError> {
    let manifest = Manifest::read(path);
    let page_size = manifest.as_ref().map(|manifest| manifest.page_size);
    let mut image = Image::load(path, page_size)?;
    let state = if image.main_len() == 0 {
        let known = manifest.as_ref().map_or(0, Manifest::rows);
        if known > 0 {
            State::Damaged(format!(
                "its file is gone or empty, {known} rows were in it"
            ))
        } else if image.has_log() && holds_our_rows(&image) {
            State::Damaged("its file is gone or empty, its log is there".to_owned())
        } else {
            State::Absent
        }
    } else {
        let state = examine_pages(path, &image, manifest.as_ref())?;
        if matches!(state, State::Damaged(_)) && page_size.is_none() {
            // Nothing but the header says how large the pages are: ours are.
            image = Image::load(path, Some(crate::image::USUAL_PAGE_SIZE))?;
        }
        state
    };
    Ok(Examined {
        state,
        image,
        manifest,
    })
}

fn examine_pages(
    path: &Path,
    image: &Image,
    manifest: Option<&Manifest>,
) -> Result<State, StoreError> {
    let foreign = || StoreError::Foreign {
        path: path.to_owned(),
    };
    let page = image.page(1).filter(|page| page.len() >= 512);
    let page = page.unwrap_or_else(|| vec![0; 512]);
    let magic = page.starts_with(MAGIC);
    let application = number(&page, 68);
    if !magic || application != APPLICATION_ID {
        let version = number(&page, 60);
        let unnamed = magic && application == 0 && version == 0 && manifest.is_none();
        if unnamed && schema_is_empty(image, &page) {
            // Made a moment ago, by a program that was killed before it said whose it is.
            return Ok(State::Sound);
        }
        // The first page may be what is damaged. A row under one of our checksums is evidence.
        let usual = Image::load(path, Some(crate::image::USUAL_PAGE_SIZE))?;
        if holds_our_rows(image) || (manifest.is_none() && holds_our_rows(&usual)) {
            return Ok(State::Damaged(
                "its first page does not say that it is a store, and it holds rows of one"
                    .to_owned(),
            ));
        }
        return Err(if magic {
            foreign()
        } else {
            StoreError::NotAStore {
                path: path.to_owned(),
            }
        });
    }
    let version = number(&page, 60);
    let tables = tables(image);
    let differing = |version: i64| -> Result<Vec<String>, StoreError> {
        let objects = schema::objects(version)?;
        Ok(objects
            .into_iter()
            .filter(|(name, sql)| tables.get(name).is_none_or(|(_, found)| found != sql))
            .map(|(name, _)| name)
            .collect())
    };
    if !(0..=NEWEST).contains(&version) {
        // A newer program would have said so in the manifest and changed a table.
        let flipped = ((version ^ NEWEST) & 0xffff_ffff).count_ones() == 1
            && manifest.is_some_and(|manifest| manifest.schema == NEWEST)
            && differing(NEWEST)?.is_empty();
        if !flipped {
            return Err(StoreError::Newer {
                path: path.to_owned(),
                found: version,
                known: NEWEST,
            });
        }
        return Ok(State::Damaged(
            "the version in its header is damaged".to_owned(),
        ));
    }
    let damaged = |why: &str| Ok(State::Damaged(why.to_owned()));
    // Before the first table is made, not all of the header is written.
    if version > 0 && !header_holds(&page, image.page_size()) {
        return damaged("its header is damaged");
    }
    if number(&page, 28) > i64::from(image.whole_pages()) {
        return damaged("its file was cut short");
    }
    let differing = differing(version)?;
    if !differing.is_empty() {
        return Ok(State::Damaged(format!(
            "its schema is damaged: {} can't be found",
            differing.join(", ")
        )));
    }
    if manifest.is_some_and(|manifest| manifest.schema > version) {
        return damaged("its header says an older version than was written");
    }
    if let Some(why) = image.log_damage() {
        return damaged(why);
    }
    if version >= LEDGER_SINCE {
        let entries = ledger(image, &tables);
        for name in LISTS {
            let Some(entry) = entries.iter().find(|entry| entry.name == name) else {
                return Ok(State::Damaged(format!("its count of {name} is damaged")));
            };
            if let Some(known) = manifest.and_then(|manifest| manifest.list(name))
                && (known.revision > entry.revision
                    || (known.revision == entry.revision && known != entry))
            {
                return Ok(State::Damaged(format!(
                    "its last {} changes of {name} are missing",
                    known.revision - entry.revision
                )));
            }
        }
    }
    Ok(State::Sound)
}

/// Whether any page has a row under a checksum of ours.
fn holds_our_rows(image: &Image) -> bool {
    (1..=image.pages().min(MOST_SEARCHED)).any(|page| {
        let mut found = Found::default();
        found.search_page(image, page);
        found.has_rows()
    })
}
