//! The folder of wildcards that an imported template is read with.

use std::fs;

use promptdeck_service::wire::{
    ImportEntry, ImportStatus, NewRegistry, SourceChange, SourceType, SourceView,
};

use crate::home::{Home, prompt};
use crate::sources::{brought, create};

#[test]
fn a_template_is_read_with_the_wildcards_of_a_folder_and_created_as_shown() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let folder = home.path("cards");
    fs::create_dir_all(folder.join("deep")).expect("a folder");
    fs::write(folder.join("deep/season.txt"), "summer\nspring\n").expect("written");
    fs::write(folder.join("broken.yaml"), "a: [b\n").expect("written");
    fs::write(folder.join("notes.md"), "no wildcards\n").expect("written");
    let view = brought(&studio, "It is __season__.");
    let change = SourceChange::Read {
        as_type: SourceType::Template,
    };
    let view = studio.change_source(view.number, &change).expect("read");
    let unresolved = |view: &SourceView| {
        let entries = &view.conversion.as_ref().expect("a registry").entries;
        let missing = |entry: &&ImportEntry| entry.status == ImportStatus::NotSupported;
        entries.iter().filter(missing).count()
    };
    assert_eq!((view.wildcards.as_ref(), unresolved(&view)), (None, 1));

    // What cannot be used changes nothing.
    for (name, code) in [("absent", "file_missing"), ("empty", "no_wildcards")] {
        fs::create_dir_all(home.path("empty")).expect("a folder");
        let fault = studio.use_wildcards(view.number, &home.path(name));
        assert_eq!(fault.expect_err("refused").code(), code);
    }

    let view = studio.use_wildcards(view.number, &folder).expect("read");
    let used = view.wildcards.as_ref().expect("wildcards");
    assert_eq!((used.lists, unresolved(&view)), (1, 0));
    assert_eq!(used.path, folder.display().to_string());
    let left_out = &view.conversion.as_ref().expect("a registry").entries;
    let left_out = left_out
        .iter()
        .find(|entry| entry.status == ImportStatus::Unread);
    let message = &left_out.expect("an entry").message;
    assert!(
        message.contains("broken.yaml") && message.ends_with("is left out"),
        "{message}"
    );

    let plain = studio
        .change_source(view.number, &SourceChange::NoWildcards)
        .expect("read");
    assert_eq!((plain.wildcards.as_ref(), unresolved(&plain)), (None, 1));
    let other = studio.use_wildcards(view.number, &folder);
    assert_eq!(other.expect_err("refused").code(), "other_source");
    let view = studio.use_wildcards(plain.number, &folder).expect("read");
    let file = create(&studio, &view, "seasons");
    let text = prompt(&studio.open_document(&file).expect("opened"));
    assert!(
        ["It is summer.", "It is spring."].contains(&&*text),
        "{text}"
    );
}

#[test]
fn wildcards_that_include_themselves_leave_a_template_without_a_registry() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let folder = home.path("cards");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("season.txt"), "__season__\n").expect("written");
    let view = brought(&studio, "It is __season__.");
    let change = SourceChange::Read {
        as_type: SourceType::Template,
    };
    let view = studio.change_source(view.number, &change).expect("read");
    let view = studio.use_wildcards(view.number, &folder).expect("read");
    let problem = view.problem.expect("a problem");
    assert!(problem.message.contains("includes itself"), "{problem:?}");
    assert!(view.conversion.is_none());
    let content = NewRegistry::Source {
        number: view.number,
    };
    assert!(studio.new_registry(&content, "", "x").is_err());
    assert!(!home.path("x.json").exists());
}
