//! Answers with a status.

use standin::edge::Reply;

use super::row::{refused, rows};

rows! {
    a_401 => |scene| scene.refuse(401, "authentication_error", "who is that"),
        refused("claude-failed authentication-rejected http-401");
    a_402 => |scene| scene.refuse(402, "billing_error", "nobody has paid"),
        refused("claude-failed api-rejected http-402");
    a_403 => |scene| scene.refuse(403, "permission_error", "not for this key"),
        refused("claude-failed api-rejected http-403");
    /// The CLI asks once more, for an answer that is no stream.
    a_404 => |scene| scene.refuse(404, "not_found_error", "no such model"),
        refused("claude-failed api-rejected http-404").posts(2);
    a_404_of_another_router => |scene| {
        scene.refuse_with(Reply::new(404, super::scene::message("404 page not found")));
    }, refused("claude-failed api-rejected http-404").posts(2);
    a_409 => |scene| scene.refuse(409, "conflict_error", "somebody else does it"),
        refused("claude-failed api-rejected api-error");
    a_413 => |scene| scene.refuse(413, "request_too_large", "too much"),
        refused("claude-failed api-rejected http-413");
    a_429 => |scene| scene.refuse(429, "rate_limit_error", "too often"),
        refused("claude-failed api-rejected http-429");
    a_500 => |scene| scene.refuse(500, "api_error", "it broke"),
        refused("claude-failed api-rejected http-5xx");
    a_502 => |scene| scene.refuse(502, "api_error", "the upstream answered 400"),
        refused("claude-failed api-rejected http-5xx");
    a_503 => |scene| scene.refuse(503, "api_error", "not now"),
        refused("claude-failed api-rejected http-5xx");
    a_504_with_a_page => |scene| scene.refuse_with_page(504),
        refused("claude-failed api-rejected http-5xx");
    a_529 => |scene| scene.refuse(529, "overloaded_error", "too many"),
        refused("claude-failed api-rejected http-5xx");
    a_200_with_a_page => |scene| scene.refuse_with_page(200),
        refused("claude-failed api-rejected malformed-response");
    /// The CLI follows it, key and all; that no request was counted gives it away.
    a_redirect_to_another_gateway => |scene| {
        let elsewhere = scene.other_gateway();
        let location = Some(format!("{elsewhere}/v1/messages"));
        scene.refuse_with(Reply { location, ..Reply::new(307, "") });
    }, refused("claude-failed gateway-bypassed no-ingress");
    success_that_no_counter_saw => |scene| {
        let edge = &scene.trial.standin.edge;
        let counter = edge.counter();
        edge.behave(|behaviour| behaviour.ingress = Some(counter));
    }, refused("claude-failed gateway-bypassed no-ingress");
}
