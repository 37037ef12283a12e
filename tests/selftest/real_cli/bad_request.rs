//! Bad requests, told apart by their messages alone.

use super::row::{refused, rows};
use super::scene::Scene;
use super::version::Version;

rows! {
    a_400_that_says_little => |scene| refuse(scene, "the request could not be processed"),
        refused("claude-failed api-rejected http-400");
    a_400_that_mentions_authentication => |scene| {
        refuse(scene, "authentication of the upstream account is not set up");
    }, refused("claude-failed api-rejected http-400");
    a_400_that_mentions_a_timeout => |scene| refuse(scene, "the upstream connection timed out"),
        refused("claude-failed api-rejected http-400");
    a_400_that_mentions_429 => |scene| refuse(scene, "the upstream answered 429 to the Edge"),
        refused("claude-failed api-rejected http-400");
    a_400_that_mentions_a_refused_connection => |scene| {
        refuse(scene, "ECONNREFUSED while the upstream was asked");
    }, refused("claude-failed api-rejected http-400");
    a_400_that_mentions_a_low_balance => |scene| refuse(scene, "Credit balance is too low"),
        refused("claude-failed api-rejected http-400");
    a_400_that_refuses_a_beta => |scene| {
        refuse(scene, "unexpected value `made-up-2025-01-01` for the anthropic-beta header");
    }, refused("claude-failed api-rejected unsupported-beta");
    a_400_that_refuses_a_field => |scene| {
        refuse(scene, "context_management: Extra inputs are not permitted");
    }, refused("claude-failed api-rejected unknown-field");
    /// Versions since 2.1.220 repeat the very same request.
    a_400_that_refuses_thinking => |scene| {
        refuse(scene, "thinking.type.enabled is not supported; use output_config.effort");
    }, refused("claude-failed api-rejected invalid-thinking").posts(2)
        .but(Version::V113, refused("claude-failed api-rejected invalid-thinking"));
    a_400_that_refuses_output_settings => |scene| {
        refuse(scene, "output_config.effort: is not supported by this model");
    }, refused("claude-failed api-rejected invalid-output-config");
}

fn refuse(scene: &Scene, words: &str) {
    scene.refuse(400, "invalid_request_error", words);
}
