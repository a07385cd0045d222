//! Reads the write-ahead log: which frames are committed, and whether the chain of checksums breaks
//! before the end.

use std::collections::BTreeMap;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// A parsed log.
#[derive(Debug, Default)]
pub(crate) struct Log {
    bytes: Vec<u8>,
    page_size: usize,
    /// Offset of the newest committed version of each page.
    newest: BTreeMap<u32, usize>,
    /// Offsets of all committed frames, oldest first.
    frames: Vec<usize>,
    /// Description of the damage, if any.
    pub(crate) damage: Option<&'static str>,
}

struct Frame {
    /// Offset of the page's bytes in the log.
    offset: usize,
    page: u32,
    /// Whether the frame ends a transaction.
    commit: bool,
    salts: [u8; 8],
    checksum: (u32, u32),
    /// Whether the checksum continues that of the previous frame.
    follows: bool,
}

fn number(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..at + 4)
        .and_then(|four| four.try_into().ok())
        .map_or(0, u32::from_be_bytes)
}

fn checksum(bytes: &[u8], big_endian: bool, (mut one, mut two): (u32, u32)) -> (u32, u32) {
    let word = |four: &[u8]| {
        let four = [four[0], four[1], four[2], four[3]];
        if big_endian {
            u32::from_be_bytes(four)
        } else {
            u32::from_le_bytes(four)
        }
    };
    for eight in bytes.chunks_exact(8) {
        one = one.wrapping_add(word(&eight[..4])).wrapping_add(two);
        two = two.wrapping_add(word(&eight[4..])).wrapping_add(one);
    }
    (one, two)
}

impl Log {
    /// Parses a log. Frames count up to the last commit. Behind a break in the chain, frames count
    /// again if the chain resumes and reaches a commit: an interrupted write never does, so the
    /// break is damage.
    pub(crate) fn read(bytes: Vec<u8>, page_size: usize) -> Self {
        let mut log = Self {
            bytes,
            page_size,
            ..Self::default()
        };
        if log.bytes.len() < HEADER + FRAME_HEADER + page_size {
            return log;
        }
        let magic = number(&log.bytes, 0);
        let big_endian = magic == 0x377f_0683;
        let stated = (number(&log.bytes, 24), number(&log.bytes, 28));
        let header_holds = (big_endian || magic == 0x377f_0682)
            && number(&log.bytes, 8) as usize == page_size
            && checksum(&log.bytes[..24], big_endian, (0, 0)) == stated;
        let mut frames = log.frames(big_endian, stated);
        let salts = if header_holds {
            log.bytes[16..24].try_into().unwrap_or_default()
        } else {
            // Don't trust the header: take the salts of the first frame.
            frames.first().map(|frame| frame.salts).unwrap_or_default()
        };
        // Frames with other salts are left over from an earlier round of the log.
        let end = frames.iter().rposition(|frame| frame.salts == salts);
        frames.truncate(end.map_or(0, |end| end + 1));
        for frame in &mut frames {
            frame.follows &= frame.salts == salts;
        }
        if !header_holds && let Some(first) = frames.first_mut() {
            first.follows = true;
        }
        let (mut stretch, mut broken, mut resumed) = (Vec::new(), false, false);
        for frame in &frames {
            if !frame.follows {
                stretch.clear();
                broken = true;
                continue;
            }
            stretch.push((frame.page, frame.offset));
            if frame.commit {
                resumed |= broken;
                for (page, offset) in stretch.drain(..) {
                    log.newest.insert(page, offset);
                    log.frames.push(offset);
                }
            }
        }
        if !header_holds && !log.frames.is_empty() {
            log.damage = Some("the header of its log is damaged");
        } else if resumed {
            log.damage = Some("its log is damaged before its end");
        }
        log
    }

    fn frames(&self, big_endian: bool, mut before: (u32, u32)) -> Vec<Frame> {
        let size = FRAME_HEADER + self.page_size;
        let mut frames = Vec::new();
        for (place, bytes) in self.bytes[HEADER..].chunks_exact(size).enumerate() {
            let stated = (number(bytes, 16), number(bytes, 20));
            let computed = checksum(&bytes[..8], big_endian, before);
            let computed = checksum(&bytes[FRAME_HEADER..], big_endian, computed);
            frames.push(Frame {
                offset: HEADER + place * size + FRAME_HEADER,
                page: number(bytes, 0),
                commit: number(bytes, 4) > 0,
                salts: bytes[8..16].try_into().unwrap_or_default(),
                checksum: stated,
                follows: computed == stated && number(bytes, 0) > 0,
            });
            before = frames.last().map_or(before, |frame| frame.checksum);
        }
        frames
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub(crate) fn last_page(&self) -> u32 {
        self.newest.last_key_value().map_or(0, |(page, _)| *page)
    }

    pub(crate) fn page(&self, number: u32) -> Option<&[u8]> {
        let offset = *self.newest.get(&number)?;
        self.bytes.get(offset..offset + self.page_size)
    }

    pub(crate) fn all_frames(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.frames
            .iter()
            .filter_map(|offset| self.bytes.get(*offset..offset + self.page_size))
    }
}
