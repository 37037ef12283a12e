//! What statuses and the CLI's and the API's own names of errors mean.

use super::super::stream::{ErrorEvent, Text};
use super::{bad_request, wording};
use crate::reason::ClaudeReason;

/// A search through a text.
pub(super) type Search = fn(&str) -> Option<ClaudeReason>;

/// What an error event tells.
pub(super) enum Told {
    /// This reason.
    Precisely(ClaudeReason),
    /// What `search` finds in the texts, else `otherwise`.
    Roughly {
        search: Search,
        otherwise: ClaudeReason,
    },
    /// Nothing.
    Nothing,
}

/// The reason for an HTTP status; none for one that is no error.
pub(super) fn of_status(status: u16) -> Option<ClaudeReason> {
    Some(match status {
        400 => ClaudeReason::Http400,
        401 => ClaudeReason::Http401,
        402 => ClaudeReason::Http402,
        403 => ClaudeReason::Http403,
        404 => ClaudeReason::Http404,
        413 => ClaudeReason::Http413,
        429 => ClaudeReason::Http429,
        500..=599 => ClaudeReason::Http5xx,
        other if (400..500).contains(&other) => ClaudeReason::ApiError,
        _ => return None,
    })
}

/// The reason for the `type` in an error body of the Messages API; each stands for one status.
pub(super) fn of_api_type(api_type: &str) -> Option<ClaudeReason> {
    Some(match api_type {
        "invalid_request_error" => ClaudeReason::Http400,
        "authentication_error" => ClaudeReason::Http401,
        "billing_error" => ClaudeReason::Http402,
        "permission_error" => ClaudeReason::Http403,
        "not_found_error" => ClaudeReason::Http404,
        "request_too_large" => ClaudeReason::Http413,
        "rate_limit_error" => ClaudeReason::Http429,
        "api_error" | "overloaded_error" | "timeout_error" => ClaudeReason::Http5xx,
        _ => return None,
    })
}

impl ErrorEvent {
    /// What the event tells: the API's own type first, then the CLI's names, precise before rough.
    pub(super) fn told(&self) -> Told {
        let api_type = value(&self.api_error_type);
        let kind = of_kind(value(&self.api_error));
        let error = of_error(value(&self.error));
        match (of_api_type(api_type), kind, error) {
            (Some(reason), _, _) => Told::Precisely(reason),
            (None, Told::Nothing, error) => error,
            (None, Told::Roughly { .. }, precise @ Told::Precisely(_)) => precise,
            (None, kind, _) => kind,
        }
    }
}

fn value(field: &Option<Text>) -> &str {
    field.as_ref().map_or("", Text::as_str)
}

/// `api_error`: a precise kind, an open set that only newer versions have.
fn of_kind(kind: &str) -> Told {
    match kind {
        "connection_failed" => Told::Roughly {
            search: wording::transport,
            otherwise: ClaudeReason::ConnectionError,
        },
        "stream_idle_timeout" => Told::Precisely(ClaudeReason::NetworkTimeout),
        "empty_completion" | "gateway_content_type" | "no_response" => {
            Told::Precisely(ClaudeReason::MalformedResponse)
        }
        "max_output_tokens" => Told::Precisely(ClaudeReason::StopReason),
        "tls_cert_signature_failure" | "tls_untrusted_ca" => {
            Told::Precisely(ClaudeReason::TlsCertificate)
        }
        _ => Told::Nothing,
    }
}

/// `error`: a kind that every version has, mostly too rough to stand alone.
fn of_error(error: &str) -> Told {
    match error {
        "authentication_failed" => Told::Roughly {
            search: wording::status,
            otherwise: ClaudeReason::Authentication,
        },
        // Said of a low balance alone, which is a 400 unless a status says otherwise.
        "billing_error" => Told::Roughly {
            search: wording::status,
            otherwise: ClaudeReason::Http400,
        },
        "invalid_request" => Told::Roughly {
            search: |text| wording::status(text).or_else(|| bad_request::refine_named(text)),
            otherwise: ClaudeReason::Http400,
        },
        "max_output_tokens" => Told::Precisely(ClaudeReason::StopReason),
        "model_not_found" => Told::Precisely(ClaudeReason::Http404),
        "rate_limit" => Told::Precisely(ClaudeReason::Http429),
        "server_error" => Told::Roughly {
            search: wording::anything,
            otherwise: ClaudeReason::Http5xx,
        },
        _ => Told::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_told_by_its_own_reason_or_its_hundred() {
        for (status, reason) in [
            (200, None),
            (302, None),
            (399, None),
            (400, Some(ClaudeReason::Http400)),
            (405, Some(ClaudeReason::ApiError)),
            (418, Some(ClaudeReason::ApiError)),
            (499, Some(ClaudeReason::ApiError)),
            (500, Some(ClaudeReason::Http5xx)),
            (599, Some(ClaudeReason::Http5xx)),
            (600, None),
        ] {
            assert_eq!(of_status(status), reason, "{status}");
        }
    }

    #[test]
    fn a_filled_budget_is_a_stop_reason_by_either_name() {
        for told in [of_kind("max_output_tokens"), of_error("max_output_tokens")] {
            assert!(matches!(told, Told::Precisely(ClaudeReason::StopReason)));
        }
    }
}
