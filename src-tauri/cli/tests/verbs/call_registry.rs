//! The registry of a call document, and another one that is named beside it.

use serde_json::json;

use crate::program::Folder;

/// Two decks, a call document that names the first, and one that holds the second.
fn folder() -> Folder {
    let folder = Folder::new();
    let deck = |text: &str| {
        json!({"assembly_order": ["a"], "a": {"required": true, "template_vars": ["n"],
        "items": [{"id": "x", "text": text}]}})
    };
    let state = json!({"template_vars": {"a::n": "Ann"}});
    std::fs::create_dir(folder.path("calls")).expect("a folder");
    folder.write("first.json", deck("First, {n}.").to_string());
    folder.write("second.json", deck("Second, {n}.").to_string());
    let naming = json!({"registry": "../first.json", "state": state, "message": {"text": "Hi"}});
    folder.write("calls/naming.json", naming.to_string());
    let holding = json!({"registry": deck("Inside, {n}."), "state": state, "seed": 7});
    folder.write("calls/holding.json", holding.to_string());
    folder.write(
        "calls/none.json",
        json!({"message": {"text": "Hi"}, "state": state}).to_string(),
    );
    folder
}

#[test]
fn without_a_registry_that_of_the_call_is_hydrated() {
    let folder = folder();
    let run = |call: &str| folder.run(&["hydrate", "--call", call, "--strict"]);
    run("calls/naming.json").gives("First, Ann.\n");
    run("calls/holding.json").gives("Inside, Ann.\n");
    let inside = folder.read("calls/holding.json");
    folder
        .run_with(&["hydrate", "--call", "-"], &inside)
        .gives("Inside, Ann.\n");
    run("calls/none.json").refuses(2, &["calls/none.json: it names no registry; give one"]);
    folder.write("calls/lost.json", r#"{"registry": "gone.json", "seed": 1}"#);
    run("calls/lost.json").refuses(2, &["calls/lost.json names the registry \"gone.json\""]);
    folder.write("calls/empty.json", r#"{"registry": {}, "seed": 1}"#);
    run("calls/empty.json").refuses(2, &["calls/empty.json: /registry: not a registry"]);
    folder.run(&["hydrate"]).refuses(2, &["REGISTRY"]);
}

#[test]
fn a_call_that_names_itself_or_another_document_says_what_to_write() {
    let folder = folder();
    let call =
        |registry: &str| json!({"registry": registry, "message": {"text": "Hi"}}).to_string();
    folder.write("calls/self.json", call("../calls/self.json"));
    folder.write("calls/other.json", call("none.json"));
    let way_out = "write the path of a registry there, or the registry";
    for (file, named) in [
        (
            "calls/self.json",
            "/registry names the call document itself",
        ),
        (
            "calls/other.json",
            "/registry names \"none.json\", which is not a registry but a call document",
        ),
    ] {
        for args in [
            &["request", file][..],
            &["hydrate", "--call", file],
            &["check", file],
        ] {
            let run = folder.run(args);
            let expected = format!("error: {file}: {named}; {way_out}\n");
            assert_eq!(run.status, 2, "{run:?}");
            assert!(run.err.contains(&expected), "{run:?}");
        }
    }
    // Its registry is a file, whatever the name.
    folder.write("call.json", call("-"));
    let deck = folder.read("first.json");
    let run = folder.run_with(&["request", "call.json"], &deck);
    run.refuses(2, &["cannot read ./-"]);
}

#[test]
fn another_registry_than_that_of_the_call_is_a_warning() {
    let folder = folder();
    let naming = "warning: calls/naming.json: the call document names another registry, \"../first.json\", \
                  and `promptdeck request` uses that one: here second.json counts";
    let holding = "warning: calls/holding.json: the call document holds another registry, and `promptdeck \
                   request` uses that one: here first.json counts";
    for (registry, call, warning) in [
        ("second.json", "calls/naming.json", naming),
        ("first.json", "calls/holding.json", holding),
    ] {
        for verb in [
            &["hydrate"][..],
            &["profile", "--rolls", "5"],
            &["export", "--to", "prompty"],
        ] {
            let args = [verb, &[registry, "--call", call]].concat();
            let run = folder.run(&args);
            assert_eq!(run.status, 0, "{args:?}: {run:?}");
            assert!(run.err.contains(warning), "{args:?}: {}", run.err);
            let strict = folder.run(&[&args[..], &["--strict"]].concat());
            assert_eq!(strict.status, 2, "{args:?}: {strict:?}");
        }
    }
    // The same file by another name, the same bytes, the document itself, and one without a registry.
    let first = folder.read("first.json");
    for (registry, call, text) in [
        (
            "./calls/../first.json",
            "calls/naming.json",
            "First, Ann.\n",
        ),
        ("-", "calls/naming.json", "First, Ann.\n"),
        ("calls/holding.json", "calls/holding.json", "Inside, Ann.\n"),
        ("first.json", "calls/none.json", "First, Ann.\n"),
    ] {
        let args = ["hydrate", registry, "--call", call, "--strict"];
        folder.run_with(&args, &first).gives(text);
    }
}

#[test]
fn an_import_says_that_it_makes_a_call_document() {
    let folder = Folder::new();
    folder.write(
        "chat.json",
        r#"{"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]}"#,
    );
    let run = folder.run(&["import", "chat.json", "-o", "made.json"]);
    assert_eq!(run.status, 0, "{run:?}");
    let note = "note: made.json is a call document that holds its registry: `promptdeck request`";
    assert!(run.err.contains(note), "{run:?}");
    folder
        .run(&["hydrate", "--call", "made.json", "--strict"])
        .gives("Be brief.\n");
    folder.write("prompt.txt", "Be brief.");
    for (file, kind) in [("chat.json", "call"), ("prompt.txt", "registry")] {
        let run = folder.run(&["import", file, "--format", "json"]);
        let answer: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(answer["kind"], kind, "{run:?}");
        let text = folder.run(&["import", file]);
        let is_noted = text.err.contains("the result is a call document");
        assert_eq!(is_noted, kind == "call", "{text:?}");
    }
}
