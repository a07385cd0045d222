//! Files of other formats: what their registries print is in the file of the same name and
//! `.expected`. And what the samples of this repository print is printed after an import as text.

use std::{
    fs,
    path::{Path, PathBuf},
};

use promptdeck_core::{
    hydrate::{Call, Engine, Seed, State},
    import::{SourceKind, dynamic_prompt::Wildcards, import_as},
    registry::parse,
};

/// The files of a folder that end so, by name.
pub(crate) fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    paths.sort();
    paths
}

fn prompt(registry: &[u8], route: Option<&str>) -> String {
    let parsed = parse(registry).expect("a registry");
    let call = Call {
        state: &State::default(),
        route,
        seed: Seed::from_bits(3),
    };
    Engine::new(parsed.registry)
        .hydrate_text(&call)
        .expect("a prompt")
}

#[test]
fn fixtures_print_what_is_expected() {
    let expected = files("tests/import/fixtures", ".expected");
    assert!(expected.len() > 10);
    for expected in expected {
        let path = expected.with_extension("");
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let bytes = fs::read(&path).expect("a fixture");
        let kind = SourceKind::detect(&name, &bytes);
        let imported = import_as(kind, &name, &bytes, &Wildcards::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = fs::read_to_string(&expected).expect("a text");
        assert_eq!(
            prompt(imported.text.as_bytes(), None),
            text,
            "{name}: {}",
            imported.text
        );
    }
}

#[test]
fn prompts_of_the_samples_are_printed_after_an_import() {
    let mut prompts = 0;
    for path in files("../../registries", ".json") {
        let bytes = fs::read(&path).expect("a sample");
        let Ok(parsed) = parse(&bytes) else { continue };
        let routes = parsed.registry.routes().keys();
        for route in [None]
            .into_iter()
            .chain(routes.map(|route| Some(route.as_str())))
        {
            let text = prompt(&bytes, route);
            if text.is_empty() {
                continue;
            }
            let kind = SourceKind::Plain;
            let imported = import_as(kind, "a.txt", text.as_bytes(), &Wildcards::default());
            let imported = imported.expect("a deck");
            assert_eq!(
                prompt(imported.text.as_bytes(), None),
                text,
                "{}",
                path.display()
            );
            prompts += 1;
        }
    }
    assert!(prompts > 5, "{prompts}");
}
