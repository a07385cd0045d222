//! The mock server of an npm package, with the answers and faults of `servers/answers.json`.

use std::{path::Path, process::Command, sync::OnceLock};

use super::process::Process;

/// The base URL of the server shared by all tests of a program.
///
/// # Panics
/// If the server cannot be started; `npm ci` installs it.
#[must_use]
pub fn aimock() -> &'static str {
    static SHARED: OnceLock<Process> = OnceLock::new();
    SHARED
        .get_or_init(|| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("servers");
            let mut command = Command::new("node");
            command
                .arg(folder.join("aimock.mjs"))
                .arg(folder.join("answers.json"));
            Process::start(&mut command, "READY ")
        })
        .address()
}
