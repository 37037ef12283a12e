//! A deployment with the real CLI, and what its Edge is made to answer.

use std::fs;
use std::path::{Path, PathBuf};

use harness::claude::{classify, command};
use harness::refusal::{Refusal, Verdict};
use rustls::ServerConfig;
use standin::deployment::{MODEL, SECRET};
use standin::edge::Reply;
use standin::front::{Delivery, Front};
use standin::scratch;
use standin::served::{self, event_stream};

use super::version::Version;
use crate::trial::Trial;

/// Part of every message of the Edge; it must be found nowhere.
pub(super) const MARKER: &str = "made-up-marker-5b1f0c7e";

/// A message of the Edge: these words, the marker, and the key that a server may echo.
pub(super) fn message(words: &str) -> String {
    format!("{words} {MARKER} {SECRET}")
}

/// A deployment that passes until it is changed.
pub(super) struct Scene {
    /// The deployment.
    pub(super) trial: Trial,
    front: Option<Front>,
    elsewhere: Option<Front>,
}

impl Scene {
    /// One with the real CLI that `IOP_SMOKE_CLAUDE` names.
    pub(super) fn new() -> Self {
        Self {
            trial: super::trial(),
            front: None,
            elsewhere: None,
        }
    }

    /// The version of the CLI.
    pub(super) fn version(&self) -> Version {
        Version::of(self.trial.standin.client().facts.version)
    }

    /// Has the Edge refuse the request with an error of this type, in these words.
    pub(super) fn refuse(&self, status: u16, kind: &str, words: &str) {
        let body = served::error(kind, &message(words)).to_string();
        self.refuse_with(Reply {
            kind: "application/json",
            ..Reply::new(status, body)
        });
    }

    /// Has the Edge refuse the request with a page.
    pub(super) fn refuse_with_page(&self, status: u16) {
        self.refuse_with(Reply {
            kind: "text/html",
            ..Reply::new(status, page())
        });
    }

    /// Has the Edge answer the request with this and not serve it.
    pub(super) fn refuse_with(&self, reply: Reply) {
        self.trial
            .standin
            .edge
            .behave(|behaviour| behaviour.refusal = Some(reply));
    }

    /// Has the Edge answer a request that it has served with this event stream.
    pub(super) fn answer_stream(&self, body: impl Into<Vec<u8>>) {
        self.trial.standin.edge.behave(|behaviour| {
            behaviour.messages = Some(Reply {
                kind: "text/event-stream",
                ..Reply::new(200, body)
            });
        });
    }

    /// Sends this for the request.
    pub(super) fn deliver(&mut self, delivery: Delivery) {
        self.put_front(None, "127.0.0.1").deliver(delivery);
    }

    /// Sends these for the requests in turn.
    pub(super) fn deliver_in_turn(&mut self, deliveries: Vec<Delivery>) {
        self.put_front(None, "127.0.0.1")
            .deliver_in_turn(deliveries);
    }

    /// Puts a listener before the Edge, reached by this host.
    pub(super) fn put_front(&mut self, tls: Option<ServerConfig>, host: &str) -> &Front {
        let front = Front::start(&self.trial.standin.edge, tls).expect("a listener");
        self.reach(&front.origin(host));
        self.front.insert(front)
    }

    /// The origin of a listener that answers every request as a gateway does, and counts none.
    pub(super) fn other_gateway(&mut self) -> String {
        let front = Front::start(&self.trial.standin.edge, None).expect("a listener");
        front.deliver(Delivery::stream().chunk(event_stream(MODEL)).end());
        self.elsewhere.insert(front).origin("127.0.0.1")
    }

    /// Number of connections to the other gateway.
    pub(super) fn connections_elsewhere(&self) -> u32 {
        self.elsewhere.as_ref().map_or(0, Front::connections)
    }

    /// Has the deployment be reached at this origin.
    pub(super) fn reach(&mut self, origin: &str) {
        let set = self.trial.standin.set_origin(origin);
        set.expect("the evidence is written");
    }

    /// Hands these certificates over to the CLI as authorities to trust.
    pub(super) fn trust(&mut self, pem: &str) {
        let file = self.trial.path("authority.pem");
        fs::write(&file, pem).expect("the authority is written");
        let standin = &mut self.trial.standin;
        standin.set("IOP_SMOKE_PASS_ENV", "NODE_EXTRA_CA_CERTS");
        standin.set("NODE_EXTRA_CA_CERTS", file);
    }

    /// Number of Messages requests that were sent.
    pub(super) fn posts(&self) -> u32 {
        match &self.front {
            Some(front) => front.posts().max(self.trial.standin.edge.seen().messages),
            None => self.trial.standin.edge.seen().messages,
        }
    }

    /// Starts the CLI as the run does, without a preflight that would stop before.
    pub(super) fn client_alone(&self) -> Verdict {
        let ended = command::run(&self.trial.deployment())?;
        classify::judge(&ended).map(drop).map_err(Refusal::claude)
    }

    /// Asserts that nothing that the Edge said is in any file of the deployment.
    #[track_caller]
    pub(super) fn assert_no_marker_on_disk(&self) {
        assert_eq!(
            holding(self.trial.standin.root(), MARKER.as_bytes()),
            Vec::<PathBuf>::new()
        );
    }
}

/// A page as proxies send it.
pub(super) fn page() -> String {
    format!(
        "<!DOCTYPE html>\n<html><head><title>{MARKER}</title></head>\n\
         <body><h1>It is not here</h1><p>{}</p></body></html>\n",
        message("Ask somebody else.")
    )
}

/// Files below a folder that hold these bytes.
pub(super) fn holding(folder: &Path, bytes: &[u8]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        // What goes away meanwhile holds nothing any more.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(kind) if kind.is_file() => {
                    let contents = fs::read(&path).unwrap_or_default();
                    if memchr::memmem::find(&contents, bytes).is_some() {
                        found.push(path);
                    }
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn the_search_finds_what_it_looks_for() {
    let folder = scratch::folder().expect("a folder");
    let file = folder.path().join("below").join("file");
    fs::create_dir(folder.path().join("below")).expect("a folder below");
    fs::write(&file, message("canary")).expect("a file");
    assert_eq!(holding(folder.path(), MARKER.as_bytes()), [file]);
}
