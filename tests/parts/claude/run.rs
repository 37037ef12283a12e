//! Runs of the CLI, made up in the shape in which it was seen to end.

use harness::process::{Cause, Ended, Status};
use serde_json::{Value, json};

/// A run; starts as one that passes and is changed from there.
pub(super) struct Run {
    lines: Vec<Vec<u8>>,
    result: Value,
    after: Vec<Vec<u8>>,
    stderr: Vec<u8>,
    cause: Cause,
    status: Status,
    left: u32,
}

/// The run from which all others derive: one complete turn.
pub(super) fn control() -> Run {
    Run {
        lines: vec![
            line(&json!({"type": "system", "subtype": "ui_invalidate", "session_id": "s-1"})),
            line(&json!({
                "type": "system",
                "subtype": "init",
                "cwd": "/srv/agent-429gnJ/ECONNREFUSED",
                "model": "made-up-403-model",
                "tools": ["Bash", "Edit"],
                "skills": ["security-review", "invalid-api-key"],
            })),
            line(&json!({
                "type": "assistant",
                "message": {"role": "assistant", "content": [{"type": "text", "text": "It is written."}]},
            })),
        ],
        result: json!({
            "type": "result",
            "subtype": "success",
            "is_error": false,
            "api_error_status": null,
            "stop_reason": "end_turn",
            "num_turns": 1,
            "terminal_reason": "completed",
            "result": "It is written.",
            "usage": {"input_tokens": 3, "output_tokens": 5},
        }),
        after: Vec::new(),
        stderr: b"[claude-code:unrecognized_model] {\"model\":\"made-up-403-model\"}\n".to_vec(),
        cause: Cause::Exited,
        status: Status::Code(0),
        left: 0,
    }
}

/// A run that ends with a failed request, of which this text is all that is known.
pub(super) fn failed(text: &str) -> Run {
    control()
        .exit(1)
        .set("is_error", true)
        .set("stop_reason", "stop_sequence")
        .set("result", text)
}

/// A run that ends before its first event.
pub(super) fn silent() -> Run {
    let mut run = control().without_result();
    run.lines.clear();
    run.stderr.clear();
    run
}

impl Run {
    /// Sets a field of the result event.
    pub(super) fn set(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.result[field] = value.into();
        self
    }

    /// Removes a field of the result event.
    pub(super) fn without(mut self, field: &str) -> Self {
        let removed = self
            .result
            .as_object_mut()
            .and_then(|fields| fields.remove(field));
        assert!(removed.is_some(), "no field {field} to remove");
        self
    }

    /// Sets the status that the result event reports.
    pub(super) fn status(self, status: u16) -> Self {
        self.set("api_error_status", status)
    }

    /// Removes the result event.
    pub(super) fn without_result(mut self) -> Self {
        self.result = Value::Null;
        self
    }

    /// Adds the error event of a version that names the rough kind alone.
    pub(super) fn error(self, error: &str) -> Self {
        self.event(&json!({"type": "assistant", "error": error, "message": {"content": []}}))
    }

    /// Adds the error event of 2.1.332 with the type in the API's error body.
    pub(super) fn api_type(self, error: &str, api_type: &str) -> Self {
        self.event(&json!({"type": "assistant", "error": error, "api_error_type": api_type}))
    }

    /// Adds the error event of 2.1.332 with the CLI's precise kind.
    pub(super) fn kind(self, error: &str, kind: &str) -> Self {
        self.event(&json!({"type": "assistant", "error": error, "api_error": kind}))
    }

    /// Adds the event of a repeated request.
    pub(super) fn retry(self) -> Self {
        self.event(
            &json!({"type": "system", "subtype": "api_retry", "attempt": 1, "error_status": 529}),
        )
    }

    /// Adds an event before the result.
    pub(super) fn event(self, event: &Value) -> Self {
        self.raw(line(event))
    }

    /// Adds bytes before the result.
    pub(super) fn raw(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.lines.push(bytes.into());
        self
    }

    /// Adds bytes after the result.
    pub(super) fn then(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.after.push(bytes.into());
        self
    }

    /// Prints this on stderr.
    pub(super) fn stderr(mut self, text: impl AsRef<[u8]>) -> Self {
        self.stderr = text.as_ref().to_vec();
        self
    }

    /// Exits with this status.
    pub(super) fn exit(mut self, code: i32) -> Self {
        self.status = Status::Code(code);
        self
    }

    /// Ends by this signal.
    pub(super) fn signal(mut self, signal: i32) -> Self {
        self.status = Status::Signal(signal);
        self
    }

    /// Is ended for this cause.
    pub(super) fn cause(mut self, cause: Cause) -> Self {
        self.cause = cause;
        self
    }

    /// Leaves this many processes behind.
    pub(super) fn left(mut self, left: u32) -> Self {
        self.left = left;
        self
    }

    /// The result event as the CLI prints it.
    pub(super) fn result_line(&self) -> Vec<u8> {
        line(&self.result)
    }

    /// The whole stdout.
    pub(super) fn stdout(&self) -> Vec<u8> {
        let mut stdout = self.lines.concat();
        if !self.result.is_null() {
            stdout.extend(self.result_line());
        }
        stdout.extend(self.after.concat());
        stdout
    }

    /// The run as the process module reports it.
    pub(super) fn ended(&self) -> Ended {
        Ended {
            cause: self.cause,
            status: self.status,
            stdout: self.stdout(),
            stderr: self.stderr.clone(),
            terminated: 0,
            left: self.left,
        }
    }
}

/// An event as a line.
pub(super) fn line(event: &Value) -> Vec<u8> {
    let mut line = event.to_string().into_bytes();
    line.push(b'\n');
    line
}
