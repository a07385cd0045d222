//! The llama.cpp server with a tiny model created on the spot.

use std::{path::Path, process::Command};

use tempfile::TempDir;

use super::process::Process;

/// Environment variable with the path of the Python that has the server installed.
const PYTHON_VARIABLE: &str = "PROMPTDECK_SERVERS_PYTHON";

/// A running llama.cpp server.
#[derive(Debug)]
pub struct Llama {
    process: Process,
    _folder: TempDir,
}

impl Llama {
    /// Starts a server. With a key, it rejects requests without it.
    ///
    /// # Panics
    /// If it cannot be started: a comparison that did not happen is a failure.
    #[must_use]
    pub fn start(key: Option<&str>) -> Self {
        Self::with(key, None)
    }

    /// Starts a server that renders conversations with a template file.
    ///
    /// # Panics
    /// As [`Llama::start`].
    #[must_use]
    pub fn with_template(template: &Path) -> Self {
        Self::with(None, Some(template))
    }

    fn with(key: Option<&str>, template: Option<&Path>) -> Self {
        let python = std::env::var(PYTHON_VARIABLE).unwrap_or_else(|_| {
            panic!(
                "{PYTHON_VARIABLE} is not set: run `npm test`, which installs \
                 conformance/requirements-servers.txt, or name a Python that has it"
            )
        });
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("servers/llama_server.py");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut command = Command::new(python);
        command
            .arg(script)
            .arg(folder.path().join("tiny.gguf"))
            .arg(key.unwrap_or_default())
            .args(template);
        Self {
            process: Process::start(&mut command, "READY "),
            _folder: folder,
        }
    }

    /// Base URL of the server.
    #[must_use]
    pub fn address(&self) -> &str {
        self.process.address()
    }

    /// Kills the server like `kill -9`.
    pub fn kill(&mut self) {
        self.process.kill();
    }
}
