//! URLs of the deployment, as RFC 3986 splits them.

use std::fmt;

use url::Url;

use super::fault::Fault;

/// The Edge's origin: scheme, host and port, and no path but `/`.
#[derive(Clone)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// Takes an http or https URL without user information, path, query or fragment.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let rest = web_url(text)?;
        if !matches!(rest, "" | "/") {
            return Err(Fault::Path);
        }
        Ok(Self(text.to_owned()))
    }

    /// The text as given.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The URL of a route that begins with `/`.
    pub fn route(&self, route: &str) -> String {
        format!("{}{route}", self.0.trim_end_matches('/'))
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BaseUrl(..)")
    }
}

/// Where the Prometheus exposition is served.
#[derive(Clone)]
pub struct MetricsUrl(String);

impl MetricsUrl {
    /// Takes an http or https URL without user information, query or fragment.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        web_url(text)?;
        Ok(Self(text.to_owned()))
    }

    /// The text as given.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for MetricsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MetricsUrl(..)")
    }
}

/// Checks what both kinds share and gives what follows the authority.
///
/// The text is judged before a parser sees it: the URL Standard drops tabs and
/// line breaks, turns `\` into `/` and resolves `.`, and the client would send
/// something else than what was judged.
fn web_url(text: &str) -> Result<&str, Fault> {
    if text
        .chars()
        .any(|char| char.is_control() || char.is_whitespace() || char == '\\')
    {
        return Err(Fault::Character);
    }
    let lower = text.to_ascii_lowercase();
    if !lower.starts_with("http://") && !lower.starts_with("https://") {
        return Err(Fault::Scheme);
    }
    let after = text.split_once("://").map_or("", |(_, after)| after);
    let end = after.find(['/', '?', '#']).unwrap_or(after.len());
    let (authority, rest) = after.split_at(end);
    if authority.contains('@') {
        return Err(Fault::UserInfo);
    }
    if rest.contains('?') {
        return Err(Fault::Query);
    }
    if rest.contains('#') {
        return Err(Fault::Fragment);
    }
    match Url::parse(text) {
        // The parser passes over empty authorities: it takes the host from the path.
        Ok(url) if !authority.is_empty() && url.has_host() && url.port() != Some(0) => Ok(rest),
        _ => Err(Fault::Host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_url_can_be_printed() {
        let base = BaseUrl::parse("http://canary:1").unwrap();
        let metrics = MetricsUrl::parse("http://canary:1/metrics").unwrap();
        assert_eq!(
            format!("{base:?} {metrics:?}"),
            "BaseUrl(..) MetricsUrl(..)"
        );
        assert_eq!(base.route("/healthz"), "http://canary:1/healthz");
    }
}
