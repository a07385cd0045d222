//! Destinations of results and messages: files with special permissions, links, folders, devices,
//! pipes, names that are not UTF-8, a closed standard error.

use std::{
    ffi::OsStr,
    fs::{self, File, Permissions},
    io::Read,
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, PermissionsExt, symlink},
    },
    process::{Command, Stdio},
    thread,
};

use serde_json::Value;

use crate::program::{Folder, REGISTRY};

const EXPORT: [&str; 3] = ["export", "registry.json", "-o"];

fn exporting(folder: &Folder, target: &str) -> Command {
    let mut command = folder.command(&EXPORT);
    command.arg(target);
    command
}

/// The output of an export.
fn model(folder: &Folder) -> String {
    folder.run(&["export", "registry.json"]).out
}

fn compact() -> String {
    serde_json::from_str::<Value>(REGISTRY)
        .expect("JSON")
        .to_string()
}

/// Runs a shell script in the folder; `$0` is `promptdeck`.
fn shell(folder: &Folder, script: &str) -> std::process::Output {
    let mut command = Command::new("bash");
    command
        .args(["-c", script, env!("CARGO_BIN_EXE_promptdeck")])
        .current_dir(folder.path(""))
        .env("PROMPTDECK_STORE", folder.path("store.sqlite"));
    command.output().expect("bash runs")
}

#[test]
fn a_device_is_written_into() {
    let folder = Folder::new();
    let output = exporting(&folder, "/dev/null").output().expect("it runs");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    assert!(!fs::metadata("/dev/null").expect("there").is_file());
    let mut command = exporting(&folder, "/dev/full");
    let output = command.output().expect("it runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("/dev/full"), "{message}");
    assert!(!fs::metadata("/dev/full").expect("there").is_file());
}

#[test]
fn a_fifo_is_written_into() {
    let folder = Folder::new();
    let fifo = folder.path("fifo");
    assert!(
        Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .expect("it runs")
            .success()
    );
    let reader = thread::spawn({
        let fifo = fifo.clone();
        move || {
            let mut text = String::new();
            File::open(fifo)
                .and_then(|mut file| file.read_to_string(&mut text))
                .map(|_| text)
        }
    });
    folder.run(&[&EXPORT[..], &["fifo"]].concat()).gives("");
    assert_eq!(
        reader.join().expect("joined").expect("read"),
        model(&folder)
    );
    assert!(!fs::metadata(fifo).expect("there").is_file());
}

#[test]
fn standard_output_by_its_path_is_not_replaced() {
    let folder = Folder::new();
    let model = model(&folder);
    for target in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let output = exporting(&folder, target).output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), model, "{target}");
        // Earlier output is preserved and later output follows.
        let script = format!("(echo a; \"$0\" export registry.json -o {target}; echo b) > out");
        let output = shell(&folder, &script);
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
        assert_eq!(folder.read("out"), format!("a\n{model}b\n"), "{target}");
    }
    let output = shell(
        &folder,
        "\"$0\" export registry.json -o >(cat > out); wait $!",
    );
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    assert_eq!(folder.read("out"), model);
    let output = shell(&folder, "\"$0\" export registry.json -o /dev/fd/7 7> out");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    assert_eq!(folder.read("out"), model);
    // A closed pipe is not an error.
    let output = shell(
        &folder,
        "\"$0\" export registry.json -o /dev/stdout | true; echo ${PIPESTATUS[0]}",
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0\n", "{output:?}");
}

#[test]
fn a_snapshot_is_restored_into_a_stream_without_reading_it() {
    let folder = Folder::new();
    folder.run(&["snapshot", "save", "registry.json", "--name", "first"]);
    let run = folder.run(&["snapshot", "restore", "first", "-o", "/dev/stdout"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.starts_with(REGISTRY), "{}", run.out);
    folder
        .run_with(&["fmt", "/dev/stdin"], &compact())
        .refuses(2, &["/dev/stdin", "not a regular file"]);
}

#[test]
fn a_folder_or_a_missing_folder_is_refused_by_name() {
    let folder = Folder::new();
    fs::create_dir(folder.path("there")).expect("made");
    folder
        .run(&[&EXPORT[..], &["there"]].concat())
        .refuses(2, &["there", "this is a folder"]);
    let run = folder.run(&[&EXPORT[..], &["missing/model.json"]].concat());
    run.refuses(2, &["missing/model.json", "there is no folder missing"]);
    assert!(!run.err.contains(".part"), "{}", run.err);
    // It is there, but takes no files.
    let run = folder.run(&[&EXPORT[..], &["/proc/model.json"]].concat());
    run.refuses(2, &["/proc/model.json", "no file in its folder /proc"]);
    symlink("loop.json", folder.path("loop.json")).expect("linked");
    folder
        .run(&[&EXPORT[..], &["loop.json"]].concat())
        .refuses(2, &["loop.json"]);
}

#[test]
fn a_link_stays_a_link_and_rights_stay() {
    let folder = Folder::new();
    for (real, mode) in [("private.json", 0o600), ("shared.json", 0o664)] {
        folder.write(real, compact());
        let set = Permissions::from_mode(mode);
        fs::set_permissions(folder.path(real), set).expect("set");
        let link = folder.path("link.json");
        let _ = fs::remove_file(&link);
        symlink(real, &link).expect("linked");
        folder.run(&["fmt", "link.json"]).gives("");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(folder.read(real), REGISTRY);
        let found = fs::metadata(folder.path(real)).expect("there");
        assert_eq!(found.mode() & 0o7777, mode, "{real}");
    }
    // A dangling link.
    symlink("new.json", folder.path("dangling.json")).expect("linked");
    folder
        .run(&[&EXPORT[..], &["dangling.json"]].concat())
        .gives("");
    assert_eq!(folder.read("new.json"), model(&folder));
    // A new file has the permissions of the umask.
    let output = shell(
        &folder,
        "umask 027; \"$0\" export registry.json -o masked.json",
    );
    assert!(output.status.success(), "{output:?}");
    let found = fs::metadata(folder.path("masked.json")).expect("there");
    assert_eq!(found.mode() & 0o7777, 0o640);
}

#[test]
fn the_owner_stays_when_root_writes() {
    let folder = Folder::new();
    folder.write("theirs.json", compact());
    let given = std::os::unix::fs::chown(folder.path("theirs.json"), Some(65534), Some(65534));
    if given.is_err() {
        println!("not tried: only root gives files away");
        return;
    }
    folder.run(&["fmt", "theirs.json"]).gives("");
    let found = fs::metadata(folder.path("theirs.json")).expect("there");
    assert_eq!((found.uid(), found.gid()), (65534, 65534));
    assert_eq!(folder.read("theirs.json"), REGISTRY);
}

#[test]
fn names_that_are_not_utf_8_work_throughout() {
    let folder = Folder::new();
    let name = OsStr::from_bytes(b"deck-\xff.json");
    let file = folder.path("").join(name);
    fs::write(&file, compact()).expect("written");
    let run = |args: &[&OsStr]| {
        let output = folder.command(&[]).args(args).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let word = OsStr::new;
    run(&[word("fmt"), name]);
    assert_eq!(fs::read_to_string(&file).expect("read"), REGISTRY);
    run(&[
        word("snapshot"),
        word("save"),
        name,
        word("--name"),
        word("first"),
    ]);
    fs::write(&file, REGISTRY.replace("Be calm.", "Be quiet.")).expect("written");
    run(&[word("snapshot"), word("restore"), word("first")]);
    assert_eq!(fs::read_to_string(&file).expect("read"), REGISTRY);
    let model = OsStr::from_bytes(b"model-\xfe.json");
    run(&[word("export"), name, word("-o"), model]);
    run(&[
        word("snapshot"),
        word("export"),
        word("first"),
        word("-o"),
        model,
    ]);
    let mut names: Vec<_> = fs::read_dir(folder.path(""))
        .expect("listed")
        .map(|file| file.expect("listed").file_name())
        .filter(|name| !name.as_bytes().starts_with(b"store"))
        .collect();
    names.sort();
    assert_eq!(names, [name, model, word("registry.json")]);
}

#[test]
fn a_standard_error_nobody_can_write_to_changes_nothing() {
    let folder = Folder::new();
    folder.write("broken.json", "{");
    folder.run(&["snapshot", "save", "registry.json", "--name", "first"]);
    // One verb that warns and continues, one that fails, one with wrong usage.
    let lines: [&[&str]; 4] = [
        &["hydrate", "registry.json", "--select", "moods=unknown"],
        &["check", "broken.json"],
        &["hydrate", "broken.json"],
        &["hydrate", "--no-such-flag"],
    ];
    for args in lines {
        let usual = folder.run(args);
        let full = File::options()
            .write(true)
            .open("/dev/full")
            .expect("opened");
        let output = folder
            .command(args)
            .stderr(Stdio::from(full))
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(usual.status), "{args:?}");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            usual.out,
            "{args:?}"
        );
        let script = format!("\"$0\" {} 2>&-", args.join(" "));
        let output = shell(&folder, &script);
        assert_eq!(output.status.code(), Some(usual.status), "{args:?}");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            usual.out,
            "{args:?}"
        );
    }
    // Restoring reports on standard error which content it preserved.
    folder.write("registry.json", REGISTRY.replace("Be calm.", "Be quiet."));
    let full = File::options()
        .write(true)
        .open("/dev/full")
        .expect("opened");
    let mut command = folder.command(&["snapshot", "restore", "first"]);
    let output = command.stderr(Stdio::from(full)).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(folder.read("registry.json"), REGISTRY);
}

#[test]
fn what_may_not_be_written_to_says_what_can_be_done() {
    let folder = Folder::new();
    let read_only = |name: &str| {
        fs::set_permissions(folder.path(name), Permissions::from_mode(0o444)).expect("set");
    };
    let way_out = "the file is not writable; allow writing to it, or write to another file";
    folder.write("odd.json", compact());
    folder.write("model.json", "{}");
    folder.write("text.txt", "Be kind.");
    read_only("odd.json");
    read_only("model.json");
    folder.run(&["fmt", "odd.json"]).refuses(
        2,
        &[
            &format!("cannot write odd.json: {way_out}"),
            "`promptdeck fmt - < FILE` prints the result",
        ],
    );
    for args in [
        &["export", "registry.json", "-o", "model.json"][..],
        &["import", "text.txt", "-o", "model.json", "--force"],
    ] {
        let run = folder.run(args);
        run.refuses(2, &[&format!("cannot write model.json: {way_out}")]);
    }
    folder
        .run(&[
            "variants",
            "registry.json",
            "--rolls",
            "3",
            "-o",
            "nowhere/rows.jsonl",
        ])
        .refuses(
            2,
            &["cannot write nowhere/rows.jsonl.part: there is no folder nowhere; create it first"],
        );
    folder
        .run(&["export", "registry.json", "-o", "registry.json/model.json"])
        .refuses(2, &["registry.json is no folder; name a file in a folder"]);
}
