//! Encodes paths as text, reversibly even if their bytes are not UTF-8.
//!
//! A UTF-8 path is its own text. In any other path, each invalid byte becomes U+FFFD and two
//! hexadecimal digits, and so does each U+FFFD of the path itself.

use std::path::{Path, PathBuf};

const ESCAPE: char = char::REPLACEMENT_CHARACTER;

/// Encodes a path as text.
#[must_use]
pub fn encode(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        let mut valid = chunk.valid().split(ESCAPE);
        text.push_str(valid.next().unwrap_or_default());
        for rest in valid {
            escape(&mut text, ESCAPE.encode_utf8(&mut [0; 4]).as_bytes());
            text.push_str(rest);
        }
        escape(&mut text, chunk.invalid());
    }
    text
}

fn escape(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        text.push(ESCAPE);
        text.push_str(&format!("{byte:02x}"));
    }
}

/// Decodes a text to its path.
#[must_use]
pub fn decode(text: &str) -> PathBuf {
    let mut parts = text.split(ESCAPE);
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let byte = part
            .get(..2)
            .and_then(|two| u8::from_str_radix(two, 16).ok());
        let Some(byte) = byte else {
            // Not an encoded path: taken literally.
            return PathBuf::from(text);
        };
        bytes.push(byte);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    from_bytes(bytes)
}

#[cfg(unix)]
fn from_bytes(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn from_bytes(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

#[cfg(all(test, unix))]
mod tests {
    use std::collections::BTreeSet;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn every_path_comes_back_and_no_two_share_a_text() {
        let check = |bytes: &[u8], text: &str| {
            let path = Path::new(OsStr::from_bytes(bytes));
            assert_eq!(encode(path), text);
            assert_eq!(decode(text), path, "{text}");
            text.to_owned()
        };
        let texts = [
            check(b"/a/b.json", "/a/b.json"),
            check("/ä/b.json".as_bytes(), "/ä/b.json"),
            check(b"/\xff.json", "/\u{fffd}ff.json"),
            check(b"/\xfe.json", "/\u{fffd}fe.json"),
            check(b"/\xe2\x82.json", "/\u{fffd}e2\u{fffd}82.json"),
            check(
                "/\u{fffd}.json".as_bytes(),
                "/\u{fffd}ef\u{fffd}bf\u{fffd}bd.json",
            ),
            check(
                "/\u{fffd}ff".as_bytes(),
                "/\u{fffd}ef\u{fffd}bf\u{fffd}bdff",
            ),
        ];
        let different: BTreeSet<_> = texts.iter().collect();
        assert_eq!(different.len(), texts.len());
        // The text that older versions stored for such a path.
        assert_eq!(decode("/\u{fffd}.json"), Path::new("/\u{fffd}.json"));
    }
}
