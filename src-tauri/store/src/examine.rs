//! Classifies a file before SQLite opens it, without changing it: an intact store, a damaged one,
//! or no store at all.

use std::collections::BTreeMap;
use std::path::Path;

use crate::StoreError;
use crate::columns::Columns;
use crate::image::btree::{PageVisits, walk};
use crate::image::{Image, MAGIC};
use crate::list_checksums::{self, Entry};
use crate::manifest::Manifest;
use crate::row_scan::FoundRows;
use crate::salvage::counted;
use crate::schema::{self, APPLICATION_ID, NEWEST};

/// Maximum number of pages searched for our rows in a file whose header does not identify it.
const MOST_SEARCHED: u32 = 65_536;

/// First schema with a ledger.
const LEDGER_SINCE: i64 = 4;

/// Smallest page size of a SQLite database, in bytes.
const LEAST_PAGE: usize = 512;

/// Offsets of the schema version and the application id in the header.
const VERSION_AT: usize = 60;
const APPLICATION_AT: usize = 68;

/// A schema version above this is treated as damage, not as a newer program.
const FARTHEST_VERSION: i64 = 1000;

/// Classification of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// The file is missing or empty.
    Absent,
    /// The manifest describes a store, but neither file nor log exist.
    Gone,
    /// A store without visible damage; the examination does not read all of it.
    Sound,
    /// An intact store that lacks its last changes, described in the string: an older copy in its
    /// place, or a store without its log.
    Older(String),
    /// A damaged store; the string describes the damage.
    Damaged(String),
}

/// Result of examining a file.
#[derive(Debug)]
pub(crate) struct Examination {
    pub(crate) state: State,
    pub(crate) image: Image,
    pub(crate) manifest: Option<Manifest>,
    /// Schema version in the header.
    pub(crate) schema: i64,
}

/// The tables and indexes of a store: root page and SQL by name.
pub(crate) type Tables = BTreeMap<String, (u32, String)>;

/// Reads the readable part of the schema table.
pub(crate) fn tables(image: &Image) -> Tables {
    let mut tables = Tables::new();
    walk(image, 1, &mut PageVisits::default(), &mut |record| {
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

/// Reads the readable part of the ledger.
fn entries(image: &Image, tables: &Tables) -> Vec<Entry> {
    let mut entries = Vec::new();
    if let Some((root, _)) = tables.get("ledger") {
        walk(image, *root, &mut PageVisits::default(), &mut |record| {
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

/// Whether the header's constant fields have the values that we write.
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

/// Whether the file is complete and its schema table is readable and empty.
fn schema_is_empty(image: &Image, page: &[u8]) -> bool {
    const LEAF: u8 = 13;
    image.main_len() >= image.page_size() as u64 && page[100] == LEAF && page[103..105] == [0, 0]
}

/// Examines a file. Foreign files and newer stores are errors.
pub(crate) fn examine(path: &Path) -> Result<Examination, StoreError> {
    let manifest = Manifest::read(path);
    let page_size = manifest.as_ref().map(|manifest| manifest.page_size);
    let mut image = Image::load(path, page_size)?;
    let state = if image.main_len() == 0 {
        let had_rows = manifest.as_ref().is_some_and(|known| known.rows() > 0);
        if image.has_log() && holds_our_rows(&image) {
            State::Damaged("its file is gone or empty, its log is there".to_owned())
        } else if had_rows {
            State::Gone
        } else {
            State::Absent
        }
    } else {
        let state = examine_pages(path, &image, manifest.as_ref())?;
        if matches!(state, State::Damaged(_)) && page_size.is_none() {
            // Only the header states the page size; without it, assume ours.
            image = Image::load(path, Some(crate::image::USUAL_PAGE_SIZE))?;
        }
        state
    };
    let schema = image.page(1).map_or(0, |page| number(&page, VERSION_AT));
    Ok(Examination {
        state,
        image,
        manifest,
        schema,
    })
}

fn examine_pages(
    path: &Path,
    image: &Image,
    manifest: Option<&Manifest>,
) -> Result<State, StoreError> {
    let damaged = |reason: &str| Ok(State::Damaged(reason.to_owned()));
    let page = image.page(1).filter(|page| page.len() >= LEAST_PAGE);
    let page = page.unwrap_or_else(|| vec![0; LEAST_PAGE]);
    let magic = page.starts_with(MAGIC);
    if !magic || number(&page, APPLICATION_AT) != APPLICATION_ID {
        return not_named_ours(path, image, &page, manifest);
    }
    let version = number(&page, VERSION_AT);
    let tables = tables(image);
    match stated_version(version, &tables, manifest)? {
        Version::Stated => {}
        Version::Damaged => return damaged("the version in its header is damaged"),
        Version::Newer => {
            return Err(StoreError::Newer {
                path: path.to_owned(),
                found: version,
                known: NEWEST,
            });
        }
    }
    // SQLite completes the header when it creates the first table.
    if version > 0 && !header_holds(&page, image.page_size()) {
        return damaged("its header is damaged");
    }
    let (stated, whole) = (number(&page, 28), image.whole_pages());
    if stated > i64::from(whole) {
        return Ok(State::Damaged(format!(
            "its header counts {stated} pages and its file holds {whole}"
        )));
    }
    let differing = differing(&tables, version)?;
    if !differing.is_empty() {
        return Ok(State::Damaged(format!(
            "its schema is damaged: {} cannot be found",
            differing.join(", ")
        )));
    }
    if let Some(reason) = image.log_damage() {
        return damaged(reason);
    }
    if version >= LEDGER_SINCE {
        let entries = entries(image, &tables);
        return Ok(examine_lists(image, version, &entries, manifest));
    }
    Ok(
        match manifest.filter(|manifest| manifest.schema > version) {
            Some(manifest) => State::Older(format!(
                "it has schema {version}, and schema {} was written last",
                manifest.schema
            )),
            None => State::Sound,
        },
    )
}

/// Classifies a file whose first page does not identify it as a store.
fn not_named_ours(
    path: &Path,
    image: &Image,
    page: &[u8],
    manifest: Option<&Manifest>,
) -> Result<State, StoreError> {
    let magic = page.starts_with(MAGIC);
    let unnamed = magic && number(page, APPLICATION_AT) == 0 && number(page, VERSION_AT) == 0;
    if unnamed && manifest.is_none() && schema_is_empty(image, page) {
        // A program was killed after it created the file and before it wrote the application id.
        return Ok(State::Sound);
    }
    // The first page itself may be damaged. A row that passes our checksum identifies the store.
    let usual = Image::load(path, Some(crate::image::USUAL_PAGE_SIZE))?;
    if holds_our_rows(image) || (manifest.is_none() && holds_our_rows(&usual)) {
        return Ok(State::Damaged(
            "its first page does not say that it is a store, and it holds rows of one".to_owned(),
        ));
    }
    let length = image.main_len();
    if length >= LEAST_PAGE as u64 && magic {
        return Err(StoreError::Foreign {
            path: path.to_owned(),
        });
    }
    // Shorter than any database, so it belongs to no other program, and it starts like ours.
    let known = manifest.map_or(0, Manifest::rows);
    let begins_as_ours = MAGIC.starts_with(&page[..MAGIC.len().min(length as usize)]);
    if known > 0 && length < LEAST_PAGE as u64 && begins_as_ours {
        return Ok(State::Damaged(format!(
            "its file was cut short to {length} bytes, and held {}",
            counted(known, "rows")
        )));
    }
    Err(StoreError::NotAStore {
        path: path.to_owned(),
    })
}

/// How far the version in the header can be trusted.
enum Version {
    Stated,
    Damaged,
    Newer,
}

/// Compares the version in the header with the tables and the manifest. Every schema has tables or
/// indexes that no other has. A version that disagrees with them is therefore damage, unless this
/// program does not know the tables.
fn stated_version(
    version: i64,
    tables: &Tables,
    manifest: Option<&Manifest>,
) -> Result<Version, StoreError> {
    let is_known = (0..=NEWEST).contains(&version);
    let written = manifest.map(|manifest| manifest.schema);
    let by_tables = schema_of(tables)?;
    Ok(match by_tables {
        Some(schema) if schema == version => Version::Stated,
        // A newer program would have changed a table and written its version into the manifest.
        Some(schema) if written.is_none_or(|written| written <= schema) => Version::Damaged,
        _ if is_known => Version::Stated,
        _ if (0..=FARTHEST_VERSION).contains(&version)
            && written.is_none_or(|written| written >= version || !tables.is_empty()) =>
        {
            Version::Newer
        }
        _ if written.is_some_and(|written| written <= NEWEST) => Version::Damaged,
        _ => Version::Newer,
    })
}

/// The schema whose tables and indexes match exactly.
fn schema_of(tables: &Tables) -> Result<Option<i64>, StoreError> {
    let named = tables.values().filter(|(_, sql)| !sql.is_empty()).count();
    for version in (1..=NEWEST).rev() {
        let objects = schema::objects(version)?;
        if objects.len() == named && differing(tables, version)?.is_empty() {
            return Ok(Some(version));
        }
    }
    Ok(None)
}

/// Names of the schema's tables and indexes that are missing or differ.
fn differing(tables: &Tables, version: i64) -> Result<Vec<String>, StoreError> {
    let objects = schema::objects(version)?;
    Ok(objects
        .iter()
        .filter(|(name, sql)| tables.get(name).is_none_or(|(_, found)| found != sql))
        .map(|(name, _)| name.clone())
        .collect())
}

/// Compares the ledger with the manifest.
fn examine_lists(
    image: &Image,
    schema: i64,
    entries: &[Entry],
    manifest: Option<&Manifest>,
) -> State {
    let mut missing = Vec::new();
    for &name in list_checksums::lists_of(schema) {
        let Some(entry) = entries.iter().find(|entry| entry.name == name) else {
            return State::Damaged(format!("its count of {name} is damaged"));
        };
        let Some(known) = manifest.and_then(|manifest| manifest.list(name)) else {
            continue;
        };
        if known.revision > entry.revision {
            let changes = known.revision - entry.revision;
            missing.push(match changes {
                1 => format!("its last change of {name} is missing"),
                _ => format!("its last {changes} changes of {name} are missing"),
            });
        } else if known.revision == entry.revision && known != entry {
            missing.push(format!("its {name} are not those that were written last"));
        }
    }
    if missing.is_empty() {
        State::Sound
    } else if image.has_log() {
        // The log may have lost its end; the rest of it can be searched.
        State::Damaged(missing.join(", "))
    } else {
        State::Older(missing.join(", "))
    }
}

/// Whether any page holds a row that passes our checksum.
fn holds_our_rows(image: &Image) -> bool {
    (1..=image.pages().min(MOST_SEARCHED)).any(|page| {
        let mut found = FoundRows::default();
        found.search_page(image, page);
        found.has_rows()
    })
}
