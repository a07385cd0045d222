//! Names while they are typed: the file or sub-folder that each would make, or why it is refused.

use std::fs;

use promptdeck_service::wire::{Failure, NamePurpose, NewRegistry};

use crate::home::{Home, registry};

fn home() -> Home {
    let home = Home::new();
    home.write("other.json", &registry());
    fs::create_dir(home.path("finals")).expect("made");
    home.write("finals/last.json", &registry());
    fs::create_dir(home.path("calls")).expect("made");
    home
}

#[test]
fn a_title_makes_the_same_file_wherever_it_is_typed() {
    let home = home();
    let (studio, _) = home.open();
    let blank = NamePurpose::NewRegistry {
        folder: "new".into(),
    };
    let renamed = NamePurpose::Registry {
        file: "deck.json".into(),
    };
    for (title, file) in [
        ("Blurb writer: v2/ä", "blurb_writer_v2_ä.json"),
        ("a/b:c?", "a_b_c.json"),
        ("../x", "x.json"),
        ("deck.json", "deck.json"),
    ] {
        for purpose in [&blank, &renamed] {
            let made = studio.check_name(purpose, title);
            assert_eq!(made.expect("accepted"), file, "{purpose:?}");
        }
    }
    assert!(!home.path("new").exists(), "nothing is made while typing");
    let made = studio.new_registry(&NewRegistry::Blank, "", "v2/ä");
    assert_eq!(made.expect("made"), "v2_ä.json");
    assert_eq!(home.read("v2_ä.json")["registry"]["title"], "v2/ä");
    let moved = studio.rename_registry("other.json", "a/b:c?", None);
    assert_eq!(moved.expect("renamed").file, "a_b_c.json");
    assert_eq!(home.read("a_b_c.json")["registry"]["title"], "a/b:c?");
}

#[test]
fn a_sub_folder_and_a_call_document_have_the_name_that_is_typed() {
    let home = home();
    let (studio, _) = home.open();
    let folder = NamePurpose::Folder {
        folder: "finals".into(),
    };
    for purpose in [&NamePurpose::NewFolder, &folder] {
        let made = studio.check_name(purpose, " Late shift ");
        assert_eq!(made.expect("accepted"), "Late shift");
    }
    let unchanged = studio.check_name(&folder, "finals");
    assert_eq!(unchanged.expect("accepted"), "finals");
    let new_call = NamePurpose::NewCall {
        registry: "deck.json".into(),
    };
    let call = studio.check_name(&new_call, " Late shift ");
    assert_eq!(call.expect("accepted"), "Late shift.json");
}

#[test]
fn a_refusal_says_why_in_a_sentence_without_the_name() {
    let home = home();
    let (studio, _) = home.open();
    let refused = |purpose: &NamePurpose, typed: &str| -> Failure {
        studio
            .check_name(purpose, typed)
            .expect_err("refused")
            .into()
    };
    let why = |purpose: &NamePurpose, typed: &str| refused(purpose, typed).reason;
    let punctuation = "a name may not contain / \\ : * ? \" < > |";
    for purpose in [
        NamePurpose::NewFolder,
        NamePurpose::Folder {
            folder: "finals".into(),
        },
        NamePurpose::NewCall {
            registry: "deck.json".into(),
        },
    ] {
        assert_eq!(why(&purpose, "a/b").as_deref(), Some(punctuation));
        assert_eq!(
            why(&purpose, " ").as_deref(),
            Some("a name cannot be empty")
        );
    }
    let device = "Windows reserves that name for a device";
    let blank = NamePurpose::NewRegistry {
        folder: String::new(),
    };
    let renamed = NamePurpose::Registry {
        file: "deck.json".into(),
    };
    for purpose in [&blank, &renamed] {
        assert_eq!(why(purpose, "con").as_deref(), Some(device));
        assert_eq!(refused(purpose, "Other").code, "name_taken");
    }
    assert_eq!(
        refused(&NamePurpose::NewFolder, "finals").code,
        "name_taken"
    );
    let outside = NamePurpose::NewRegistry {
        folder: "a/b".into(),
    };
    assert_eq!(refused(&outside, "one").code, "bad_folder");
}
