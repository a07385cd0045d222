//! The text chunks of a PNG image. Nothing is decompressed, and no pixel is read.

use crate::{
    import::text_input::fault,
    registry::{ParseCode, ParseError},
};

/// The eight bytes that begin every PNG file.
pub(in crate::import) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The largest text chunk that is read, in bytes.
const MAX_CHUNK: usize = 64 << 20;

/// The text under the first of these keywords that the image has, and the keyword.
///
/// # Errors
///
/// Files that are no PNG, chunks that reach beyond the end of the file, text chunks that are too
/// large or damaged, and images without any of the keywords.
pub(super) fn text_chunk<'b, 'k>(
    bytes: &'b [u8],
    keywords: &[&'k str],
) -> Result<(&'k str, &'b [u8]), ParseError> {
    let Some(mut rest) = bytes.strip_prefix(SIGNATURE) else {
        return Err(syntax("not a PNG file (wrong magic bytes)"));
    };
    let mut best: Option<(usize, &'b [u8])> = None;
    let mut compressed = None;
    loop {
        let at = bytes.len() - rest.len();
        let Some(chunk) = Chunk::read(&mut rest, at)? else {
            break;
        };
        match &chunk.kind {
            b"IEND" => break,
            b"tEXt" => {
                let Some((keyword, text)) = split_at_nul(chunk.data) else {
                    continue;
                };
                let rank = keywords
                    .iter()
                    .position(|known| known.as_bytes() == keyword);
                if let Some(rank) = rank
                    && best.is_none_or(|(other, _)| rank < other)
                {
                    chunk.check()?;
                    best = Some((rank, text));
                }
            }
            b"zTXt" | b"iTXt" => {
                let keyword = split_at_nul(chunk.data).map(|(keyword, _)| keyword);
                if keywords
                    .iter()
                    .any(|known| Some(known.as_bytes()) == keyword)
                {
                    compressed = Some(chunk.offset);
                }
            }
            _ => {}
        }
    }
    match (best, compressed) {
        (Some((rank, text)), _) => Ok((keywords[rank], text)),
        (None, Some(offset)) => Err(syntax(&format!(
            "the card at byte {offset} is not in a tEXt chunk; save the card again as PNG or JSON"
        ))),
        (None, None) => Err(syntax(&format!(
            "this image holds no character card (no text chunk named {})",
            keywords.join(" or ")
        ))),
    }
}

/// One chunk.
struct Chunk<'b> {
    /// Where it begins in the file.
    offset: usize,
    kind: [u8; 4],
    data: &'b [u8],
    checksum: u32,
}

impl<'b> Chunk<'b> {
    /// Takes the next chunk; `None` at the end of the file.
    fn read(rest: &mut &'b [u8], offset: usize) -> Result<Option<Self>, ParseError> {
        if rest.is_empty() {
            return Ok(None);
        }
        let cut = || {
            syntax(&format!(
                "the chunk at byte {offset} is cut off; the file is damaged"
            ))
        };
        let (length, after) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
        let (kind, after) = after.split_first_chunk::<4>().ok_or_else(cut)?;
        let length = u32::from_be_bytes(*length) as usize;
        if length
            .checked_add(4)
            .is_none_or(|whole| whole > after.len())
        {
            return Err(syntax(&format!(
                "the chunk {} at byte {offset} says that it has {length} bytes, and the file ends \
                 before that; the file is damaged",
                kind.escape_ascii()
            )));
        }
        let (data, after) = after.split_at(length);
        let (checksum, after) = after.split_first_chunk::<4>().ok_or_else(cut)?;
        *rest = after;
        Ok(Some(Self {
            offset,
            kind: *kind,
            data,
            checksum: u32::from_be_bytes(*checksum),
        }))
    }

    /// Refuses a chunk that is too large or damaged.
    fn check(&self) -> Result<(), ParseError> {
        let offset = self.offset;
        if self.data.len() > MAX_CHUNK {
            let message = format!(
                "the text chunk at byte {offset} has {} bytes; the limit is {} MiB",
                self.data.len(),
                MAX_CHUNK >> 20
            );
            return Err(fault(ParseCode::TooLarge, message, None));
        }
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.kind);
        hasher.update(self.data);
        if hasher.finalize() != self.checksum {
            return Err(syntax(&format!(
                "the text chunk at byte {offset} is damaged (wrong checksum); get the file again"
            )));
        }
        Ok(())
    }
}

fn split_at_nul(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(0, data)?;
    Some((&data[..end], &data[end + 1..]))
}

fn syntax(message: &str) -> ParseError {
    fault(ParseCode::Syntax, message.to_owned(), None)
}
