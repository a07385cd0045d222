//! Runs every reader of outside input, as the fuzz targets do, over the samples, over parts of them and
//! over samples with damaged bytes.

use std::path::{Path, PathBuf};

use promptdeck_readers as readers;

/// A reader with the name of its fuzz target.
type Named<T> = (&'static str, fn(&T));

/// The readers of bytes.
const OF_BYTES: [Named<[u8]>; 9] = [
    ("call", readers::call),
    ("card", readers::card),
    ("gguf", readers::gguf),
    ("import", readers::import),
    ("messages", readers::messages),
    ("plain_prompt", readers::plain_prompt),
    ("prompt_file", readers::prompt_file),
    ("registry", readers::registry),
    ("tokenizer", readers::tokenizer),
];

/// The readers of text.
const OF_TEXT: [Named<str>; 5] = [
    ("chat_template", readers::chat_template),
    ("pattern", readers::pattern),
    ("state", readers::state),
    ("template", readers::template),
    ("token", readers::token),
];

/// Inputs of kinds that have no sample among the files.
const SMALL: [&str; 10] = [
    "---\nmodel: m\n---\n{{ role \"system\" }}Hi {{name}}\n",
    "a: &a [x, *a]\nb: [1::one, two]\n",
    "{2$$, $$a|b|__w__} <lora:x:1>\n",
    "__w__ {0.5::a|b}\n",
    "{\"selections\": {\"a\": \"x\"}, \"sliders\": {\"a\": 7}}",
    "a+?(b|c)*\nabcabc",
    "section[other].field",
    "{\"spec\": \"chara_card_v2\", \"data\": {\"name\": \"A\", \"description\": \"{{char}}\"}}",
    "\u{feff}# Title\n\n<rules>\n- one\n- two\n</rules>\n",
    "GGUF\u{3}\0\0\0",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn samples() -> Vec<Vec<u8>> {
    let folders = ["registries", "registries/calls", "tests/chat-templates"];
    let mut samples: Vec<Vec<u8>> = SMALL.iter().map(|text| text.as_bytes().to_vec()).collect();
    for folder in folders {
        let entries = std::fs::read_dir(root().join(folder)).expect(folder);
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.expect("an entry").path())
            .collect();
        paths.retain(|path| path.is_file());
        paths.sort();
        samples.extend(
            paths
                .iter()
                .map(|path| std::fs::read(path).expect("a file")),
        );
    }
    samples
}

/// The input, a part of it, and copies of it with one damaged byte.
fn variants(input: &[u8]) -> Vec<Vec<u8>> {
    let mut variants = vec![input.to_vec(), input[..input.len() / 2].to_vec()];
    for (part, byte) in [(3, b'{'), (4, b'"'), (5, 0), (6, 0xff)] {
        let mut damaged = input.to_vec();
        if let Some(at) = damaged.get_mut(input.len() / part) {
            *at = byte;
        }
        variants.push(damaged);
    }
    variants
}

#[test]
fn every_reader_reads_or_refuses_the_samples() {
    let samples = samples();
    assert!(samples.len() > 20, "{} samples", samples.len());
    for input in samples.iter().flat_map(|sample| variants(sample)) {
        for (_, read) in OF_BYTES {
            read(&input);
        }
        readers::wildcards(&input, SMALL[1].as_bytes());
        readers::wildcards(SMALL[2].as_bytes(), &input);
        if let Ok(text) = std::str::from_utf8(&input) {
            for (_, read) in OF_TEXT {
                read(text);
            }
        }
    }
}

#[test]
fn every_fuzz_target_runs_a_reader_of_its_name() {
    let entries = std::fs::read_dir(root().join("fuzz/fuzz_targets")).expect("fuzz targets");
    let mut targets: Vec<String> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let source = std::fs::read_to_string(&path).expect("a target");
            assert!(source.contains(&format!("readers::{name}(")), "{name}");
            name
        })
        .collect();
    targets.sort();
    let names = OF_BYTES.iter().map(|target| target.0);
    let names = names
        .chain(OF_TEXT.iter().map(|target| target.0))
        .chain(["wildcards"]);
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    assert_eq!(targets, names);
}
