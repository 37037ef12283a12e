//! The rules that hold whatever a schema says.

use harness::digest::Digest;
use serde_json::{Value, json};

use crate::manifest::sample::{LAX, STRICT, assert_refused, manifest};
use crate::rows::rows;

#[track_caller]
fn refused(code: &str, change: impl FnOnce(&mut Value)) {
    let mut changed = manifest();
    change(&mut changed);
    assert_refused(code, &STRICT, &changed);
    assert_refused(code, &LAX, &changed);
}

/// Another digest than any of the control's.
fn other() -> Value {
    Digest::of("made up").to_string().into()
}

// What the project's schema cannot say.
rows! {
    by refused;
    workspace_os_other_than_the_runners => "manifest-invalid platform", |m| m["runtime"]["workspace_os"] = "darwin".into();
    owner_digest_wrong_alone => "manifest-invalid owner-derivation", |m| m["runtime"]["workspace_owner_digest"] = other();
    workspace_root_wrong_alone => "manifest-invalid owner-derivation", |m| m["runtime"]["workspace_root_digest"] = other();
    workspace_arch_wrong_alone => "manifest-invalid owner-derivation", |m| m["runtime"]["workspace_arch"] = "aarch64".into();
    config_wrong_alone => "manifest-invalid owner-derivation", |m| m["runtime"]["config_digest"] = other();
    node_wrong_alone => "manifest-invalid owner-derivation", |m| m["runtime"]["node_digest"] = other();
    node_version_wrong_alone => "manifest-invalid owner-derivation", |m| m["runtime"]["node_version_digest"] = other();
    binding_wrong_alone => "manifest-invalid binding-derivation", |m| m["runtime"]["stage_binding_digest"] = other();
    binding_wrong_everywhere => "manifest-invalid binding-derivation", |m| {
        m["runtime"]["stage_binding_digest"] = other();
        (0..3).for_each(|stage| m["stages"][stage]["binding_digest"] = other());
    };
    config_check_wrong_alone => "manifest-invalid binding-derivation", |m| m["runtime"]["config_check_digest"] = other();
    base_url_wrong_alone => "manifest-invalid binding-derivation", |m| m["runtime"]["base_url_digest"] = other();
    model_wrong_alone => "manifest-invalid binding-derivation", |m| m["runtime"]["public_model_digest"] = other();
    derived_digests_swapped => "manifest-invalid owner-derivation", |m| {
        let owner = m["runtime"]["workspace_owner_digest"].take();
        m["runtime"]["workspace_owner_digest"] = m["runtime"]["stage_binding_digest"].take();
        m["runtime"]["stage_binding_digest"] = owner;
    };
    stages_reversed => "manifest-invalid stage-order", |m| m["stages"].as_array_mut().expect("stages").reverse();
    plan_and_work_swapped => "manifest-invalid stage-order", |m| m["stages"].as_array_mut().expect("stages").swap(0, 1);
    work_and_review_swapped => "manifest-invalid stage-order", |m| m["stages"].as_array_mut().expect("stages").swap(1, 2);
    plan_three_times => "manifest-invalid stage-order", |m| m["stages"] = json!([m["stages"][0], m["stages"][0], m["stages"][0]]);
    stage_of_another_name => "manifest-invalid stage-order", |m| m["stages"][2]["stage"] = "plan".into();
    engine_of_plan => "manifest-invalid stage-order", |m| m["stages"][0]["engine_family"] = "ornith-fast".into();
    engine_of_work => "manifest-invalid stage-order", |m| m["stages"][1]["engine_family"] = "gemini".into();
    engine_of_review => "manifest-invalid stage-order", |m| m["stages"][2]["engine_family"] = "ornith-fast".into();
    binding_of_plan => "manifest-invalid stage-binding", |m| m["stages"][0]["binding_digest"] = other();
    binding_of_work => "manifest-invalid stage-binding", |m| m["stages"][1]["binding_digest"] = other();
    binding_of_review => "manifest-invalid stage-binding", |m| m["stages"][2]["binding_digest"] = other();
    before_as_after => "manifest-invalid workspace-equal", |m| m["workspace"]["after_digest"] = m["workspace"]["before_digest"].clone();
    after_as_before => "manifest-invalid workspace-equal", |m| m["workspace"]["before_digest"] = m["workspace"]["after_digest"].clone();
    verified_by_another_command => "manifest-invalid verification", |m| m["verification"]["command_digest"] = other();
    verified_by_the_plain_digest => "manifest-invalid verification", |m| {
        m["verification"]["command_digest"] = m["verification"]["result_file_digest"].clone();
    };
    another_result => "manifest-invalid verification", |m| m["verification"]["result_file_digest"] = other();
}

/// What the project's schema says as well, under one that does not.
pub(crate) mod alone {
    use super::{LAX, Value, assert_refused, json, manifest, rows};

    #[track_caller]
    fn refused(code: &str, change: impl FnOnce(&mut Value)) {
        let mut changed = manifest();
        change(&mut changed);
        assert_refused("manifest-invalid schema", &super::STRICT, &changed);
        assert_refused(code, &LAX, &changed);
    }

    rows! {
        by refused;
        schema_version_2 => "manifest-invalid schema-version", |m| m["schema_version"] = "2".into();
        schema_version_empty => "manifest-invalid schema-version", |m| m["schema_version"] = "".into();
        schema_version_1_0 => "manifest-invalid schema-version", |m| m["schema_version"] = "1.0".into();
        head_empty => "manifest-invalid head", |m| m["source"]["head"] = "".into();
        head_of_39_digits => "manifest-invalid head", |m| m["source"]["head"] = "a".repeat(39).into();
        head_of_41_digits => "manifest-invalid head", |m| m["source"]["head"] = "a".repeat(41).into();
        head_of_64_digits => "manifest-invalid head", |m| m["source"]["head"] = "a".repeat(64).into();
        head_in_capitals => "manifest-invalid head", |m| m["source"]["head"] = "A".repeat(40).into();
        head_of_other_letters => "manifest-invalid head", |m| m["source"]["head"] = "g".repeat(40).into();
        head_of_40_bytes_of_other_letters => "manifest-invalid head", |m| m["source"]["head"] = "ä".repeat(20).into();
        both_systems_unknown => "manifest-invalid platform", |m| {
            m["runtime"]["runner_os"] = "freebsd".into();
            m["runtime"]["workspace_os"] = "freebsd".into();
        };
        system_in_capitals => "manifest-invalid platform", |m| {
            m["runtime"]["runner_os"] = "Linux".into();
            m["runtime"]["workspace_os"] = "Linux".into();
        };
        runner_arch_empty => "manifest-invalid platform", |m| m["runtime"]["runner_arch"] = "".into();
        runner_arch_of_33_letters => "manifest-invalid platform", |m| m["runtime"]["runner_arch"] = "x".repeat(33).into();
        runner_arch_in_capitals => "manifest-invalid platform", |m| m["runtime"]["runner_arch"] = "X86_64".into();
        workspace_arch_with_a_blank => "manifest-invalid platform", |m| m["runtime"]["workspace_arch"] = "x86 64".into();
        engines_permuted => "manifest-invalid stage-engines", |m| {
            m["runtime"]["stage_engines"] = json!(["ornith-fast", "gemini", "gemini"]);
        };
        engines_reversed_in_case => "manifest-invalid stage-engines", |m| m["runtime"]["stage_engines"][0] = "Gemini".into();
        two_engines => "manifest-invalid stage-engines", |m| m["runtime"]["stage_engines"] = json!(["gemini", "ornith-fast"]);
        four_engines => "manifest-invalid stage-engines", |m| {
            m["runtime"]["stage_engines"] = json!(["gemini", "ornith-fast", "gemini", "gemini"]);
        };
        delta_of_0 => "manifest-invalid ingress-delta", |m| m["ingress"]["delta"] = 0.into();
        delta_of_2 => "manifest-invalid ingress-delta", |m| m["ingress"]["delta"] = 2.into();
        two_stages => "manifest-invalid stage-order", |m| drop(m["stages"].as_array_mut().expect("stages").pop());
        four_stages => "manifest-invalid stage-order", |m| {
            let last = m["stages"][2].clone();
            m["stages"].as_array_mut().expect("stages").push(last);
        };
        no_stages => "manifest-invalid stage-order", |m| m["stages"] = json!([]);
        stage_unknown => "manifest-invalid stage-order", |m| m["stages"][1]["stage"] = "think".into();
        engine_unknown => "manifest-invalid stage-order", |m| m["stages"][1]["engine_family"] = "other".into();
        count_of_0 => "manifest-invalid terminal", |m| m["terminal"]["count"] = 0.into();
        count_of_2 => "manifest-invalid terminal", |m| m["terminal"]["count"] = 2.into();
        stop_reason_of_a_limit => "manifest-invalid terminal", |m| m["terminal"]["stop_reason"] = "max_tokens".into();
        stop_reason_in_capitals => "manifest-invalid terminal", |m| m["terminal"]["stop_reason"] = "END_TURN".into();
        changed_false => "manifest-invalid workspace-equal", |m| m["workspace"]["changed"] = false.into();
        exit_code_of_1 => "manifest-invalid verification", |m| m["verification"]["exit_code"] = 1.into();
        match_count_of_1 => "manifest-invalid counts", |m| m["redaction"]["forbidden_match_count"] = 1.into();
        key_count_of_1 => "manifest-invalid counts", |m| m["redaction"]["forbidden_key_count"] = 1.into();
    }
}
