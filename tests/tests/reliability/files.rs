//! The author's files: complete after kill -9, untouched by failed writes, and never overwritten
//! while another program edits them.
//!
//! A case that needs a separate process runs this test program, which an environment variable
//! turns into the child.

mod crash_tests;
mod home;
mod interleaved;
mod outside;
mod refused;

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const ROLE: &str = "PROMPTDECK_TEST_ROLE";
const FOLDER: &str = "PROMPTDECK_TEST_FOLDER";

/// The child's work. Runs as a test, and does nothing unless the variable is set.
#[test]
fn child() {
    let (Ok(role), Some(folder)) = (env::var(ROLE), env::var_os(FOLDER)) else {
        return;
    };
    let folder = Path::new(&folder);
    match role.as_str() {
        "replace" => crash_tests::replace(folder),
        "refused" => refused::try_everything(folder),
        other => panic!("no role {other}"),
    }
}

/// Arguments that make this test program the child.
const CHILD: [&str; 4] = ["files::child", "--exact", "--nocapture", "--test-threads=1"];

fn spawning(program: &Path, role: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(CHILD).env(ROLE, role).env(FOLDER, folder);
    command
}

/// The command line, as built by `cargo test --workspace` beside this program; built now if
/// missing.
fn promptdeck() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        // This program is `target/PROFILE/deps/reliability-HASH`.
        let test_binary = env::current_exe().expect("this program");
        let folder = test_binary
            .ancestors()
            .nth(2)
            .expect("a folder of a profile");
        let program = folder.join(format!("promptdeck{}", env::consts::EXE_SUFFIX));
        if !program.exists() {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["build", "--locked", "--quiet", "-p", "promptdeck-cli"]);
            if folder.ends_with("release") {
                cargo.arg("--release");
            }
            let built = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).status();
            assert!(built.is_ok_and(|status| status.success()), "built");
        }
        program
    })
}

/// A small generator: the same cases on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}
