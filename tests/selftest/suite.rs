//! Refusals that say nothing of the deployment, but of how the suite is run.

use harness::deployment::Deployment;
use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::measure::Measurements;
use harness::preflight;
use harness::process::Supervisor;
use harness::reason::Reason;
use harness::run::single_request;
use standin::deployment::Extent;

use crate::rows::rows;
use crate::trial::Trial;

/// The codes that the rows expect, by module.
pub(crate) const CODES: &[&[&str]] = &[
    defaults::CODES,
    profile::CODES,
    repeated::CODES,
    supervisor::CODES,
    unknown::CODES,
];

/// What is not given follows from the run and from where the suite stands.
mod defaults {
    use std::fs;
    use std::path::Path;

    use harness::inputs::{Inputs, Purpose};
    use standin::scratch;

    use super::{Environment, Runner, rows};

    /// Variables that are well-formed, and as few as can be.
    fn control(root: &Path) -> Environment {
        let mut environment = Environment::default();
        for name in [
            "IOP_SMOKE_CLAUDE",
            "IOP_SMOKE_EDGE_BIN",
            "IOP_SMOKE_NODE_BIN",
            "IOP_SMOKE_EDGE_CONFIG",
            "IOP_SMOKE_RUNTIME_EVIDENCE",
            "IOP_SMOKE_OBSERVATION_FILE",
            "IOP_SMOKE_WORKSPACE",
        ] {
            environment.set(name, "/made-up");
        }
        environment.set("IOP_SMOKE_BASE_URL", "http://edge.invalid");
        environment.set("IOP_SMOKE_METRICS_URL", "http://edge.invalid/metrics");
        environment.set("IOP_SMOKE_MODEL", "made-up");
        environment.set("IOP_SMOKE_SECRET_ENV", "MADE_UP");
        environment.set("MADE_UP", "made-up-0123");
        environment.set("IOP_SMOKE_OUTPUT", "/made-up");
        environment.set("NEXTEST_WORKSPACE_ROOT", root);
        environment
    }

    fn codes_of(environment: &Environment) -> Vec<String> {
        let inputs = Inputs::read(environment, &Runner::of(environment));
        let problems = inputs.problems(Purpose::Run);
        problems
            .into_iter()
            .map(|problem| problem.refusal().code())
            .collect()
    }

    #[track_caller]
    fn refused(code: &str, change: impl FnOnce(&mut Environment)) {
        let folder = scratch::folder().expect("a folder");
        fs::create_dir_all(folder.path().join("checkout/.git")).expect("a folder");
        fs::create_dir(folder.path().join("checkout/suite")).expect("a folder");
        let mut environment = control(&folder.path().join("checkout/suite"));
        assert_eq!(codes_of(&environment), Vec::<String>::new(), "the control");
        change(&mut environment);
        assert_eq!(codes_of(&environment), [code]);
    }

    rows! {
        by refused;
        no_run_to_name_the_output_after => "output-target no-run", |e| e.remove("IOP_SMOKE_OUTPUT");
        no_root_to_find_the_schema_in => "schema-contract no-root", |e| {
            e.remove("NEXTEST_WORKSPACE_ROOT");
            e.set("IOP_SMOKE_REPO", "/made-up");
        };
        no_root_to_find_the_checkout_around => "source-head no-root", |e| {
            e.remove("NEXTEST_WORKSPACE_ROOT");
            e.set("IOP_SMOKE_SCHEMA", "/made-up");
        };
        no_repository_around_the_suite => "source-head no-repository", |e| e.set("NEXTEST_WORKSPACE_ROOT", "/nowhere/made-up");
        timeout_of_0 => "inputs seconds", |e| e.set("IOP_SMOKE_RUN_TIMEOUT", "0");
        timeout_of_3601 => "inputs seconds", |e| e.set("IOP_SMOKE_RUN_TIMEOUT", "3601");
        timeout_negative => "inputs seconds", |e| e.set("IOP_SMOKE_RUN_TIMEOUT", "-1");
        timeout_as_a_fraction => "inputs seconds", |e| e.set("IOP_SMOKE_RUN_TIMEOUT", "1.5");
        timeout_with_a_unit => "inputs seconds", |e| e.set("IOP_SMOKE_RUN_TIMEOUT", "10s");
    }
}

/// A live request is sent once.
mod repeated {
    use super::{Environment, Runner, rows};

    #[track_caller]
    fn refused(code: &str, change: impl FnOnce(&mut Environment)) {
        let mut environment = Environment::default();
        environment.set("NEXTEST_ATTEMPT", "1");
        environment.set("NEXTEST_ATTEMPT_ID", "run:binary$run::single_request");
        environment.set("NEXTEST_STRESS_CURRENT", "none");
        Runner::of(&environment)
            .sent_once()
            .expect("the control is accepted");
        change(&mut environment);
        let refusal = Runner::of(&environment)
            .sent_once()
            .expect_err("it is refused");
        assert_eq!(refusal.code(), code);
    }

    rows! {
        by refused;
        second_attempt => "live-repeat", |e| e.set("NEXTEST_ATTEMPT", "2");
        tenth_attempt => "live-repeat", |e| e.set("NEXTEST_ATTEMPT", "10");
        second_attempt_by_its_id => "live-repeat", |e| e.set("NEXTEST_ATTEMPT_ID", "run:binary$run::single_request#2");
        second_attempt_of_a_stress_run_by_its_id => "live-repeat", |e| {
            e.set("NEXTEST_ATTEMPT_ID", "run:binary@stress-0$run::single_request#2");
        };
        first_of_a_stress_run => "live-repeat", |e| e.set("NEXTEST_STRESS_CURRENT", "0");
        last_of_a_stress_run => "live-repeat", |e| e.set("NEXTEST_STRESS_CURRENT", "7");
    }

    #[test]
    fn without_a_runner_that_repeats_there_is_no_repetition() {
        Runner::of(&Environment::default())
            .sent_once()
            .expect("it is accepted");
    }
}

/// A test is live under its own profile alone.
mod profile {
    use super::{Environment, Runner, rows};

    fn environment(profile: &str) -> Environment {
        [
            ("NEXTEST", "1"),
            ("NEXTEST_RUN_ID", "a-run"),
            ("NEXTEST_PROFILE", profile),
        ]
        .into_iter()
        .collect()
    }

    #[track_caller]
    fn refused(code: &str, change: impl FnOnce(&mut Environment)) {
        let mut environment = environment("smoke-live");
        let live = Runner::of(&environment).is_live("smoke-live");
        assert!(live.expect("the control is accepted"));
        change(&mut environment);
        let refusal = Runner::of(&environment)
            .is_live("smoke-live")
            .expect_err("it is refused");
        assert_eq!(refusal.code(), code);
    }

    rows! {
        by refused;
        evidence => "live-profile", |e| e.set("NEXTEST_PROFILE", "evidence");
        evidence_diff => "live-profile", |e| e.set("NEXTEST_PROFILE", "evidence-diff");
        validate => "live-profile", |e| e.set("NEXTEST_PROFILE", "validate");
        repeated => "live-repeat", |e| e.set("NEXTEST_ATTEMPT", "2");
    }

    #[test]
    fn under_other_profiles_nothing_is_live() {
        for profile in ["default", "selftest", "smoke-standin", "real-cli"] {
            let live = Runner::of(&environment(profile)).is_live("smoke-live");
            assert!(!live.expect("it is accepted"), "{profile}");
        }
    }

    #[test]
    fn a_profile_that_nextest_did_not_set_is_none() {
        for missing in ["NEXTEST", "NEXTEST_RUN_ID"] {
            let mut environment = environment("smoke-live");
            environment.remove(missing);
            let live = Runner::of(&environment).is_live("smoke-live");
            assert!(!live.expect("it is accepted"), "without {missing}");
        }
    }
}

/// Nothing is started without its supervisor.
mod supervisor {
    use super::{
        Deployment, Measurements, Reason, Supervisor, Trial, preflight, rows, single_request,
    };

    #[track_caller]
    fn refused(code: &str, change: impl FnOnce(&mut Deployment)) {
        let trial = Trial::new();
        let mut deployment = trial.deployment();
        change(&mut deployment);
        for id in [Reason::SourceHead, Reason::ClaudeVersion] {
            let verdict = preflight::check(id, &Measurements::new(&deployment));
            trial.assert_refused(verdict, code, 0);
        }
        trial.assert_refused(single_request(&deployment), code, 0);
    }

    rows! {
        by refused;
        absent => "supervisor-missing", |d| d.supervisor = Supervisor::at("/nowhere/made-up");
        not_executable => "supervisor-missing", |d| d.supervisor = Supervisor::at("/dev/null");
        another_program => "supervisor-missing", |d| d.supervisor = Supervisor::at("/bin/true");
    }
}

/// Faults of the suite itself.
mod unknown {
    use super::{Extent, Measurements, Reason, Trial, preflight, rows};

    #[track_caller]
    fn refused(code: &str, change: impl FnOnce(&mut Reason)) {
        let trial = Trial::in_part(Extent::FILES);
        let deployment = trial.deployment();
        let mut id = Reason::Inputs;
        let measurements = Measurements::new(&deployment);
        preflight::check(id, &measurements).expect("the control passes");
        change(&mut id);
        trial.assert_refused(preflight::check(id, &measurements), code, 0);
    }

    rows! {
        by refused;
        a_check_that_is_none => "internal", |id| *id = Reason::LiveRepeat;
    }
}
