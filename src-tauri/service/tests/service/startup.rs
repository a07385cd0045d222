//! Startup: the registry and the document that a window begins with.

use promptdeck_service::wire::Event;

use crate::home::Home;

#[test]
fn a_folder_opens_on_the_sample_that_shows_most_and_later_on_what_was_open_last() {
    let home = Home::new();
    home.write("a.json", &home.read("deck.json"));
    let first = |home: &Home| home.studio().0.workspace().first;
    assert_eq!(first(&home).as_deref(), Some("a.json"));
    home.write("trivia_host.json", &home.read("deck.json"));
    assert_eq!(first(&home).as_deref(), Some("trivia_host.json"));
    home.studio().0.open_document("deck.json").expect("opened");
    assert_eq!(first(&home).as_deref(), Some("deck.json"));
}

#[test]
fn the_window_begins_with_the_first_document_opened() {
    let home = Home::new();
    let (studio, _) = home.studio();
    let begun = studio.begin();
    let first = begun.first.expect("opened");
    assert_eq!(Some(&first.opened.document), begun.workspace.first.as_ref());
    assert_eq!(begun.failure, None);
    let again = studio.open_document("deck.json").expect("open");
    assert_eq!(first.opened.tree, again.tree);
    assert_eq!(first.opened.document, "deck.json");

    // What was open last can't be read any more.
    std::fs::write(home.path("deck.json"), "{").expect("written");
    let begun = home.studio().0.begin();
    assert_eq!(begun.workspace.first.as_deref(), Some("deck.json"));
    assert_eq!(begun.first, None);
    assert!(begun.failure.is_some());
}

#[test]
fn what_is_opened_ahead_is_analysed_when_the_window_is_drawn() {
    let home = Home::new();
    home.write("other.json", &home.read("deck.json"));
    home.studio().0.open_document("deck.json").expect("opened");
    let (studio, events) = home.studio();
    let ahead = studio.begin_ahead().first.expect("opened");
    assert_eq!(ahead.opened.document, "deck.json");
    let of = |file: &'static str| move |event: &Event| matches!(event, Event::Lint(lint) if lint.document == file);
    studio.open_document("other.json").expect("opened");
    events.wait("the lint of a later document", |event| {
        of("other.json")(event).then_some(())
    });
    assert_eq!(events.count(of("deck.json")), 0);
    assert_eq!(studio.started(), studio.workspace().settings);
    events.wait("its lint", |event| of("deck.json")(event).then_some(()));
    let (studio, events) = home.studio_on(Some("deck.json"));
    let begun = studio.begin().first.expect("opened");
    assert_eq!(begun.opened.document, "deck.json");
    events.wait("the lint of what is opened in a window", |event| {
        of("deck.json")(event).then_some(())
    });
}

#[test]
fn a_named_file_is_opened_instead_of_the_last_one_until_the_author_goes_elsewhere() {
    let home = Home::new();
    home.write("other.json", &home.read("deck.json"));
    home.studio().0.open_document("deck.json").expect("opened");
    let (studio, _) = home.studio_on(Some("other.json"));
    assert_eq!(studio.workspace().first.as_deref(), Some("other.json"));
    let first = studio.begin().first.expect("opened");
    assert_eq!(first.opened.document, "other.json");
    // The page is loaded again after the author chose another registry.
    studio.open_document("deck.json").expect("opened");
    assert_eq!(studio.workspace().first.as_deref(), Some("deck.json"));
    let (next, _) = home.studio();
    assert_eq!(next.workspace().first.as_deref(), Some("deck.json"));
}

#[test]
fn a_named_file_that_is_no_registry_is_reported_and_no_other_is_opened_instead() {
    let home = Home::new();
    std::fs::write(home.path("package.json"), r#"{"name": "site"}"#).expect("written");
    std::fs::write(home.path("notes.txt"), "Bring a lamp.").expect("written");
    for (file, words) in [
        ("package.json", "package.json is not a registry"),
        ("gone.json", "gone.json"),
        ("notes.txt", "name a .json file"),
    ] {
        let begun = home.studio_on(Some(file)).0.begin();
        assert_eq!(begun.first, None, "{file}");
        let failure = begun.failure.expect("a failure");
        assert!(failure.message.contains(words), "{}", failure.message);
        assert!(
            !begun.workspace.registries.is_empty(),
            "the others can be opened"
        );
    }
}
