//! Stand-in for Claude Code: asks the Edge once and prints events like the real one's.

#![expect(
    clippy::disallowed_methods,
    reason = "an executable of its own reads its variables"
)]

use std::env;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::ExitCode;

use script::{Printed, defaults};
use serde_json::{Value, json};

mod answer;

fn main() -> ExitCode {
    if !env::args_os().any(|argument| argument == "--print") {
        return answer::answer(|arguments| match arguments {
            ["--version"] => Some(Printed::text(defaults::CLAUDE_VERSION)),
            ["--help"] => Some(Printed::text(defaults::CLAUDE_HELP)),
            _ => Some(Printed {
                stderr: "error: unknown option\n".into(),
                exit: 1,
                ..Printed::default()
            }),
        });
    }
    let Some((arguments, script)) = answer::told() else {
        return ExitCode::from(70);
    };
    if let Some(log) = &script.run_log
        && script::append(log, "run\n").is_err()
    {
        return ExitCode::from(70);
    }
    if let Some(printed) = &script.instead_of_run {
        return answer::print(printed);
    }
    let prompt = arguments.last().map_or("", String::as_str);
    let outcome = ask(prompt);
    if let Some(printed) = &script.after_run {
        return answer::print(printed);
    }
    match print_events(&outcome) {
        Ok(()) if matches!(outcome, Outcome::Text(_)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

enum Outcome {
    Text(String),
    Status(u16, String),
    Unreachable,
}

fn ask(prompt: &str) -> Outcome {
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let request = json!({
        "model": variable("ANTHROPIC_MODEL"),
        "max_tokens": 32_000,
        "stream": true,
        "messages": [{"role": "user", "content": prompt}],
    });
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .build()
        .into();
    let url = format!("{}/v1/messages?beta=true", variable("ANTHROPIC_BASE_URL"));
    let sent = agent
        .post(&url)
        .header("x-api-key", &variable("ANTHROPIC_API_KEY"))
        .header("anthropic-version", "2023-06-01")
        .header("content-type", "application/json")
        .send(request.to_string());
    let Ok(mut response) = sent else {
        return Outcome::Unreachable;
    };
    let status = response.status().as_u16();
    if status != 200 {
        return Outcome::Status(
            status,
            response.body_mut().read_to_string().unwrap_or_default(),
        );
    }
    let lines = BufReader::new(response.body_mut().as_reader()).lines();
    let mut text = String::new();
    for line in lines.map_while(Result::ok) {
        let data = line.strip_prefix("data: ").unwrap_or_default();
        if let Ok(event) = serde_json::from_str::<Value>(data) {
            text.push_str(event["delta"]["text"].as_str().unwrap_or_default());
        }
    }
    Outcome::Text(text)
}

fn print_events(outcome: &Outcome) -> io::Result<()> {
    let model = env::var("ANTHROPIC_MODEL").unwrap_or_default();
    let mut events = vec![json!({
        "type": "system", "subtype": "init", "model": model, "tools": ["Bash", "Read", "Write"],
        "cwd": env::current_dir()?,
    })];
    let result = |text: &str, is_error: bool, status: Option<u16>| {
        json!({
            "type": "result", "subtype": "success", "is_error": is_error, "num_turns": 1,
            "stop_reason": if is_error { "stop_sequence" } else { "end_turn" },
            "result": text, "api_error_status": status, "duration_ms": 12,
        })
    };
    match outcome {
        Outcome::Text(text) => {
            let content = json!([{"type": "text", "text": text}]);
            events.push(json!({"type": "assistant", "message": {"content": content}}));
            events.push(result(text, false, None));
        }
        Outcome::Status(status, body) => {
            let kind = serde_json::from_str::<Value>(body).unwrap_or_default();
            let kind = kind["error"]["type"].as_str().unwrap_or("unknown");
            events.push(json!({"type": "assistant", "error": "unknown", "api_error_type": kind}));
            events.push(result(
                &format!("API Error: {status} {body}"),
                true,
                Some(*status),
            ));
        }
        Outcome::Unreachable => {
            events.push(json!({
                "type": "assistant", "error": "server_error", "api_error": "connection_failed",
            }));
            let text = "API Error: Connection refused (ECONNREFUSED)";
            events.push(result(text, true, None));
        }
    }
    let mut stdout = io::stdout().lock();
    events
        .iter()
        .try_for_each(|event| writeln!(stdout, "{event}"))
}
