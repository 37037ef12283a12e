//! Event streams: whole, slow, strange, broken off.

use std::time::Duration;

use serde_json::{Value, json};
use standin::deployment::MODEL;
use standin::front::Delivery;
use standin::served::{self, event, event_stream};

use super::row::{passes, refused, rows};
use super::scene::{Scene, message};
use super::version::Version;

/// Long enough to be seen as a delay.
const DELAY: Duration = Duration::from_millis(400);

/// Between small pieces.
const TICK: Duration = Duration::from_millis(2);

rows! {
    a_stream_at_once => |scene| scene.deliver(whole(Delivery::served_stream())), passes();
    a_stream_that_comes_late => |scene| {
        scene.deliver(whole(Delivery::new().pause(DELAY).then(Delivery::served_stream())));
    }, passes();
    a_stream_with_delays => |scene| {
        let events = events().into_iter();
        scene.deliver(events.fold(Delivery::served_stream(), |delivery, data| {
            delivery.pause(DELAY / 4).chunk(event(&data))
        }).end());
    }, passes();
    a_stream_in_small_chunks => |scene| {
        let stream = event_stream(MODEL);
        let pieces = stream.as_bytes().chunks(7);
        scene.deliver(pieces.fold(Delivery::served_stream(), |delivery, piece| {
            delivery.chunk(piece).pause(TICK)
        }).end());
    }, passes();
    a_stream_with_pings_and_comments => |scene| {
        let ping = event(&json!({"type": "ping"}));
        let events = events().into_iter();
        scene.deliver(events.fold(Delivery::served_stream().chunk(": a comment\n\n"), |delivery, data| {
            delivery.chunk(&ping).chunk(event(&data)).chunk(&ping)
        }).end());
    }, passes();
    a_stream_with_unknown_events => |scene| {
        let unknown = event(&json!({"type": "made_up_event", "made_up": {"by": [1, null]}}));
        let events = events().into_iter();
        scene.deliver(events.fold(Delivery::served_stream(), |delivery, data| {
            delivery.chunk(event(&data)).chunk(&unknown)
        }).end());
    }, passes();
    an_empty_stream => |scene| scene.deliver(Delivery::stream().end()),
        refused("claude-failed api-rejected malformed-response");
    an_empty_body => |scene| scene.deliver(Delivery::new().send(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 0\r\n\r\n",
    )), refused("claude-failed api-rejected malformed-response");
    a_stream_that_breaks_off_before_its_text => |scene| {
        scene.deliver(first_events(Delivery::served_stream(), 2));
    }, refused("claude-failed transport-failure connection-reset");
    a_stream_that_breaks_off_in_its_text => |scene| {
        scene.deliver(first_events(Delivery::served_stream(), 3));
    }, refused("claude-failed transport-failure connection-reset");
    a_stream_that_ends_in_its_text => |scene| {
        scene.deliver(first_events(Delivery::served_stream(), 3).end());
    }, refused("claude-failed transport-failure connection-reset")
        // To them a stream without a whole block is one without content.
        .but(Version::V220, refused("claude-failed api-rejected malformed-response"))
        .but(Version::V113, refused("claude-failed api-rejected malformed-response"));
    /// 2.1.332 asks three times for the rest of an answer of which it has a whole block.
    a_stream_that_breaks_off_behind_its_text => |scene| {
        // It is read before the end is seen.
        scene.deliver(first_events(Delivery::served_stream(), 4).pause(DELAY));
    }, refused("claude-failed transport-failure connection-reset").posts(4)
        .but(Version::V220, refused("claude-failed transport-failure connection-reset"))
        .but(Version::V113, refused("claude-failed transport-failure connection-reset"));
    a_stream_that_ends_before_its_stop_reason => |scene| {
        scene.deliver(first_events(Delivery::served_stream(), 4).end());
    }, refused("claude-failed transport-failure connection-reset").posts(4)
        // They exit with 0 and a result without error whose stop_reason is null.
        .but(Version::V220, refused("claude-failed protocol stop-reason"))
        .but(Version::V113, refused("claude-failed protocol stop-reason"));
    /// The CLI is content when it gets the rest, and its events show no second request.
    a_stream_whose_rest_is_asked_for => |scene| {
        let cut = first_events(Delivery::served_stream(), 4).end();
        scene.deliver_in_turn(vec![cut, whole(Delivery::served_stream())]);
    }, refused("observation-mismatch request-count").posts(2)
        .but(Version::V220, refused("claude-failed protocol stop-reason"))
        .but(Version::V113, refused("claude-failed protocol stop-reason"));
    a_stream_that_ends_before_its_last_event => |scene| {
        scene.deliver(first_events(Delivery::served_stream(), 5).end());
    }, passes();
    a_stream_of_no_json => |scene| {
        scene.deliver(Delivery::stream().chunk(format!("event: message_start\ndata: {}\n\n", message("{"))).end());
    }, refused("claude-failed api-rejected malformed-response");
    an_error_in_the_stream => |scene| {
        let error = event(&served::error("overloaded_error", &message("too many")));
        scene.deliver(Delivery::stream().chunk(error).end());
    }, refused("claude-failed api-rejected http-5xx")
        // It repeats the request for an overload told in a stream, and shows no api_retry.
        .but(Version::V220, refused("claude-failed api-rejected http-5xx").posts(3));
    /// Versions that repeat the request are content with the second answer.
    an_error_in_the_stream_and_then_an_answer => |scene| {
        let error = event(&served::error("overloaded_error", &message("too many")));
        let failed = Delivery::served_stream().chunk(error).end();
        scene.deliver_in_turn(vec![failed, whole(Delivery::served_stream())]);
    }, refused("claude-failed api-rejected http-5xx")
        .but(Version::V220, refused("observation-mismatch request-count").posts(2));
    an_error_amid_the_stream => |scene| {
        let error = event(&served::error("api_error", &message("it broke")));
        scene.deliver(first_events(Delivery::stream(), 3).chunk(error).end());
    }, refused("claude-failed api-rejected http-5xx")
        // It gives the server's words alone, as an error of unknown kind without a status.
        .but(Version::V220, refused("claude-failed api-rejected api-error"));
    /// The CLI asks three times for the rest, with a larger max_tokens.
    a_message_that_is_too_long => |scene| stop_for(scene, "max_tokens"),
        refused("claude-failed protocol stop-reason").posts(4);
    a_message_that_refuses => |scene| stop_for(scene, "refusal"),
        refused("claude-failed protocol stop-reason").posts(2)
            .but(Version::V220, refused("claude-failed protocol stop-reason"))
            .but(Version::V113, refused("claude-failed protocol stop-reason"));
    a_message_that_pauses => |scene| stop_for(scene, "pause_turn"),
        refused("claude-failed protocol stop-reason");
    /// Only the run's own bound ends it.
    a_stream_that_never_ends => |scene| {
        scene.trial.standin.set("IOP_SMOKE_RUN_TIMEOUT", "5");
        let ping = event(&json!({"type": "ping"}));
        scene.deliver(first_events(Delivery::stream(), 3).repeat(ping, DELAY / 4));
    }, refused("claude-failed bounds deadline");
    /// The CLI's bound on silence does not hold within a stream.
    a_stream_that_falls_silent => |scene| {
        scene.trial.standin.set("IOP_SMOKE_RUN_TIMEOUT", "5");
        scene.deliver(first_events(Delivery::stream(), 3).hold());
    }, refused("claude-failed bounds deadline");
}

/// The events of one finished message.
fn events() -> Vec<Value> {
    let stream = event_stream(MODEL);
    let data = stream
        .lines()
        .filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).expect("an event"))
        .filter(|event: &Value| event["type"] != "ping")
        .collect()
}

fn first_events(delivery: Delivery, count: usize) -> Delivery {
    let first = events().into_iter().take(count);
    first.fold(delivery, |delivery, data| {
        let mut data = data;
        if let Some(text) = data.pointer_mut("/delta/text") {
            *text = message("half of it").into();
        }
        delivery.chunk(event(&data))
    })
}

fn whole(delivery: Delivery) -> Delivery {
    delivery.chunk(event_stream(MODEL)).end()
}

/// Has the message end for this reason.
fn stop_for(scene: &Scene, reason: &str) {
    scene.answer_stream(event_stream(MODEL).replace("end_turn", reason));
}
