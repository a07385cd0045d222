//! The pages of a store as its last committed transaction left them: those of the file, overlaid
//! with those of the write-ahead log. Bypasses SQLite, reads only, and takes no lock.
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

/// Page size, in bytes, of every store that Promptdeck creates.
pub(crate) const USUAL_PAGE_SIZE: usize = 4096;

/// Magic bytes of a SQLite file.
pub(crate) const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// The pages of a store.
#[derive(Debug)]
pub(crate) struct Image {
    main: Option<RawFile>,
    log: Log,
    page_size: usize,
    /// Overflow pages of the records read so far.
    overflow: RefCell<BTreeSet<u32>>,
}

/// Path of a sidecar file: `store.sqlite` and `-wal` give `store.sqlite-wal`.
pub(crate) fn sidecar_path(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

impl Image {
    /// Opens the file and reads the log. A missing file contributes no pages.
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

    /// Overflow pages of the records read so far.
    pub(crate) fn overflow_pages(&self) -> BTreeSet<u32> {
        self.overflow.borrow().clone()
    }

    pub(crate) fn page_size(&self) -> usize {
        self.page_size
    }

    /// Length of the file in bytes, without its log.
    pub(crate) fn main_len(&self) -> u64 {
        self.main.as_ref().map_or(0, RawFile::len)
    }

    /// Description of the damage in the log, if any.
    pub(crate) fn log_damage(&self) -> Option<&'static str> {
        self.log.damage
    }

    pub(crate) fn has_log(&self) -> bool {
        !self.log.is_empty()
    }

    /// Number of pages in file and log, without a partial page at the end.
    pub(crate) fn whole_pages(&self) -> u32 {
        let main = self.main_len() / self.page_size as u64;
        u32::try_from(main)
            .unwrap_or(u32::MAX)
            .max(self.log.last_page())
    }

    /// Number of pages in file and log, with a partial page at the end.
    pub(crate) fn pages(&self) -> u32 {
        let size = self.page_size as u64;
        let main = u32::try_from(self.main_len().div_ceil(size)).unwrap_or(u32::MAX);
        main.max(self.log.last_page())
    }

    /// Reads a page, numbered from 1; `None` if it does not exist or cannot be read.
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
        // A truncated file ends in a partial page.
        page.resize(self.page_size, 0);
        Some(page)
    }

    /// Older versions of pages still in the log, newest first.
    pub(crate) fn older_pages(&self) -> impl Iterator<Item = &[u8]> {
        self.log.all_frames().rev()
    }

    /// The pages as a database file that SQLite opens without a log.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        let first = self.page(1)?;
        let stated = u32::from_be_bytes(first.get(28..32)?.try_into().ok()?);
        let pages = if stated == 0 { self.pages() } else { stated };
        if pages > self.pages() {
            return None;
        }
        let mut bytes = Vec::with_capacity(pages as usize * self.page_size);
        for number in 1..=pages {
            bytes.extend(self.page(number)?);
        }
        // File format versions 1: rollback journal, so that SQLite looks for no log.
        bytes[18..20].fill(1);
        Some(bytes)
    }
}
