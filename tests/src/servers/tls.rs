//! OpenSSL's own server with a self-signed certificate.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
};

use tempfile::TempDir;

use super::process::Process;

/// A server with a self-signed certificate.
#[derive(Debug)]
pub struct Untrusted {
    process: Process,
    folder: TempDir,
}

impl Untrusted {
    /// Starts a server.
    ///
    /// # Panics
    /// If there is no `openssl` to create and serve a certificate.
    #[must_use]
    pub fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let made = Command::new("openssl")
            .current_dir(&folder)
            .args([
                "req",
                "-x509",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=localhost",
            ])
            .args(["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
            .args(["-addext", "subjectAltName=IP:127.0.0.1"])
            .args(["-addext", "basicConstraints=critical,CA:FALSE"])
            .args(["-keyout", "key.pem", "-out", "certificate.pem"])
            .output()
            .expect("openssl is installed");
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let mut server = Command::new("openssl");
        server
            .current_dir(&folder)
            .args(["s_server", "-accept", "127.0.0.1:0", "-www"])
            .args(["-key", "key.pem", "-cert", "certificate.pem"])
            .stderr(Stdio::null());
        Self {
            process: Process::start(&mut server, "ACCEPT "),
            folder,
        }
    }

    /// Base URL of the server.
    #[must_use]
    pub fn address(&self) -> String {
        format!("https://{}", self.process.address())
    }

    /// Path of the certificate, for clients that trust it.
    #[must_use]
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("certificate.pem")
    }
}
