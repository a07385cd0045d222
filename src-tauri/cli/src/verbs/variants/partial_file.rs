//! What a broken-off shard has: its whole lines, or, of a compressed file, its whole frames. What
//! follows them is cut off.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom},
};

use memchr::{memchr_iter, memrchr};

/// Size of a read in bytes.
const READ: usize = 1 << 20;

/// The whole part of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Whole {
    /// Its length in bytes.
    pub bytes: u64,
    /// Number of lines in it.
    pub lines: u64,
    /// The last of these lines with its line end.
    pub last: Vec<u8>,
}

/// The whole lines of a text file.
pub fn lines(file: &mut File) -> io::Result<Whole> {
    let mut whole = Whole::default();
    let (mut line, mut buffer, mut position) = (Vec::new(), vec![0; READ], 0);
    file.rewind()?;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(whole);
        }
        take_lines(&buffer[..read], &mut line, &mut whole);
        position += read as u64;
        whole.bytes = position - line.len() as u64;
    }
}

/// The lines in the whole frames of a Zstandard file. A frame that does not match its checksum is
/// not whole.
pub fn frames(file: &mut File) -> io::Result<Whole> {
    let mut whole = Whole::default();
    file.rewind()?;
    let mut reader = BufReader::with_capacity(READ, file);
    let mut frame = Vec::new();
    while !reader.fill_buf()?.is_empty() {
        frame.clear();
        let mut decoder = zstd::Decoder::with_buffer(reader)?.single_frame();
        let read = decoder.read_to_end(&mut frame);
        reader = decoder.finish();
        if read.is_err() || !frame.ends_with(b"\n") {
            break;
        }
        take_lines(&frame, &mut Vec::new(), &mut whole);
        whole.bytes = reader.stream_position()?;
    }
    Ok(whole)
}

/// Counts the lines that end in `bytes`; `line` is the beginning of the first, and then of the one
/// after them.
fn take_lines(bytes: &[u8], line: &mut Vec<u8>, whole: &mut Whole) {
    let Some(end) = memrchr(b'\n', bytes) else {
        line.extend_from_slice(bytes);
        return;
    };
    let ended = &bytes[..=end];
    whole.lines += memchr_iter(b'\n', ended).count() as u64;
    whole.last.clear();
    match memrchr(b'\n', &bytes[..end]) {
        Some(before) => whole.last.extend_from_slice(&ended[before + 1..]),
        None => {
            whole.last.append(line);
            whole.last.extend_from_slice(ended);
        }
    }
    line.clear();
    line.extend_from_slice(&bytes[end + 1..]);
}

/// Truncates a file after its intact part, where writing continues.
pub fn cut(file: &mut File, whole: &Whole) -> io::Result<()> {
    file.set_len(whole.bytes)?;
    file.seek(SeekFrom::Start(whole.bytes))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(bytes).expect("it is writable");
        file
    }

    #[test]
    fn every_cut_leaves_the_whole_lines() {
        let long = "x".repeat(READ + 7);
        let text = format!("one\n{long}\n\nfour\n");
        for at in [
            0,
            1,
            3,
            4,
            5,
            READ,
            READ + 11,
            READ + 12,
            READ + 13,
            text.len() - 1,
            text.len(),
        ] {
            let cut = &text[..at];
            let whole = cut.rfind('\n').map_or("", |end| &cut[..=end]);
            let expected = Whole {
                bytes: whole.len() as u64,
                lines: whole.matches('\n').count() as u64,
                last: whole
                    .split_inclusive('\n')
                    .next_back()
                    .unwrap_or_default()
                    .into(),
            };
            assert_eq!(
                lines(&mut file(cut.as_bytes())).expect("readable"),
                expected,
                "at {at}"
            );
        }
    }

    #[test]
    fn every_cut_leaves_the_whole_frames() {
        let mut bytes = Vec::new();
        let mut ends = vec![0];
        for text in ["a\nb\n", "c\n", "d\ne\n"] {
            let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("a level");
            encoder.include_checksum(true).expect("a flag");
            encoder.write_all(text.as_bytes()).expect("memory");
            bytes.extend(encoder.finish().expect("memory"));
            ends.push(bytes.len());
        }
        let counts = [(0, ""), (2, "b\n"), (3, "c\n"), (5, "e\n")];
        for at in 0..=bytes.len() {
            let number = ends.partition_point(|end| *end <= at) - 1;
            let expected = Whole {
                bytes: ends[number] as u64,
                lines: counts[number].0,
                last: counts[number].1.into(),
            };
            assert_eq!(
                frames(&mut file(&bytes[..at])).expect("readable"),
                expected,
                "at {at}"
            );
        }
        bytes[ends[1] + 8] ^= 1;
        assert_eq!(frames(&mut file(&bytes)).expect("readable").lines, 2);
    }
}
