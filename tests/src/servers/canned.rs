//! A listener that answers every connection with the same bytes: for recorded answers of servers
//! that cannot be installed, and for faults that no server produces on request.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// A listener on a local port; it lives until the test process ends.
#[derive(Debug)]
pub struct Canned {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Canned {
    /// Answers with a status line, headers and a body; adds `Connection: close`.
    #[must_use]
    pub fn answering(status: &str, headers: &str, body: &str) -> Self {
        let answer = format!(
            "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n{body}",
            body.len()
        );
        Self::doing(move |stream| {
            // The client may have closed the connection.
            let _ = stream.write_all(answer.as_bytes());
        })
    }

    /// Answers with headers and then the same piece without end.
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

    /// Answers with headers and then one piece after the other, with a pause before each, and
    /// closes the connection without the final chunk.
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

    /// Accepts connections and never answers.
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

    /// Base URL of the listener.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The requests so far, heads and bodies.
    ///
    /// # Panics
    /// If a connection's thread panicked.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("nobody panics with it").clone()
    }
}

/// Reads head and body as far as they arrive.
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
