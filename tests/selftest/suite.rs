//! Refusals that say nothing of the deployment, but of how the suite is run.

use harness::deployment::Deployment;
use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::measure::Measurements;
use harness::preflight;
use harness::process::Supervisor;
use harness::reason::Reason;
use harness::run::single_request;

use crate::rows::rows;
use crate::trial::Trial;

/// The codes that the rows expect, by module.
pub(crate) const CODES: &[&[&str]] = &[
    repeated::CODES,
    profile::CODES,
    supervisor::CODES,
    unknown::CODES,
];

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
    use super::{Measurements, Reason, Trial, preflight, rows};

    #[track_caller]
    fn refused(code: &str, change: impl FnOnce(&mut Reason)) {
        let trial = Trial::new();
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
