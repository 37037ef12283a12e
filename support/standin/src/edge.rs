//! The stand-in Edge: wiremock listeners whose Messages route has the side
//! effects of a served request.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::oneshot;
use wiremock::http::Method;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

use crate::refusing::Refusing;
use crate::{observations, served};

/// Longest wait for a listener to be closed.
const CLOSING_BOUND: Duration = Duration::from_secs(10);

/// What an Edge needs to know of its deployment.
#[derive(Clone, Debug)]
pub struct Site {
    /// Made-up key that the catalog and Messages routes ask for.
    pub secret: String,
    /// The public model.
    pub model: String,
    /// Its log.
    pub log: PathBuf,
    /// The file that the work stage writes.
    pub result: PathBuf,
    /// What the work stage writes.
    pub content: Vec<u8>,
}

/// An answer in place of the usual one.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// `content-type`.
    pub kind: &'static str,
    /// Body.
    pub body: Vec<u8>,
    /// `location`, for redirects.
    pub location: Option<String>,
    /// Time before the answer.
    pub delay: Duration,
}

impl Reply {
    /// An answer with this status and text.
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            kind: "text/plain",
            body: body.into(),
            ..Self::default()
        }
    }

    /// The same answer, later.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}

/// Turns the records of a served request into what is appended to the log.
pub type EditRecords = Arc<dyn Fn(Vec<Value>) -> Vec<u8> + Send + Sync>;
/// Something that happens while a request is served, after its own effects. It may ask this Edge
/// nothing where that is the catalog's.
pub type DuringRequest = Arc<dyn Fn() + Send + Sync>;

/// How the Edge differs from a well-behaved one.
#[derive(Clone, Default)]
pub struct Behaviour {
    /// In place of `GET /healthz`.
    pub health: Option<Reply>,
    /// In place of `OPTIONS /v1/messages`.
    pub options: Option<Reply>,
    /// In place of `GET /metrics`; `{}` in the body stands for the counter.
    pub metrics: Option<Reply>,
    /// The same, once a request was served.
    pub metrics_afterwards: Option<Reply>,
    /// In place of the catalog.
    pub catalog: Option<Reply>,
    /// In place of serving `POST /v1/messages`: nothing else happens.
    pub refusal: Option<Reply>,
    /// In place of the answer to a served `POST /v1/messages`.
    pub messages: Option<Reply>,
    /// What happens when the catalog is asked for: nothing of a preflight comes after that.
    pub at_catalog: Option<DuringRequest>,
    /// By how much the counter moves at each catalog request.
    pub catalog_ingress: u64,
    /// What the counter becomes when a request is served; one more if none.
    pub ingress: Option<u64>,
    /// What the log gets when a request is served.
    pub records: Option<EditRecords>,
    /// What the result file holds; nothing is written if this is `Some(None)`.
    pub content: Option<Option<Vec<u8>>>,
    /// What happens besides.
    pub during: Option<DuringRequest>,
}

/// Requests that an Edge has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// `POST /v1/messages`.
    pub messages: u32,
    /// Requests of the catalog.
    pub catalog: u32,
    /// Requests that carried the key where it does not belong.
    pub misplaced_key: u32,
    /// Requests that no route takes.
    pub unmatched: u32,
}

struct State {
    site: Site,
    behaviour: Behaviour,
    counter: u64,
    seen: Seen,
}

impl State {
    fn new(site: Site) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            site,
            behaviour: Behaviour::default(),
            counter: 4,
            seen: Seen::default(),
        }))
    }
}

/// A running stand-in Edge; dropping it closes its listener.
pub struct Edge {
    state: Arc<Mutex<State>>,
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    // Its port once it is stopped.
    refusing: Option<Refusing>,
}

impl Edge {
    /// Starts an Edge on a free port of the loopback interface.
    ///
    /// It runs on a thread and runtime of its own, so that a test that blocks
    /// cannot starve it.
    ///
    /// # Errors
    /// The thread or its runtime could not be started.
    pub fn start(site: Site) -> io::Result<Self> {
        let state = State::new(site);
        let (stop, stopped) = oneshot::channel();
        let (started, start) = mpsc::channel();
        let router = Router(Arc::clone(&state));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let thread = thread::Builder::new()
            .name("standin-edge".into())
            .spawn(move || {
                runtime.block_on(async {
                    // A server of its own: those of `MockServer::start` are pooled
                    // and go on answering after their drop.
                    let server = MockServer::builder()
                        .disable_request_recording()
                        .start()
                        .await;
                    Mock::given(any()).respond_with(router).mount(&server).await;
                    // A receiver that is gone no longer wants the address.
                    let _ = started.send(*server.address());
                    let _ = stopped.await;
                });
            })?;
        let address = start
            .recv()
            .map_err(|_| io::Error::other("the stand-in edge did not start"))?;
        Ok(Self {
            state,
            address,
            stop: Some(stop),
            thread: Some(thread),
            refusing: None,
        })
    }

    /// An Edge that was never started. Nothing answers at its address: it is
    /// on port 9, which only discards.
    pub fn absent(site: Site) -> Self {
        Self {
            state: State::new(site),
            address: SocketAddr::from(([127, 0, 0, 1], 9)),
            stop: None,
            thread: None,
            refusing: None,
        }
    }

    /// Its origin.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Changes how it behaves.
    pub fn behave(&self, change: impl FnOnce(&mut Behaviour)) {
        change(&mut lock(&self.state).behaviour);
    }

    /// Publishes this model in place of the usual one.
    pub fn publish_model(&self, model: &str) {
        model.clone_into(&mut lock(&self.state).site.model);
    }

    /// Accepts this key in place of the usual one.
    pub fn accept_key(&self, key: &str) {
        key.clone_into(&mut lock(&self.state).site.secret);
    }

    /// What it has seen.
    pub fn seen(&self) -> Seen {
        lock(&self.state).seen
    }

    /// The ingress counter.
    pub fn counter(&self) -> u64 {
        lock(&self.state).counter
    }

    /// Closes the listener and waits until it is closed. Its port stays taken.
    ///
    /// # Errors
    /// The listener does not close, or somebody else was given its port.
    pub fn stop(&mut self) -> io::Result<()> {
        self.close();
        let until = Instant::now() + CLOSING_BOUND;
        loop {
            match Refusing::at(self.address) {
                Err(error) if Instant::now() >= until => return Err(error),
                Err(_) => thread::yield_now(),
                Ok(refusing) => {
                    self.refusing = Some(refusing);
                    return Ok(());
                }
            }
        }
    }

    /// Has the listener closed: the server's own thread does it a moment later.
    fn close(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported there.
            let _ = thread.join();
        }
    }
}

impl Drop for Edge {
    fn drop(&mut self) {
        self.close();
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers every request; there is no other mock, so nothing goes uncounted.
struct Router(Arc<Mutex<State>>);

impl Respond for Router {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let mut state = lock(&self.0);
        let key = request
            .headers
            .get("x-api-key")
            .map(|key| key.as_bytes().to_vec());
        let known = key.as_deref() == Some(state.site.secret.as_bytes());
        let behaviour = state.behaviour.clone();
        let path = request.url.path();
        let asks_key = path == "/v1/messages" || path == "/anthropic/v1/models";
        let secret = state.site.secret.as_bytes();
        let carried = request.headers.values().any(|value| {
            value
                .as_bytes()
                .windows(secret.len())
                .any(|part| part == secret)
        });
        if carried && (!asks_key || request.method == Method::OPTIONS) {
            state.seen.misplaced_key += 1;
        }
        match (&request.method, path) {
            (&Method::GET, "/healthz") => reply(behaviour.health, || text(200, "ok\n")),
            (&Method::GET, "/metrics") => {
                let served = state.seen.messages > 0;
                let other = behaviour.metrics_afterwards.filter(|_| served);
                metrics(other.or(behaviour.metrics), state.counter)
            }
            (&Method::OPTIONS, "/v1/messages") => reply(behaviour.options, || text(405, "")),
            (&Method::GET, "/anthropic/v1/models") => {
                state.seen.catalog += 1;
                state.counter += behaviour.catalog_ingress;
                if let Some(happens) = &behaviour.at_catalog {
                    happens();
                }
                let version = request.headers.get("anthropic-version");
                reply(behaviour.catalog, || {
                    if !known {
                        return json(401, &served::error("authentication_error", "no"));
                    }
                    if version.is_none_or(|version| version != "2023-06-01") {
                        return json(400, &served::error("invalid_request_error", "no version"));
                    }
                    json(200, &served::catalog(&state.site.model))
                })
            }
            (&Method::POST, "/v1/messages") => {
                state.seen.messages += 1;
                if !known {
                    return json(401, &served::error("authentication_error", "no"));
                }
                if behaviour.refusal.is_some() {
                    return reply(behaviour.refusal, || text(500, ""));
                }
                let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
                if body["model"] != *state.site.model {
                    return json(404, &served::error("not_found_error", "no such model"));
                }
                state.counter = behaviour.ingress.unwrap_or(state.counter + 1);
                if let Err(error) = serve(&state.site, &behaviour) {
                    return json(500, &served::error("api_error", &error.to_string()));
                }
                // What happens besides may ask this Edge something.
                let model = state.site.model.clone();
                drop(state);
                if let Some(during) = &behaviour.during {
                    during();
                }
                reply(behaviour.messages, || {
                    if body["stream"] == true {
                        body_of(200, served::event_stream(&model), "text/event-stream")
                    } else {
                        json(200, &served::message(&model))
                    }
                })
            }
            _ => {
                state.seen.unmatched += 1;
                json(404, &served::error("not_found_error", "no such route"))
            }
        }
    }
}

/// The side effects of a served request: the work stage's file and the log's records.
fn serve(site: &Site, behaviour: &Behaviour) -> io::Result<()> {
    let content = behaviour
        .content
        .clone()
        .unwrap_or_else(|| Some(site.content.clone()));
    if let Some(content) = content {
        fs::write(&site.result, content)?;
    }
    let records = observations::served();
    let lines = match &behaviour.records {
        Some(edit) => edit(records),
        None => observations::lines(&records),
    };
    OpenOptions::new()
        .append(true)
        .open(&site.log)?
        .write_all(&lines)
}

fn reply(other: Option<Reply>, usual: impl FnOnce() -> ResponseTemplate) -> ResponseTemplate {
    let Some(reply) = other else { return usual() };
    let mut template = body_of(reply.status, reply.body, reply.kind).set_delay(reply.delay);
    if let Some(location) = reply.location {
        template = template.insert_header("location", location);
    }
    template
}

fn metrics(other: Option<Reply>, counter: u64) -> ResponseTemplate {
    let name = harness::constants::INGRESS_COUNTER;
    let usual = format!(
        "# HELP {name} Requests that entered the single-request path.\n\
         # TYPE {name} counter\n{name} {counter}\n{name}_created 1.7e9\nprocess_open_fds 12\n"
    );
    reply(
        other.map(|mut reply| {
            let body = String::from_utf8_lossy(&reply.body).replace("{}", &counter.to_string());
            reply.body = body.into_bytes();
            reply
        }),
        || text(200, &usual),
    )
}

fn text(status: u16, body: &str) -> ResponseTemplate {
    body_of(status, body, "text/plain")
}

fn json(status: u16, body: &Value) -> ResponseTemplate {
    body_of(status, body.to_string(), "application/json")
}

fn body_of(status: u16, body: impl Into<Vec<u8>>, kind: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_raw(body.into(), kind)
}
