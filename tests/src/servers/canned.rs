//! A listener that answers every connection with the same bytes, for recorded answers of servers
//! that cannot be installed and for faults no server has on purpose.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// A listener on a port of this machine; it lives as long as the test's process.
#[derive(Debug)]
pub struct Canned {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Canned {
    /// Answers with a status line, headers and body; `Connection: close` is added.
    #[must_use]
    pub fn answering(status: &str, headers: &str, body: &str) -> Self {
        let answer = format!(
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n{body}",
            body.len()
        );
        Self::doing(move |stream| {
            // The other side may have had enough.
            let _ = stream.write_all(answer.as_bytes());
        })
    }

    /// Answers with headers and then the same piece for ever.
    #[must_use]
    pub fn endless(kind: &'static str, piece: &'static str) -> Self {
        Self::doing(move |stream| {
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n");
            if stream.write_all(head.as_bytes()).is_err() {
                return;
            }
            let block = piece.repeat((1 << 16) / piece.len());
            while stream.write_all(block.as_bytes()).is_ok() {}
        })
    }

    /// Answers with headers and then one piece after the other with a pause before each; then it
    /// breaks off, without the end that chunks have.
    #[must_use]
    pub fn dripping(kind: &'static str, pieces: Vec<String>, pause: Duration) -> Self {
        Self::doing(move |stream| {
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n"
            );
            let mut going = stream.write_all(head.as_bytes()).is_ok();
            for piece in &pieces {
                thread::sleep(pause);
                let chunk = format!("{:x}\r\n{piece}\r\n", piece.len());
                going = going && stream.write_all(chunk.as_bytes()).is_ok();
            }
        })
    }

    /// Takes a connection and says nothing for as long as the other side waits.
    #[must_use]
    pub fn silent() -> Self {
        Self::doing(
            |stream| {
                while stream.read(&mut [0]).is_ok_and(|read| read > 0) {}
            },
        )
    }

    fn doing(answer: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (answer, seen) = (Arc::new(answer), Arc::clone(&requests));
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (answer, seen) = (Arc::clone(&answer), Arc::clone(&seen));
                thread::spawn(move || {
                    let request = read_request(&mut stream);
                    seen.lock().expect("nobody panics with it").push(request);
                    answer(&mut stream);
                });
            }
        });
        Self { address, requests }
    }

    /// Its base URL.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// What it was asked so far, heads and bodies.
    ///
    /// # Panics
    ///
    /// When a connection's thread panicked.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("nobody panics with it").clone()
    }
}

/// Head and body, as far as they come.
fn read_request(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&request);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .filter_map(|line| line.split_once(": "))
                .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                .and_then(|(_, length)| length.parse::<usize>().ok());
            if body.len() >= length.unwrap_or_default() {
                return text.into_owned();
            }
        }
        match stream.read(&mut piece) {
            Ok(read) if read > 0 => request.extend_from_slice(&piece[..read]),
            _ => return String::from_utf8_lossy(&request).into_owned(),
        }
    }
}
