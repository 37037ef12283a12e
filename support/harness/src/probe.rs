//! HTTP probes of the deployment: no redirects, bounded time, bounded bodies.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Read as _};
use std::time::Duration;

use reqwest::blocking::{Client, RequestBuilder, Response};
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Method, NoProxy, Proxy, redirect};
use thiserror::Error;

use crate::constants::{ANTHROPIC_VERSION, BODY_BOUND};
use crate::inputs::secret::Secret;
use crate::refusal::{Circumstance, SafeError, describe};

pub mod catalog;
pub mod metrics;
mod trust;

/// Longest time between two probes over one connection. After a run nobody knows what became of
/// those from before it.
const REUSE_BOUND: Duration = Duration::from_secs(1);

/// Why a probe has no answer.
#[derive(Debug, Error)]
pub enum ProbeError {
    /// The client could not be set up.
    #[error("the http client could not be set up: {0}")]
    Setup(&'static str),
    /// No answer in time.
    #[error("no complete answer in time")]
    Timeout,
    /// Nothing was reached.
    #[error("no connection: {0}")]
    Connect(&'static str),
    /// The answer broke off or was not HTTP.
    #[error("the answer broke off or is not http")]
    Broken,
    /// The body passes its bound.
    #[error("the body is longer than {BODY_BOUND} bytes")]
    TooLong {
        /// HTTP status of the answer.
        status: u16,
    },
}

impl SafeError for ProbeError {}

impl ProbeError {
    /// What it is in a refusal.
    pub const fn circumstance(&self) -> Circumstance {
        match self {
            Self::Setup(_) => Circumstance::Setup,
            Self::Timeout => Circumstance::Timeout,
            Self::Connect(_) => Circumstance::Unreachable,
            Self::Broken => Circumstance::Broken,
            Self::TooLong { .. } => Circumstance::TooLong,
        }
    }
}

/// An answer with its whole body.
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The body, at most [`BODY_BOUND`] bytes.
    pub body: Vec<u8>,
}

/// One client for all probes of a deployment.
pub struct Prober(Client);

impl Prober {
    /// A client that waits at most `bound` for each answer.
    ///
    /// `passed` are the variables that the user hands through to the CLI: a
    /// proxy or private CA among them applies here too, and nothing else does.
    /// `tls` says whether any URL needs trust anchors at all.
    ///
    /// # Errors
    /// [`ProbeError::Setup`].
    pub fn new(
        bound: Duration,
        passed: &[(OsString, OsString)],
        tls: bool,
    ) -> Result<Self, ProbeError> {
        let mut builder = Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .pool_idle_timeout(REUSE_BOUND)
            .timeout(bound)
            .tls_backend_preconfigured(trust::configuration(passed, tls)?);
        for proxy in proxies(passed)? {
            builder = builder.proxy(proxy);
        }
        builder
            .build()
            .map(Self)
            .map_err(|_| ProbeError::Setup("it refused its settings"))
    }

    /// `GET` without credentials.
    ///
    /// # Errors
    /// Any [`ProbeError`].
    pub fn get(&self, url: &str) -> Result<Answer, ProbeError> {
        answer(
            self.0
                .get(url)
                .header("accept", "text/plain;version=0.0.4, */*;q=0.1"),
        )
    }

    /// Status of `OPTIONS` without credentials; the body is not read.
    ///
    /// # Errors
    /// Any [`ProbeError`] but the one of a long body.
    pub fn options(&self, url: &str) -> Result<u16, ProbeError> {
        send(self.0.request(Method::OPTIONS, url)).map(|response| response.status().as_u16())
    }

    /// `GET` of the catalog with the key, in a header marked sensitive.
    ///
    /// # Errors
    /// Any [`ProbeError`].
    pub fn catalog(&self, url: &str, secret: &Secret) -> Result<Answer, ProbeError> {
        let mut key = HeaderValue::from_bytes(secret.expose().as_bytes())
            .map_err(|_| ProbeError::Setup("the key cannot be sent in a header"))?;
        key.set_sensitive(true);
        answer(
            self.0
                .get(url)
                .header(HeaderName::from_static("x-api-key"), key)
                .header("anthropic-version", ANTHROPIC_VERSION),
        )
    }
}

fn answer(request: RequestBuilder) -> Result<Answer, ProbeError> {
    let response = send(request)?;
    let status = response.status().as_u16();
    let mut body = Vec::new();
    let bound = BODY_BOUND as u64;
    response
        .take(bound + 1)
        .read_to_end(&mut body)
        .map_err(|error| {
            error
                .get_ref()
                .and_then(|inner| inner.downcast_ref::<reqwest::Error>())
                .map_or(ProbeError::Broken, classify)
        })?;
    if body.len() > BODY_BOUND {
        return Err(ProbeError::TooLong { status });
    }
    Ok(Answer { status, body })
}

fn send(request: RequestBuilder) -> Result<Response, ProbeError> {
    request.send().map_err(|error| classify(&error))
}

/// Names a client error in fixed words: its own text holds the URL.
fn classify(error: &reqwest::Error) -> ProbeError {
    if error.is_timeout() {
        return ProbeError::Timeout;
    }
    if !error.is_connect() {
        return ProbeError::Broken;
    }
    let cause = error.source().and_then(connect_cause);
    ProbeError::Connect(cause.unwrap_or("the host name does not resolve"))
}

/// What kept a connection from being made, if the chain of errors holds it.
fn connect_cause(error: &(dyn Error + 'static)) -> Option<&'static str> {
    match error.downcast_ref::<rustls::Error>() {
        Some(rustls::Error::InvalidCertificate(_)) => {
            return Some("the server's certificate is not trusted");
        }
        Some(_) => return Some("the server speaks no tls that can be used"),
        None => {}
    }
    if let Some(io) = error.downcast_ref::<io::Error>() {
        // What an I/O error wraps is not its source, but the source of that is.
        let wrapped = io.get_ref().and_then(|inner| connect_cause(inner));
        return wrapped.or(match io.kind() {
            io::ErrorKind::ConnectionRefused => Some("connection refused"),
            io::ErrorKind::ConnectionReset => Some("connection reset"),
            io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
                Some("no route to the host")
            }
            // Without a number it is none of the system's: a name that has no address.
            _ => io.raw_os_error().map(|_| describe(io)),
        });
    }
    error.source().and_then(connect_cause)
}

/// The proxies among the variables handed through, by the names curl(1) gives them.
fn proxies(passed: &[(OsString, OsString)]) -> Result<Vec<Proxy>, ProbeError> {
    let value = |wanted: &str| {
        let found = passed
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted))?;
        found.1.to_str()
    };
    let except = value("NO_PROXY").and_then(NoProxy::from_string);
    [
        value("HTTP_PROXY").map(Proxy::http),
        value("HTTPS_PROXY").map(Proxy::https),
        value("ALL_PROXY").map(Proxy::all),
    ]
    .into_iter()
    .flatten()
    .map(|proxy| match proxy {
        Ok(proxy) => Ok(proxy.no_proxy(except.clone())),
        Err(_) => Err(ProbeError::Setup("a proxy's URL is malformed")),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_kept_a_connection_from_being_made_is_told_in_fixed_words() {
        for (kind, words) in [
            (io::ErrorKind::ConnectionRefused, Some("connection refused")),
            (io::ErrorKind::ConnectionReset, Some("connection reset")),
            (io::ErrorKind::HostUnreachable, Some("no route to the host")),
            (
                io::ErrorKind::NetworkUnreachable,
                Some("no route to the host"),
            ),
            // Not the system's: a name that has no address.
            (io::ErrorKind::Other, None),
        ] {
            assert_eq!(connect_cause(&io::Error::from(kind)), words, "{kind}");
            let wrapped = io::Error::other(io::Error::from(kind));
            assert_eq!(connect_cause(&wrapped), words, "{kind}");
        }
        let denied = io::Error::from_raw_os_error(nix::errno::Errno::EACCES as i32);
        assert_eq!(connect_cause(&denied), Some("permission denied"));
    }
}
