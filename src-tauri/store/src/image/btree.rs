//! Reads the cells of b-tree pages and their records without trusting any byte.

use std::collections::BTreeSet;

use rusqlite::types::Value;

use super::Image;

/// Upper bound on the number of columns in our tables.
const MOST_COLUMNS: usize = 15;

/// Type of a b-tree page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    InnerIndex,
    InnerTable,
    LeafIndex,
    LeafTable,
}

impl Kind {
    fn of(byte: u8) -> Option<Self> {
        match byte {
            2 => Some(Self::InnerIndex),
            5 => Some(Self::InnerTable),
            10 => Some(Self::LeafIndex),
            13 => Some(Self::LeafTable),
            _ => None,
        }
    }

    fn header(self) -> usize {
        match self {
            Self::InnerIndex | Self::InnerTable => 12,
            Self::LeafIndex | Self::LeafTable => 8,
        }
    }
}

/// A record in a page.
#[derive(Debug)]
pub(crate) struct Record {
    /// The row id; `None` in an index or a table without row ids.
    pub(crate) rowid: Option<i64>,
    pub(crate) values: Vec<Value>,
}

/// The parsed content of a page.
#[derive(Debug, Default)]
pub(crate) struct PageRecords {
    pub(crate) children: Vec<u32>,
    pub(crate) records: Vec<Record>,
    /// Number of unreadable cells.
    pub(crate) broken: usize,
}

fn varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut value = 0_u64;
    for place in 0..8 {
        let byte = *bytes.get(at + place)?;
        value = value << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some((value, at + place + 1));
        }
    }
    let byte = *bytes.get(at + 8)?;
    Some((value << 8 | u64::from(byte), at + 9))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    let two = bytes.get(at..at + 2)?;
    Some(usize::from(u16::from_be_bytes([two[0], two[1]])))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// The serial types of a record and the offset of its first value.
fn types(payload: &[u8]) -> Option<(Vec<u64>, usize)> {
    let (length, mut at) = varint(payload, 0)?;
    let end = usize::try_from(length)
        .ok()
        .filter(|end| *end <= payload.len() && *end <= 9 * (MOST_COLUMNS + 1))?;
    let mut types = Vec::new();
    while at < end {
        let (kind, next) = varint(payload, at)?;
        if matches!(kind, 10 | 11) {
            return None;
        }
        types.push(kind);
        at = next;
    }
    (at == end && types.len() <= MOST_COLUMNS).then_some((types, end))
}

fn size_of(kind: u64) -> Option<usize> {
    Some(match kind {
        0 | 8 | 9 => 0,
        1..=4 => kind as usize,
        5 => 6,
        6 | 7 => 8,
        _ => usize::try_from((kind - 12) / 2).ok()?,
    })
}

fn value(kind: u64, bytes: &[u8]) -> Option<Value> {
    Some(match kind {
        0 => Value::Null,
        8 => Value::Integer(0),
        9 => Value::Integer(1),
        1..=6 => {
            let start = if bytes[0] >= 0x80 { -1_i64 } else { 0 };
            Value::Integer(
                bytes
                    .iter()
                    .fold(start, |number, byte| number << 8 | i64::from(*byte)),
            )
        }
        7 => Value::Real(f64::from_be_bytes(bytes.try_into().ok()?)),
        even if even % 2 == 0 => Value::Blob(bytes.to_vec()),
        _ => Value::Text(String::from_utf8(bytes.to_vec()).ok()?),
    })
}

fn decode(payload: &[u8]) -> Option<Vec<Value>> {
    let (types, mut at) = types(payload)?;
    let mut values = Vec::with_capacity(types.len());
    for kind in types {
        let end = at.checked_add(size_of(kind)?)?;
        values.push(value(kind, payload.get(at..end)?)?);
        at = end;
    }
    (at == payload.len()).then_some(values)
}

impl Image {
    /// The whole payload of a cell, of which `page` holds the beginning.
    fn payload(&self, page: &[u8], at: usize, size: u64, table: bool) -> Option<Vec<u8>> {
        let size = usize::try_from(size).ok()?;
        let usable = self.page_size();
        if size < 2 || size as u64 > u64::from(self.pages()) * usable as u64 {
            return None;
        }
        let most = if table {
            usable - 35
        } else {
            (usable - 12) * 64 / 255 - 23
        };
        let local = if size <= most {
            size
        } else {
            let least = (usable - 12) * 32 / 255 - 23;
            let fitting = least + (size - least) % (usable - 4);
            if fitting <= most { fitting } else { least }
        };
        let beginning = page.get(at..at + local)?;
        // Follow overflow pages only for payloads that can be records of ours.
        let (kinds, start) = types(beginning)?;
        let total = kinds
            .iter()
            .try_fold(start, |sum, kind| sum.checked_add(size_of(*kind)?))?;
        if total != size {
            return None;
        }
        let mut payload = beginning.to_vec();
        if local == size {
            return Some(payload);
        }
        let mut next = u32_at(page, at + local)?;
        let mut seen = BTreeSet::new();
        while payload.len() < size {
            if next == 0 || !seen.insert(next) {
                return None;
            }
            let overflow = self.page(next)?;
            let rest = (size - payload.len()).min(usable - 4);
            payload.extend(overflow.get(4..4 + rest)?);
            next = u32_at(&overflow, 0)?;
        }
        self.overflow.borrow_mut().extend(seen);
        Some(payload)
    }

    /// The record of the cell at an offset of a page; on an interior page, with the child before
    /// it.
    fn cell(&self, page: &[u8], kind: Kind, at: usize) -> Option<(Option<u32>, Option<Record>)> {
        let (child, at) = match kind {
            Kind::InnerIndex | Kind::InnerTable => (Some(u32_at(page, at)?), at + 4),
            Kind::LeafIndex | Kind::LeafTable => (None, at),
        };
        if kind == Kind::InnerTable {
            return Some((child, None));
        }
        let record = self.record(page, kind == Kind::LeafTable, at);
        Some((child, record))
    }

    fn record(&self, page: &[u8], table: bool, at: usize) -> Option<Record> {
        let (size, at) = varint(page, at)?;
        let (rowid, at) = if table {
            let (rowid, at) = varint(page, at)?;
            (Some(rowid.cast_signed()), at)
        } else {
            (None, at)
        };
        let values = decode(&self.payload(page, at, size, table)?)?;
        Some(Record { rowid, values })
    }

    /// Parses a page by its header; `None` if it is not a b-tree page.
    pub(crate) fn page_records(&self, number: u32) -> Option<PageRecords> {
        let page = self.page(number)?;
        self.page_records_at(&page, if number == 1 { 100 } else { 0 })
    }

    /// Like [`Image::page_records`], for the bytes of a page whose header is at an offset.
    pub(crate) fn page_records_at(&self, page: &[u8], start: usize) -> Option<PageRecords> {
        let kind = Kind::of(*page.get(start)?)?;
        let cells = u16_at(page, start + 3)?;
        let array = start + kind.header();
        if array + cells * 2 > page.len() {
            return None;
        }
        let mut page_records = PageRecords::default();
        for cell in 0..cells {
            let at = u16_at(page, array + cell * 2)?;
            match self.cell(page, kind, at) {
                Some((child, record)) => {
                    page_records.children.extend(child);
                    page_records.broken +=
                        usize::from(record.is_none() && kind != Kind::InnerTable);
                    page_records.records.extend(record);
                }
                None => page_records.broken += 1,
            }
        }
        if matches!(kind, Kind::InnerIndex | Kind::InnerTable) {
            page_records.children.push(u32_at(page, start + 8)?);
        }
        Some(page_records)
    }

    /// Every record that could begin at any byte of a page: for pages with a damaged header or
    /// damaged cell pointers.
    pub(crate) fn records_anywhere(&self, page: &[u8]) -> Vec<Record> {
        (0..page.len())
            .flat_map(|at| [self.record(page, true, at), self.record(page, false, at)])
            .flatten()
            .collect()
    }
}

/// Pages visited by the walks over trees.
#[derive(Debug, Default)]
pub(crate) struct PageVisits {
    /// Pages that could be parsed.
    pub(crate) seen: BTreeSet<u32>,
    /// Pages that are partly unreadable, or that two parents refer to.
    pub(crate) broken: BTreeSet<u32>,
}

/// Visits every record of the tree below a page.
pub(crate) fn walk(
    image: &Image,
    root: u32,
    visits: &mut PageVisits,
    take: &mut dyn FnMut(Record),
) {
    let mut open = vec![root];
    while let Some(number) = open.pop() {
        if !visits.seen.insert(number) {
            visits.broken.insert(number);
            continue;
        }
        match image.page_records(number) {
            Some(page_records) => {
                if page_records.broken > 0 {
                    visits.broken.insert(number);
                }
                open.extend(page_records.children);
                page_records.records.into_iter().for_each(&mut *take);
            }
            None => {
                visits.broken.insert(number);
            }
        }
    }
}
