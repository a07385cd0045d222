//! A server as a child process that prints its address on standard output.

use std::{
    io::{BufRead, BufReader},
    process::{Child, ChildStdin, Command, Stdio},
};

/// A server that runs until dropped. Servers that read standard input also end with it, and thus
/// with this process however it ends.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    _stdin: ChildStdin,
    address: String,
}

impl Process {
    /// Starts a server and waits until it prints a line of `sign` and its address.
    pub(super) fn start(command: &mut Command, sign: &str) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let stdin = child.stdin.take().expect("standard input is piped");
        let mut lines = BufReader::new(child.stdout.take().expect("standard output is piped"))
            .lines()
            .map_while(Result::ok);
        let address = lines
            .find_map(|line| line.strip_prefix(sign).map(str::to_owned))
            .unwrap_or_else(|| panic!("{command:?} ended before it listened"));
        // Drain the output, or the server would block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child,
            _stdin: stdin,
            address,
        }
    }

    /// The address as the server printed it.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Kills the server like `kill -9`.
    pub(super) fn kill(&mut self) {
        self.child.kill().expect("a child can be killed");
        self.child.wait().expect("a killed child can be waited for");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
