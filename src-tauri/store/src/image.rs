//! The pages of a store as its last committed transaction left them: those of the file, and over
//! them those of the write-ahead log. Reads only, past SQLite, and touches nothing.
//!
//! Format: <https://www.sqlite.org/fileformat2.html>.

pub(crate) mod btree;
mod log;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::raw_file::RawFile;
use crate::{StoreError, regular_file};
use log::Log;

/// Size of the pages of every store made by us.
pub(crate) const USUAL_PAGE_SIZE: usize = 4096;

/// The first bytes of a SQLite file.
pub(crate) const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// The pages of a store.
#[derive(Debug)]
pub(crate) struct Image {
    main: Option<RawFile>,
    log: Log,
    page_size: usize,
    /// Pages found to be the later parts of a record.
    overflow: RefCell<BTreeSet<u32>>,
}

/// A companion of the store's file: `store.sqlite` and `-wal` give `store.sqlite-wal`.
pub(crate) fn sidecar_path(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

impl Image {
    /// Opens the file and reads the log; a missing file has no pages of its own.
    pub(crate) fn load(path: &Path, page_size: Option<usize>) -> Result<Self, StoreError> {
        let main = match RawFile::open(path) {
            Ok(main) => Some(main),
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => None,
            Err(fault) => return Err(StoreError::file("read", path, fault)),
        };
        let log_path = sidecar_path(path, "-wal");
        let mut log = Vec::new();
        match regular_file::open(&log_path).and_then(|mut file| file.read_to_end(&mut log)) {
            Ok(_) => {}
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => {}
            Err(fault) => return Err(StoreError::file("read", &log_path, fault)),
        }
        let page_size = page_size.unwrap_or_else(|| {
            let header = main.as_ref().and_then(|main| main.read_at(0, 18).ok());
            header
                .filter(|header| header.len() == 18 && header.starts_with(MAGIC))
                .map(|header| usize::from(u16::from_be_bytes([header[16], header[17]])))
                .filter(|size| (512..=32768).contains(size) && size.is_power_of_two())
                .unwrap_or(USUAL_PAGE_SIZE)
        });
        Ok(Self {
            main,
            log: Log::read(log, page_size),
            page_size,
            overflow: RefCell::default(),
        })
    }

    /// Pages that were the later parts of the records read so far.
    pub(crate) fn overflow_pages(&self) -> BTreeSet<u32> {
        self.overflow.borrow().clone()
    }

    pub(crate) fn page_size(&self) -> usize {
        self.page_size
    }

    /// Bytes of the file without its log.
    pub(crate) fn main_len(&self) -> u64 {
        self.main.as_ref().map_or(0, RawFile::len)
    }

    /// Why the log is not what was written, if it is not.
    pub(crate) fn log_damage(&self) -> Option<&'static str> {
        self.log.damage
    }

    pub(crate) fn has_log(&self) -> bool {
        !self.log.is_empty()
    }

    /// How many pages file and log hold as a whole: half a page at the end is not counted.
    pub(crate) fn whole_pages(&self) -> u32 {
        let main = self.main_len() / self.page_size as u64;
        u32::try_from(main)
            .unwrap_or(u32::MAX)
            .max(self.log.last_page())
    }

    /// How many pages file and log hold.
    pub(crate) fn pages(&self) -> u32 {
        let size = self.page_size as u64;
        let main = u32::try_from(self.main_len().div_ceil(size)).unwrap_or(u32::MAX);
        main.max(self.log.last_page())
    }

    /// A page, numbered from 1; none where nothing can be read.
    pub(crate) fn page(&self, number: u32) -> Option<Vec<u8>> {
        if let Some(page) = self.log.page(number) {
            return Some(page.to_vec());
        }
        let offset = u64::from(number.checked_sub(1)?) * self.page_size as u64;
        let mut page = self
            .main
            .as_ref()?
            .read_at(offset, self.page_size)
            .ok()
            .filter(|page| !page.is_empty())?;
        // A file cut short ends in half a page.
        page.resize(self.page_size, 0);
        Some(page)
    }

    /// Older versions of pages that the log still holds, newest first.
    pub(crate) fn older_pages(&self) -> impl Iterator<Item = &[u8]> {
        self.log.all_frames().rev()
    }

    /// A database file that SQLite opens without a log.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        let first = self.page(1)?;
        let told = u32::from_be_bytes(first.get(28..32)?.try_into().ok()?);
        let pages = if told == 0 { self.pages() } else { told };
        if pages > self.pages() {
            return None;
        }
        let mut bytes = Vec::with_capacity(pages as usize * self.page_size);
        for number in 1..=pages {
            bytes.extend(self.page(number)?);
        }
        // Versions 1: a rollback journal, as there is no log to be read.
        bytes[18..20].fill(1);
        Some(bytes)
    }
}
