//! Files that merely exist in a folder: pipes, sockets, devices and dangling links never block, and
//! large files are not read for a list.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use promptdeck_service::command::Command;
use promptdeck_service::wire::{ChatSlot, Event};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::SOON;
use super::large::padded;
use super::window::{DECK, Window};

/// Size in bytes of a large file in the folder.
const LARGE: usize = 60 << 20;

fn pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("made");
}

/// Names of irregular files.
const STRANGE: [&str; 6] = [
    "pipe.json",
    "socket.json",
    "dangling.json",
    "to_pipe.json",
    "to_device.json",
    "folder.json",
];

fn make_strange(path: impl Fn(&str) -> PathBuf) {
    pipe(&path("pipe.json"));
    drop(UnixListener::bind(path("socket.json")).expect("bound"));
    symlink(path("nothing.json"), path("dangling.json")).expect("linked");
    symlink(path("pipe.json"), path("to_pipe.json")).expect("linked");
    symlink("/dev/zero", path("to_device.json")).expect("linked");
    fs::create_dir(path("folder.json")).expect("made");
}

#[test]
fn pipes_sockets_devices_and_dangling_links_are_neither_listed_nor_waited_for() {
    let window = Window::new(|path| {
        make_strange(path);
        make_strange(|name| path(&format!("calls/{name}")));
        fs::create_dir(path("model")).expect("made");
        pipe(&path("model/chat_template.jinja"));
        pipe(&path("model/tokenizer_config.json"));
        pipe(&path("model/tokenizer.json"));
    });
    let mut asked = 0;
    let mut soon = |command, what: &str, took: Duration| {
        asked += 1;
        assert!(took < SOON, "{command:?} {what} took {took:?}");
    };
    let call = window.call(Command::Start, |studio, _| Ok(studio.begin()));
    let (begun, took) = window.answer(call);
    soon(Command::Start, "", took);
    let begun = begun.expect("answered");
    let listed: Vec<_> = begun
        .workspace
        .registries
        .iter()
        .map(|entry| &entry.file)
        .collect();
    assert_eq!(listed, [DECK]);
    assert_eq!(begun.workspace.first.as_deref(), Some(DECK));
    let (calls, took) = window.answer(window.call(Command::Calls, |studio, _| studio.calls()));
    soon(Command::Calls, "", took);
    let listed: Vec<_> = calls
        .expect("listed")
        .into_iter()
        .map(|entry| entry.document)
        .collect();
    assert_eq!(listed, ["calls/deck.json"]);
    for name in STRANGE {
        let open = window.call(Command::Open, move |studio, _| studio.open_document(name));
        let (opened, took) = window.answer(open);
        soon(Command::Open, name, took);
        assert!(opened.is_err(), "{name}");
        let open = window.call(Command::OpenCall, move |studio, _| {
            studio.open_call(&format!("calls/{name}"))
        });
        let (opened, took) = window.answer(open);
        soon(Command::OpenCall, name, took);
        assert!(opened.is_err(), "{name}");
        let copy = window.call(Command::DuplicateRegistry, move |studio, _| {
            studio.duplicate_registry(name)
        });
        let (copied, took) = window.answer(copy);
        soon(Command::DuplicateRegistry, name, took);
        assert!(copied.is_err(), "{name}");
    }
    for name in ["model", "pipe.json", "to_device.json"] {
        let path = window.path(name);
        let choose = window.call(Command::ChooseChatModel, move |studio, _| {
            studio.choose_chat_model(DECK, ChatSlot::Model, &path)
        });
        let (_, took) = window.answer(choose);
        soon(Command::ChooseChatModel, name, took);
    }

    // The file of an open document becomes a pipe: edits continue, and saving reports it.
    fs::remove_file(window.path(DECK)).expect("removed");
    pipe(&window.path(DECK));
    window.hear("the file is another", |event| {
        matches!(event, Event::Conflicted { .. })
    });
    soon(Command::Apply, DECK, window.type_into(DECK, 0));
    let save = window.call(Command::Save, |studio, _| studio.save(DECK));
    let (saved, took) = window.answer(save);
    soon(Command::Save, DECK, took);
    assert!(saved.is_err() || saved.is_ok_and(|report| report.conflict.is_some()));
    println!(
        "strange files: {}, questions about them answered: {asked}",
        2 * STRANGE.len() + 4
    );
}

#[test]
fn a_larger_registry_is_listed_by_name_first_and_by_title_soon_after() {
    let window = Window::new(|path| {
        fs::write(path("larger.json"), padded("Larger", 1 << 20)).expect("written");
    });
    let title = || {
        let listed = window.studio.workspace().registries;
        let larger = listed.into_iter().find(|entry| entry.file == "larger.json");
        larger.expect("listed").title
    };
    assert_eq!(title(), "larger");
    window.hear("it was read", |event| *event == Event::WorkspaceChanged);
    assert_eq!(title(), "Larger");
}

/// Runs in its own process, whose memory is measured.
#[test]
#[ignore = "run by the test below"]
fn lists_a_folder_with_a_large_file() {
    let window = Window::new(|path| {
        fs::write(path("a_large.json"), padded("Large", LARGE)).expect("written");
        fs::write(path("calls/large.json"), padded("Large", LARGE)).expect("written");
    });
    let asked = Instant::now();
    let begun = window.studio.begin();
    let took = asked.elapsed();
    assert_eq!(begun.workspace.first.as_deref(), Some(DECK));
    assert!(begun.first.is_some());
    assert_eq!(begun.workspace.registries.len(), 2, "listed by name");
    assert_eq!(window.studio.calls().expect("listed").len(), 2);
    std::thread::sleep(Duration::from_secs(1));
    let status = fs::read_to_string("/proc/self/status").expect("read");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.expect("a line").trim().trim_end_matches(" kB");
    println!("took {} ms, peak {peak} kB", took.as_millis());
}

#[test]
fn a_large_file_in_the_folder_costs_neither_time_nor_memory() {
    let me = std::env::current_exe().expect("this program");
    let child = std::process::Command::new(me)
        .args(["--ignored", "--nocapture", "--exact"])
        .arg("responsiveness::files::lists_a_folder_with_a_large_file")
        .output()
        .expect("run");
    let output = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success(), "{output}");
    let number = |before: &str| {
        let rest = output.split(before).nth(1).expect("a figure");
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().expect("a number")
    };
    let (took, peak) = (number("took "), number("peak "));
    // The content of the file, which the test writes, and the usual memory of a studio.
    assert!(peak < 200 << 10, "{peak} kB");
    assert!(u128::from(took) < SOON.as_millis(), "{took} ms");
    println!("large files: 2 of {LARGE} bytes, first cards after {took} ms, peak {peak} kB");
}
