//! Reads the metadata in the header of a GGUF file, never its tensors. The file may be a hundred
//! gigabytes or malicious, so every length is checked against a bound before it is used.

use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom};

use promptdeck_chat::model_metadata::ModelMetadata;

/// Maximum header size in bytes. The largest vocabularies take about 10 MB.
const MAX_HEADER: u64 = 128 << 20;
/// Maximum number of metadata entries.
const MAX_ENTRIES: u64 = 1 << 16;
/// Maximum key length in bytes.
const MAX_KEY: u64 = 1 << 12;
/// Maximum length in bytes of a text that is read.
const MAX_TEXT: u64 = 1 << 20;
/// Maximum number of items in a list of texts.
const MAX_ITEMS: u64 = 1 << 22;
/// Maximum nesting depth of lists.
const MAX_NESTING: u8 = 3;

/// Why a GGUF file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GgufError {
    /// The magic bytes are wrong.
    #[error("not a GGUF file (wrong magic bytes)")]
    NotGguf,
    /// The format version is not supported.
    #[error("GGUF version {0} is not supported; versions 2 and 3 are, in little-endian order")]
    Version(u32),
    /// The header contradicts itself or exceeds a bound.
    #[error("the GGUF header is damaged at byte {at}: {what}")]
    Damaged {
        /// Byte offset where the damage was found.
        at: u64,
        /// Description of the damage.
        what: &'static str,
    },
    /// An I/O error.
    #[error("the GGUF file cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl GgufError {
    /// Stable code of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotGguf => "not_gguf",
            Self::Version(_) => "gguf_version",
            Self::Damaged { .. } => "gguf_damaged",
            Self::Io(_) => "gguf_unreadable",
        }
    }
}

/// The metadata needed to render chats.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gguf {
    /// Texts by key, such as `tokenizer.chat_template`.
    pub texts: HashMap<String, String>,
    /// Integers by key, such as `tokenizer.ggml.bos_token_id`.
    pub numbers: HashMap<String, u64>,
    /// Text of the beginning-of-sequence token.
    pub bos_token: Option<String>,
    /// Text of the end-of-sequence token.
    pub eos_token: Option<String>,
}

/// Whether an entry is read into [`Gguf`].
fn is_wanted(key: &str) -> bool {
    key.starts_with("general.")
        || key.starts_with("tokenizer.chat_template")
        || key.ends_with("_token_id")
}

struct Header<R> {
    input: R,
    at: u64,
}

/// A list of texts in the file: offset of the first item and number of items.
type Texts = (u64, u64);

impl<R: Read + Seek> Header<R> {
    fn damaged(&self, what: &'static str) -> GgufError {
        GgufError::Damaged { at: self.at, what }
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], GgufError> {
        self.advance(N as u64)?;
        let mut bytes = [0; N];
        self.input
            .read_exact(&mut bytes)
            .map_err(|error| self.ended(error))?;
        Ok(bytes)
    }

    fn ended(&self, error: io::Error) -> GgufError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("the file ends inside the header"),
            _ => GgufError::Io(error),
        }
    }

    fn advance(&mut self, bytes: u64) -> Result<(), GgufError> {
        self.at = self.at.saturating_add(bytes);
        if self.at > MAX_HEADER {
            return Err(self.damaged("the header is too large"));
        }
        Ok(())
    }

    fn skip(&mut self, bytes: u64) -> Result<(), GgufError> {
        self.advance(bytes)?;
        self.input.seek(SeekFrom::Start(self.at))?;
        Ok(())
    }

    fn u32(&mut self) -> Result<u32, GgufError> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, GgufError> {
        self.bytes().map(u64::from_le_bytes)
    }

    fn text(&mut self, most: u64) -> Result<String, GgufError> {
        let length = self.u64()?;
        if length > most {
            return Err(self.damaged("a text is too long"));
        }
        self.advance(length)?;
        let mut bytes = vec![0; length as usize];
        self.input
            .read_exact(&mut bytes)
            .map_err(|error| self.ended(error))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn skip_text(&mut self) -> Result<(), GgufError> {
        let length = self.u64()?;
        self.skip(length)
    }

    /// Reads an integer of a fixed size; `None` for floats and booleans.
    fn number(&mut self, kind: u32) -> Result<Option<u64>, GgufError> {
        Ok(match kind {
            0 | 1 => Some(u64::from(self.bytes::<1>()?[0])),
            2 | 3 => Some(u64::from(u16::from_le_bytes(self.bytes()?))),
            4 | 5 => Some(u64::from(self.u32()?)),
            10 | 11 => Some(self.u64()?),
            _ => {
                let size =
                    size_of(kind).ok_or_else(|| self.damaged("a value of an unknown type"))?;
                self.skip(size)?;
                None
            }
        })
    }

    /// Skips a list; returns the position of a list of texts.
    fn list(&mut self, nesting: u8) -> Result<Option<Texts>, GgufError> {
        let kind = self.u32()?;
        let count = self.u64()?;
        match (kind, size_of(kind)) {
            (_, Some(size)) => {
                let bytes = count.checked_mul(size);
                let bytes = bytes.ok_or_else(|| self.damaged("a list is too long"))?;
                self.skip(bytes)?;
                Ok(None)
            }
            (8, _) => {
                if count > MAX_ITEMS {
                    return Err(self.damaged("a list of texts is too long"));
                }
                let begin = self.at;
                for _ in 0..count {
                    self.skip_text()?;
                }
                Ok(Some((begin, count)))
            }
            (9, _) if nesting < MAX_NESTING && count <= MAX_ENTRIES => {
                for _ in 0..count {
                    self.list(nesting + 1)?;
                }
                Ok(None)
            }
            _ => Err(self.damaged("a list of an unknown type")),
        }
    }

    /// Reads the text at an index of a list of texts.
    fn item(&mut self, (begin, count): Texts, index: u64) -> Result<Option<String>, GgufError> {
        if index >= count {
            return Ok(None);
        }
        self.at = begin;
        self.input.seek(SeekFrom::Start(begin))?;
        for _ in 0..index {
            self.skip_text()?;
        }
        self.text(MAX_TEXT).map(Some)
    }
}

/// Size in bytes of a value of this type; `None` for texts and lists.
fn size_of(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}

/// Reads the header of a file.
///
/// # Errors
/// [`GgufError`] if the file is not GGUF or its header is damaged.
pub fn read(input: impl Read + Seek) -> Result<Gguf, GgufError> {
    let mut header = Header { input, at: 0 };
    match header.bytes::<4>() {
        Ok(magic) if &magic == b"GGUF" => {}
        Ok(_) | Err(GgufError::Damaged { .. }) => return Err(GgufError::NotGguf),
        Err(error) => return Err(error),
    }
    let version = header.u32()?;
    if !(2..=3).contains(&version) {
        return Err(GgufError::Version(version));
    }
    header.skip(8)?;
    let entries = header.u64()?;
    if entries > MAX_ENTRIES {
        return Err(header.damaged("too many entries"));
    }
    let mut found = Gguf::default();
    let mut tokens = None;
    for _ in 0..entries {
        let key = header.text(MAX_KEY)?;
        match header.u32()? {
            8 if is_wanted(&key) => {
                let text = header.text(MAX_TEXT)?;
                found.texts.insert(key, text);
            }
            8 => header.skip_text()?,
            9 => {
                let texts = header.list(0)?;
                if key == "tokenizer.ggml.tokens" {
                    tokens = texts;
                }
            }
            kind => {
                if let (Some(number), true) = (header.number(kind)?, is_wanted(&key)) {
                    found.numbers.insert(key, number);
                }
            }
        }
    }
    // Seeking past a value succeeds even beyond the end of the file.
    if header.input.seek(SeekFrom::End(0))? < header.at {
        return Err(header.damaged("the file ends inside the header"));
    }
    if let Some(tokens) = tokens {
        let mut token = |key: &str| match found.numbers.get(key) {
            Some(index) => header.item(tokens, *index),
            None => Ok(None),
        };
        let bos = token("tokenizer.ggml.bos_token_id")?;
        let eos = token("tokenizer.ggml.eos_token_id")?;
        (found.bos_token, found.eos_token) = (bos, eos);
    }
    Ok(found)
}

impl Gguf {
    /// The metadata that describes the model's chat format.
    #[must_use]
    pub fn metadata(&self) -> ModelMetadata {
        let text = |key: &str| self.texts.get(key).cloned();
        let names = ["general.name", "general.basename", "general.architecture"];
        let known: Vec<String> = names.into_iter().filter_map(text).collect();
        ModelMetadata {
            template: text("tokenizer.chat_template"),
            bos_token: self.bos_token.clone(),
            eos_token: self.eos_token.clone(),
            name: known.join(" "),
            ..ModelMetadata::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    /// Writes valid and invalid headers.
    struct Writer(Vec<u8>);

    impl Writer {
        fn new(version: u32, entries: u64) -> Self {
            let mut bytes = b"GGUF".to_vec();
            bytes.extend(version.to_le_bytes());
            bytes.extend(0u64.to_le_bytes());
            bytes.extend(entries.to_le_bytes());
            Self(bytes)
        }

        fn text(mut self, text: &str) -> Self {
            self.0.extend((text.len() as u64).to_le_bytes());
            self.0.extend(text.as_bytes());
            self
        }

        fn u32(mut self, value: u32) -> Self {
            self.0.extend(value.to_le_bytes());
            self
        }

        fn u64(mut self, value: u64) -> Self {
            self.0.extend(value.to_le_bytes());
            self
        }
    }

    fn whole() -> Vec<u8> {
        let writer = Writer::new(3, 7)
            .text("general.architecture")
            .u32(8)
            .text("qwen3")
            .text("tokenizer.chat_template")
            .u32(8)
            .text("<|im_start|>{{ messages }}")
            .text("some.floats")
            .u32(9)
            .u32(6)
            .u64(3)
            .u32(0)
            .u32(0)
            .u32(0)
            .text("tokenizer.ggml.tokens")
            .u32(9)
            .u32(8)
            .u64(3)
            .text("<unk>")
            .text("<s>")
            .text("</s>")
            .text("tokenizer.ggml.bos_token_id")
            .u32(4)
            .u32(1)
            .text("tokenizer.ggml.eos_token_id")
            .u32(4)
            .u32(2)
            .text("nested")
            .u32(9)
            .u32(9)
            .u64(1)
            .u32(8)
            .u64(1)
            .text("x");
        writer.0
    }

    fn code(bytes: Vec<u8>) -> &'static str {
        read(Cursor::new(bytes)).map_or_else(|error| error.code(), |_| "ok")
    }

    #[test]
    fn reads_what_chatting_is_about() {
        let gguf = read(Cursor::new(whole())).expect("a good header");
        let metadata = gguf.metadata();
        assert_eq!(
            metadata.template.as_deref(),
            Some("<|im_start|>{{ messages }}")
        );
        assert_eq!(metadata.bos_token.as_deref(), Some("<s>"));
        assert_eq!(metadata.eos_token.as_deref(), Some("</s>"));
        assert_eq!(metadata.config().family.name(), "QWEN_3_X");
    }

    #[test]
    fn refuses_what_is_none_or_damaged() {
        assert_eq!(code(Vec::new()), "not_gguf");
        assert_eq!(code(b"GGML\0\0\0\0".to_vec()), "not_gguf");
        assert_eq!(code(Writer::new(1, 0).0), "gguf_version");
        assert_eq!(code(Writer::new(0x0300_0000, 0).0), "gguf_version");
        assert_eq!(code(Writer::new(3, u64::MAX).0), "gguf_damaged");
        assert_eq!(code(Writer::new(3, 1).u64(u64::MAX).0), "gguf_damaged");
        assert_eq!(code(Writer::new(3, 1).text("k").u32(99).0), "gguf_damaged");
        assert_eq!(
            code(Writer::new(3, 1).text("k").u32(8).u64(1 << 40).0),
            "gguf_damaged"
        );
        let list = |kind, count| Writer::new(3, 1).text("k").u32(9).u32(kind).u64(count).0;
        assert_eq!(code(list(6, u64::MAX)), "gguf_damaged");
        assert_eq!(code(list(8, u64::MAX)), "gguf_damaged");
        assert_eq!(code(list(9, 1 << 60)), "gguf_damaged");
        let mut deep = Writer::new(3, 1).text("k").u32(9);
        for _ in 0..100 {
            deep = deep.u32(9).u64(1);
        }
        assert_eq!(code(deep.0), "gguf_damaged");
    }

    #[test]
    fn a_file_cut_anywhere_is_refused_and_never_crashes() {
        let bytes = whole();
        for length in 0..bytes.len() {
            assert_ne!(code(bytes[..length].to_vec()), "ok", "cut at {length}");
        }
    }

    proptest! {
        #[test]
        fn damaged_bytes_never_crash(at in 0usize..600, byte in any::<u8>(), more in any::<u8>()) {
            let mut bytes = whole();
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes[(at * 7 + 3) % length] = more;
            code(bytes);
        }
    }
}
