//! A listener before the stand-in Edge that does what an HTTP library would not let it do.
//!
//! It passes every request on, but for `POST /v1/messages` where it is given a
//! [`Delivery`]: that is played byte by byte and in time, with an end that need
//! not be one. With certificates it speaks TLS.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::edge::Edge;

/// Most bytes of a request that are read.
const REQUEST_BOUND: usize = 4 << 20;

/// What is sent for a `POST /v1/messages`, piece by piece; the connection is closed behind it.
#[derive(Clone, Debug, Default)]
pub struct Delivery(Vec<Step>);

#[derive(Clone, Debug)]
enum Step {
    /// Has the Edge serve the request, and keeps its answer to itself.
    Serve,
    Send(Vec<u8>),
    Pause(Duration),
    /// Keeps the connection open until the other side or the listener closes it.
    Hold,
    /// Sends this again and again, with a pause behind each.
    Repeat(Vec<u8>, Duration),
}

impl Delivery {
    /// Nothing at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// The head of an event stream, to be followed by chunks.
    pub fn stream() -> Self {
        Self::new().send(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
             transfer-encoding: chunked\r\nconnection: close\r\n\r\n",
        )
    }

    /// The same for a request that the Edge has served.
    pub fn served_stream() -> Self {
        Self(vec![Step::Serve]).then(Self::stream())
    }

    /// Then these bytes.
    #[must_use]
    pub fn send(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.0.push(Step::Send(bytes.into()));
        self
    }

    /// Then one chunk of the body.
    #[must_use]
    pub fn chunk(self, bytes: impl AsRef<[u8]>) -> Self {
        self.send(chunk(bytes.as_ref()))
    }

    /// Then a pause.
    #[must_use]
    pub fn pause(mut self, pause: Duration) -> Self {
        self.0.push(Step::Pause(pause));
        self
    }

    /// Then the end of the body; without it the body is cut off.
    #[must_use]
    pub fn end(self) -> Self {
        self.send("0\r\n\r\n")
    }

    /// Then silence.
    #[must_use]
    pub fn hold(mut self) -> Self {
        self.0.push(Step::Hold);
        self
    }

    /// Then this chunk for ever.
    #[must_use]
    pub fn repeat(mut self, bytes: impl AsRef<[u8]>, pause: Duration) -> Self {
        self.0.push(Step::Repeat(chunk(bytes.as_ref()), pause));
        self
    }

    /// Then another delivery.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }
}

fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend(bytes);
    chunk.extend(b"\r\n");
    chunk
}

/// A running front; dropping it closes its listener and every connection.
pub struct Front {
    shared: Arc<Shared>,
    address: SocketAddr,
    is_tls: bool,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    edge: SocketAddr,
    tls: Option<Arc<ServerConfig>>,
    state: Mutex<State>,
    stopping: Condvar,
}

#[derive(Default)]
struct State {
    stopped: bool,
    /// One for each request in turn, the last one for all that follow.
    deliveries: Vec<Delivery>,
    connections: u32,
    posts: u32,
    open: Vec<TcpStream>,
}

impl Front {
    /// Starts one on a free port of the loopback interface.
    ///
    /// # Errors
    /// The listener or its thread could not be started.
    pub fn start(edge: &Edge, tls: Option<ServerConfig>) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let is_tls = tls.is_some();
        let shared = Arc::new(Shared {
            edge: edge.address(),
            tls: tls.map(Arc::new),
            state: Mutex::default(),
            stopping: Condvar::new(),
        });
        let accepting = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("standin-front".into())
            .spawn(move || accept(&listener, &accepting))?;
        Ok(Self {
            shared,
            address,
            is_tls,
            thread: Some(thread),
        })
    }

    /// Its origin, with this name or address of the loopback interface as the host.
    pub fn origin(&self, host: &str) -> String {
        let scheme = if self.is_tls { "https" } else { "http" };
        format!("{scheme}://{host}:{}", self.address.port())
    }

    /// Answers `POST /v1/messages` with this from now on.
    pub fn deliver(&self, delivery: Delivery) {
        self.deliver_in_turn(vec![delivery]);
    }

    /// Answers the next `POST /v1/messages` with these in turn, and all that follow with the last.
    pub fn deliver_in_turn(&self, deliveries: Vec<Delivery>) {
        let mut state = self.shared.state();
        state.deliveries = deliveries;
        state.deliveries.reverse();
    }

    /// Number of connections that were made to it.
    pub fn connections(&self) -> u32 {
        self.shared.state().connections
    }

    /// Number of `POST /v1/messages` that it has seen.
    pub fn posts(&self) -> u32 {
        self.shared.state().posts
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        {
            let mut state = self.shared.state();
            state.stopped = true;
            for connection in state.open.drain(..) {
                // One that is closed already needs no closing.
                let _ = connection.shutdown(Shutdown::Both);
            }
        }
        self.shared.stopping.notify_all();
        // Wakes the thread that waits for connections.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported there.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits; false if the front is stopped meanwhile.
    fn pause(&self, pause: Duration) -> bool {
        let waited = self
            .stopping
            .wait_timeout_while(self.state(), pause, |state| !state.stopped);
        !waited.unwrap_or_else(PoisonError::into_inner).0.stopped
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for connection in listener.incoming() {
        let mut state = shared.state();
        if state.stopped {
            return;
        }
        let Ok(connection) = connection else { continue };
        state.connections += 1;
        state.open.extend(connection.try_clone());
        drop(state);
        let shared = Arc::clone(shared);
        // It ends at the latest when the front closes its connection.
        thread::spawn(move || {
            // A client may go whenever it likes.
            let _ = serve(connection, &shared);
        });
    }
}

fn serve(connection: TcpStream, shared: &Shared) -> io::Result<()> {
    let closing = connection.try_clone()?;
    let outcome = match &shared.tls {
        None => answer(connection, shared),
        Some(config) => {
            let tls = ServerConnection::new(Arc::clone(config)).map_err(io::Error::other)?;
            let mut stream = StreamOwned::new(tls, connection);
            let outcome = answer(&mut stream, shared);
            stream.conn.send_close_notify();
            let _ = stream.flush();
            outcome
        }
    };
    // The front keeps another descriptor of it, so that a drop alone closes nothing.
    let _ = closing.shutdown(Shutdown::Both);
    outcome
}

fn answer(mut stream: impl Read + Write, shared: &Shared) -> io::Result<()> {
    let request = Request::read(&mut stream)?;
    let delivery = if request.is_message() {
        let mut state = shared.state();
        state.posts += 1;
        match state.deliveries.len() {
            0 | 1 => state.deliveries.first().cloned(),
            _ => state.deliveries.pop(),
        }
    } else {
        None
    };
    let Some(Delivery(steps)) = delivery else {
        return request.pass_on(shared.edge, &mut stream);
    };
    for step in steps {
        match step {
            Step::Serve => request.pass_on(shared.edge, &mut io::sink())?,
            Step::Send(bytes) => {
                stream.write_all(&bytes)?;
                stream.flush()?;
            }
            Step::Pause(pause) => {
                if !shared.pause(pause) {
                    return Ok(());
                }
            }
            Step::Hold => while stream.read(&mut [0; 1024])? > 0 {},
            Step::Repeat(bytes, pause) => {
                while shared.pause(pause) {
                    stream.write_all(&bytes)?;
                    stream.flush()?;
                }
            }
        }
    }
    Ok(())
}

/// One request as it came.
struct Request {
    head: String,
    body: Vec<u8>,
}

impl Request {
    fn read(stream: &mut impl Read) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                break end;
            }
            more(stream, &mut bytes)?;
        };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut body = bytes.split_off(end + 4);
        let length = field(&head, "content-length");
        let length: usize = length.and_then(|text| text.parse().ok()).unwrap_or(0);
        while body.len() < length {
            more(stream, &mut body)?;
        }
        Ok(Self { head, body })
    }

    fn is_message(&self) -> bool {
        let Some(target) = self.head.strip_prefix("POST ") else {
            return false;
        };
        // A proxy is told the whole URL.
        let path = match target.strip_prefix("http://") {
            Some(url) => url.find('/').map_or("", |at| &url[at..]),
            None => target,
        };
        path.starts_with("/v1/messages")
    }

    /// Has the Edge answer it, and copies the answer.
    fn pass_on(&self, edge: SocketAddr, answer: &mut impl Write) -> io::Result<()> {
        let mut stream = TcpStream::connect(edge)?;
        let mut lines = self.head.split("\r\n");
        let first = lines.next().unwrap_or_default();
        let mut head = format!("{first}\r\nconnection: close\r\n");
        for line in lines.filter(|line| !is_field(line, "connection")) {
            head.push_str(line);
            head.push_str("\r\n");
        }
        stream.write_all(head.as_bytes())?;
        stream.write_all(b"\r\n")?;
        stream.write_all(&self.body)?;
        io::copy(&mut stream, answer)?;
        answer.flush()
    }
}

fn more(stream: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut buffer = [0; 16 << 10];
    let read = stream.read(&mut buffer)?;
    if read == 0 || bytes.len() > REQUEST_BOUND {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    bytes.extend(&buffer[..read]);
    Ok(())
}

fn field<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let line = head.split("\r\n").find(|line| is_field(line, name))?;
    Some(line[name.len() + 1..].trim())
}

fn is_field(line: &str, name: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(found, _)| found.eq_ignore_ascii_case(name))
}
