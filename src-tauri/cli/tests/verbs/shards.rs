//! `variants -o`: shards as files, broken off and continued.

use std::{fs, io, path::Path, process::Command, thread, time::Duration};

use serde_json::{Value, json};

use crate::{
    program::{Folder, Run},
    terminal::on_a_terminal,
};

/// Three rolled sections and generation settings.
fn deck() -> Folder {
    let folder = Folder::new();
    folder.write("deck.json", registry("die").to_string());
    folder
}

fn registry(word: &str) -> Value {
    let section = |name: &str| {
        let items = (0..6).map(
            |side| json!({"id": side.to_string(), "text": format!("{name} {word} é\n{side}")}),
        );
        json!({"required": true, "section_random": true, "items": items.collect::<Vec<_>>()})
    };
    json!({"registry": {"version": 22, "assembly_order": ["a", "b", "c"],
        "generation": {"model": "m-1", "temperature": 0.5},
        "a": section("a"), "b": section("b"), "c": section("c")}})
}

fn variants(folder: &Folder, args: &[&str]) -> Run {
    folder.run(&[&["variants", "deck.json"], args].concat())
}

fn unpacked(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).expect("the file is there");
    match path.extension().is_some_and(|ending| ending == "zst") {
        true => zstd::decode_all(&bytes[..]).expect("Zstandard"),
        false => bytes,
    }
}

fn done(run: &Run) {
    assert_eq!((run.status, run.out.as_str()), (0, ""), "{}", run.err);
}

#[test]
fn the_union_of_the_files_is_the_whole_in_every_format() {
    let folder = deck();
    for format in ["prompts", "messages", "openai-batch"] {
        let args = ["--rolls", "5000", "--format", format];
        let whole = variants(&folder, &args).out;
        assert_eq!(whole.lines().count(), 5_000);
        for ending in ["jsonl", "jsonl.zst"] {
            let mut union = Vec::new();
            for shard in ["1/3", "2/3", "3/3"] {
                let name = format!("{format}{}.{ending}", &shard[..1]);
                let run = variants(
                    &folder,
                    &[&args[..], &["--shard", shard, "-o", &name]].concat(),
                );
                done(&run);
                assert!(run.err.starts_with("note: 166"), "{}", run.err);
                union.extend(unpacked(&folder.path(&name)));
            }
            assert!(union == whole.as_bytes(), "{format}.{ending}");
        }
    }
    let left = fs::read_dir(folder.path("")).expect("a folder");
    let mut names = left.map(|entry| entry.expect("an entry").file_name());
    assert!(!names.any(|name| name.to_string_lossy().contains(".part")));
}

#[test]
fn a_part_without_rolls_names_no_numbers() {
    let folder = deck();
    let args = ["--rolls", "2", "--shard", "1/3", "-o", "none.jsonl"];
    let run = variants(&folder, &args);
    done(&run);
    assert_eq!(run.err, "note: 0 rolls of 2, part 1 of 3\n");
}

#[test]
fn a_row_is_the_prompt_of_its_seed() {
    let folder = deck();
    let rows = |format: &str| -> Vec<Value> {
        let args = ["--rolls", "3", "--seed", "40", "--format", format];
        let out = variants(&folder, &args).out;
        let rows = out
            .lines()
            .map(|row| serde_json::from_str(row).expect("JSON"));
        rows.collect()
    };
    for (format, text) in [
        ("prompts", "/prompt"),
        ("messages", "/messages/0/content"),
        ("openai-batch", "/body/messages/0/content"),
    ] {
        for (row, seed) in rows(format).iter().zip(["40", "41", "42"]) {
            assert_eq!(row["custom_id"], seed);
            let prompt = folder.run(&["hydrate", "deck.json", "--seed", seed]).out;
            let text = row.pointer(text).and_then(Value::as_str);
            assert_eq!(text, Some(prompt.trim_end()));
        }
    }
    let row = rows("openai-batch").remove(0);
    assert_eq!(
        (&row["method"], &row["url"]),
        (&json!("POST"), &json!("/v1/chat/completions"))
    );
    assert_eq!(row["body"]["model"], "m-1");
    assert_eq!(row["body"]["temperature"], 0.5);
    assert_eq!(row["body"]["messages"][0]["role"], "user");
    assert_eq!(row["body"].get("stream"), None);
    let args = ["--rolls", "1", "--format", "openai-batch", "--model", "m-2"];
    assert!(variants(&folder, &args).out.contains(r#""model":"m-2""#));
}

/// Starts a shard and kills it as soon as it has written something.
fn killed(folder: &Folder, args: &[&str], part: &Path) {
    let mut child = folder
        .command(&[&["variants", "deck.json"], args].concat())
        .spawn()
        .expect("the program starts");
    while fs::metadata(part).map_or(0, |part| part.len()) == 0 {
        assert_eq!(
            child.try_wait().expect("a child"),
            None,
            "it ended before the kill"
        );
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

#[test]
fn a_killed_shard_is_continued_to_the_same_bytes() {
    let folder = deck();
    for name in ["rows.jsonl", "rows.jsonl.zst"] {
        let args = ["--rolls", "120000", "--shard", "2/3", "-o"];
        let whole = format!("whole-{name}");
        done(&variants(&folder, &[&args[..], &[&whole]].concat()));
        let args = [&args[..], &[name]].concat();
        let part = folder.path(&format!("{name}.part"));
        killed(&folder, &args, &part);
        assert!(!folder.path(name).exists());
        let run = variants(&folder, &args);
        done(&run);
        assert!(run.err.contains("writing the rest"), "{}", run.err);
        let same = fs::read(folder.path(name)).expect("complete")
            == fs::read(folder.path(&whole)).expect("complete");
        assert!(same, "{name}");
        assert!(!part.exists());
    }
}

#[test]
fn a_shard_is_continued_from_any_byte() {
    let folder = deck();
    for name in ["rows.jsonl", "rows.jsonl.zst"] {
        let args = ["--rolls", "3000", "-o", name];
        let part = folder.path(&format!("{name}.part"));
        let description = format!("{name}.part.json");
        killed(&folder, &["--rolls", "200000", "-o", name], &part);
        let mut job: Value = serde_json::from_str(&folder.read(&description)).expect("JSON");
        job["rows"]["end"] = json!(3_000);
        fs::remove_file(&part).expect("it is there");
        done(&variants(&folder, &args));
        let whole = fs::read(folder.path(name)).expect("complete");
        let length = whole.len();
        for cut in [0, 1, 9, length / 3, length / 2, length - 1, length] {
            fs::remove_file(folder.path(name)).expect("complete");
            fs::write(&part, &whole[..cut]).expect("writable");
            folder.write(&description, job.to_string());
            done(&variants(&folder, &args));
            assert!(
                fs::read(folder.path(name)).expect("complete") == whole,
                "{name} cut at {cut}"
            );
        }
    }
}

#[test]
fn a_full_disk_is_one_line_and_the_same_command_goes_on() {
    let folder = deck();
    let args = [
        "variants",
        "deck.json",
        "--rolls",
        "20000",
        "-o",
        "rows.jsonl",
    ];
    let program = folder.command(&args);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 200 && exec \"$0\" \"$@\""])
        .arg(program.get_program())
        .args(program.get_args())
        .current_dir(folder.path(""));
    let output = limited.output().expect("a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cannot write rows.jsonl.part"), "{stderr}");
    assert!(stderr.contains("the same command continues it"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    done(&folder.run(&args));
    let whole = variants(&folder, &["--rolls", "20000", "--format", "prompts"]).out;
    assert!(folder.read("rows.jsonl") == whole);
}

#[test]
fn a_part_of_another_job_is_refused_and_force_starts_over() {
    let folder = deck();
    let name = "rows.jsonl";
    let args = ["--rolls", "200000", "-o", name];
    killed(&folder, &args, &folder.path("rows.jsonl.part"));
    let refused = |args: &[&str], why: &str| variants(&folder, args).refuses(2, &[why, "--force"]);
    refused(
        &["--rolls", "100", "-o", name],
        "with another --rolls or --shard",
    );
    refused(
        &[&args[..], &["--seed", "1"]].concat(),
        "with another --seed",
    );
    refused(
        &[&args[..], &["--format", "messages"]].concat(),
        "with another format",
    );
    refused(
        &[&args[..], &["--select", "a=1"]].concat(),
        "with another state, route or model",
    );
    folder.write("deck.json", registry("dice").to_string());
    refused(&args, "with another registry");
    folder.write("deck.json", registry("die").to_string());
    // The last row is not the one of its seed.
    let part = folder.path("rows.jsonl.part");
    let rows = fs::read(&part).expect("begun");
    let first = rows.iter().position(|byte| *byte == b'\n').expect("a row");
    fs::write(&part, [&rows[..=first], &rows[..=first]].concat()).expect("writable");
    refused(&args, "with other rows");
    fs::remove_file(folder.path("rows.jsonl.part.json")).expect("begun");
    refused(&args, "with an unknown job");
    let short = ["--rolls", "10", "-o", name, "--force"];
    done(&variants(&folder, &short));
    assert_eq!(folder.read(name).lines().count(), 10);
    variants(&folder, &short[..4]).refuses(2, &["rows.jsonl exists", "--force"]);
    done(&variants(&folder, &short));
    let aside = folder.path("rows.replaced-1.jsonl");
    assert!(!aside.exists(), "the same rows");
    folder.write(name, "mine");
    done(&variants(&folder, &short));
    assert_eq!(fs::read_to_string(aside).expect("kept"), "mine");
    assert_eq!(folder.read(name).lines().count(), 10);
}

#[test]
fn one_process_writes_a_file() -> io::Result<()> {
    let folder = deck();
    let part = fs::File::create(folder.path("rows.jsonl.part"))?;
    part.lock()?;
    let run = variants(&folder, &["--rolls", "5", "-o", "rows.jsonl"]);
    run.refuses(2, &["another process is writing rows.jsonl.part"]);
    Ok(())
}

#[test]
fn what_has_no_rows_of_seeds_is_refused() {
    let folder = deck();
    let refused = |args: &[&str], words: &[&str]| variants(&folder, args).refuses(2, words);
    refused(
        &["-o", "f", "--rolls", "5", "--format", "json"],
        &["-o needs a format"],
    );
    refused(&["-o", "f"], &["--rolls N"]);
    refused(
        &["-o", "f", "--rolls", "5", "--sample", "pairwise"],
        &["--sample pairwise", "--format prompts", "--sample random"],
    );
    refused(
        &["--format", "prompts", "--enumerate", "5"],
        &["--enumerate rolls no seeds"],
    );
    refused(&["-o", "f", "--count"], &["--count"]);
    refused(&["--force"], &["--output"]);
    refused(&["--rolls", "5", "--model", "m"], &["--model is for"]);
    refused(&["--rolls", "5", "-o", "no/f"], &["cannot write no/f.part"]);
    refused(&["--rolls", "5", "-o", "/dev/null"], &["is not a file"]);
    let bare = [
        "variants",
        "registry.json",
        "--rolls",
        "5",
        "--format",
        "openai-batch",
    ];
    folder.run(&bare).refuses(2, &["--model NAME"]);
    let mut template = registry("{{ args.name }}");
    template["registry"]["template_engine"] = json!("jinja");
    folder.write("jinja.json", template.to_string());
    let args = [
        "variants",
        "jinja.json",
        "--rolls",
        "5",
        "--format",
        "messages",
    ];
    folder.run(&args).refuses(2, &["Jinja"]);
}

#[test]
fn a_terminal_shows_the_progress() {
    let folder = deck();
    let screen = on_a_terminal(&folder, "variants deck.json --rolls 5000 -o rows.jsonl");
    assert!(screen.contains("1024 of 5000 rows, "), "{screen:?}");
    assert!(screen.contains(" a second, "), "{screen:?}");
    assert!(
        screen.ends_with("note\u{1b}[0m: 5000 rolls\r\n"),
        "{screen:?}"
    );
}

#[test]
fn rows_that_go_elsewhere_than_the_terminal_show_their_progress() {
    let folder = Folder::new();
    for (flags, expected) in [
        ("--enumerate 1", "\r1 of 1 rows, "),
        ("--enumerate 5000", "\r1 of 2 rows, "),
        ("--rolls 2", "\r1 of 2 rows, "),
        ("--sample random --rolls 4", "\r1 of 4 rows, "),
        ("--sample exhaustive", "\r1 of 2 rows, "),
        ("--rolls 4 --format prompts", "\r4 of 4 rows, "),
    ] {
        let line = format!("variants registry.json --random greeting {flags}");
        let screen = on_a_terminal(&folder, &format!("{line} > rows.txt"));
        assert!(screen.contains(expected), "{line}: {screen:?}");
        assert!(!folder.read("rows.txt").contains("rows, "));
        // On the same terminal, the rows are enough.
        let screen = on_a_terminal(&folder, &line);
        assert!(!screen.contains(" rows, "), "{line}: {screen:?}");
    }
}

#[test]
fn a_file_of_another_compression_is_refused() {
    let folder = deck();
    for name in ["rows.jsonl.gz", "rows.PARQUET"] {
        let run = variants(&folder, &["--rolls", "5", "-o", name]);
        run.refuses(2, &[name, "end the name in .zst"]);
        assert!(!folder.path(name).exists());
    }
    done(&variants(&folder, &["--rolls", "5", "-o", "rows.ZST"]));
    let bytes = fs::read(folder.path("rows.ZST")).expect("the file is there");
    let rows = zstd::decode_all(&bytes[..]).expect("Zstandard");
    assert_eq!(rows.split(|byte| *byte == b'\n').count(), 6);
    let none = variants(&folder, &["--rolls", "0"]);
    none.refuses(
        2,
        &["'0'", "write a whole number from 1 to 9007199254740991"],
    );
    variants(&folder, &["--rolls", "many"]).refuses(2, &["'many'", "write a whole number"]);
}
