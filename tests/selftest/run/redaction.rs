//! Private values that are words of the manifest.

use standin::deployment::SECRET_VARIABLE;
use standin::edge::Reply;
use standin::served;

use crate::run::row::rows;
use crate::trial::Trial;

rows! {
    model_that_is_an_engine_family => "redaction model", |t| model(t, "gemini");
    model_that_is_a_stage => "redaction model", |t| model(t, "review");
    secret_that_is_a_key_of_the_manifest => "redaction secret", |t| {
        t.standin.set(SECRET_VARIABLE, "engine_family");
        t.standin.edge.accept_key("engine_family");
    };
}

/// Has the deployment publish a model of this name.
fn model(trial: &mut Trial, name: &str) {
    trial.standin.edge.publish_model(name);
    let catalog = served::catalog(name).to_string();
    trial
        .standin
        .edge
        .behave(|behaviour| behaviour.catalog = Some(Reply::new(200, catalog)));
    trial.standin.set("IOP_SMOKE_MODEL", name);
    trial.standin.seal().expect("evidence");
}

#[test]
fn a_model_of_three_bytes_is_not_searched_for() {
    let mut trial = Trial::new();
    model(&mut trial, "end");
    trial.run().expect("it is accepted");
}
