//! Catalogs that refuse the key, are no complete list, or do not list the model once.

use std::time::Duration;

use harness::constants::{BODY_BOUND, CATALOG_ROUTE};
use harness::reason::Reason;
use serde_json::{Value, json};
use standin::deployment::{MODEL, SECRET, SECRET_VARIABLE};
use standin::edge::{Edge, Reply, Site};
use standin::refusing::Refusing;
use standin::served;

use crate::preflight::listeners::{cut_off, not_http};
use crate::preflight::row::{accepted, rows};
use crate::trial::{PATIENT, Trial};

rows! {
    another_key: CatalogAuth => "catalog-auth status", |t| t.standin.set(SECRET_VARIABLE, "standin-another-key");
    status_401: CatalogAuth => "catalog-auth status", |t| replies(t, Reply::new(401, ""));
    status_403: CatalogAuth => "catalog-auth status", |t| replies(t, Reply::new(403, ""));
    status_500: CatalogAuth => "catalog-auth status", |t| replies(t, Reply::new(500, ""));
    redirected: CatalogAuth => "catalog-auth status", |t| replies(t, Reply { location: Some("/elsewhere".into()), ..Reply::new(302, "") });
    over_long_error: CatalogAuth => "catalog-auth status", |t| replies(t, Reply::new(500, " ".repeat(BODY_BOUND + 1)));
    dead: CatalogAuth => "catalog-auth unreachable", |t| {
        sealed_at(t, Refusing::for_good().expect("a free port"));
    };
    slow: CatalogAuth => "catalog-auth timeout", |t| {
        replies(t, Reply::new(200, "").after(PATIENT));
        // The counter is asked for first, and has to be in time on a busy machine.
        t.limits.probe = Duration::from_secs(1);
    };
    speaking_no_http: CatalogAuth => "catalog-auth broken", |t| sealed_at(t, not_http());
    broken_off: CatalogAuth => "catalog-auth broken", |t| sealed_at(t, cut_off());
    counter_unknown: CatalogAuth => "metrics-listener status", |t| {
        t.standin.edge.behave(|edge| edge.metrics = Some(Reply::new(503, "")));
    };
    not_the_sealed_url: CatalogAuth => "base-digest", |t| {
        let origin = t.standin.edge.origin();
        t.standin.set("IOP_SMOKE_BASE_URL", origin + "/");
    };

    body_of_a_refused_key: CatalogBody => "catalog-auth status", |t| replies(t, Reply::new(401, ""));
    over_long: CatalogBody => "catalog-body too-long", |t| {
        let blanks = " ".repeat(BODY_BOUND);
        lists_text(t, &format!("{}{blanks}", served::catalog(MODEL)));
    };
    empty: CatalogBody => "catalog-body not-json", |t| lists_text(t, "");
    page: CatalogBody => "catalog-body not-json", |t| lists_text(t, "<html></html>");
    cut_short: CatalogBody => "catalog-body not-json", |t| lists_text(t, r#"{"data":["#);
    trailing_bytes: CatalogBody => "catalog-body not-json", |t| lists_text(t, &format!("{}x", served::catalog(MODEL)));
    duplicate_keys: CatalogBody => "catalog-body not-json", |t| {
        lists_text(t, &served::catalog(MODEL).to_string().replacen('{', r#"{"has_more":false,"#, 1));
    };
    duplicate_keys_in_an_item: CatalogBody => "catalog-body not-json", |t| {
        lists_text(t, &served::catalog(MODEL).to_string().replace(r#""type":"#, r#""type":"model","type":"#));
    };
    not_utf8: CatalogBody => "catalog-body not-json", |t| replies(t, Reply::new(200, b"{\"\xff\":1}".to_vec()));
    array: CatalogBody => "catalog-body keys", |t| lists(t, |c| *c = c["data"].clone());
    extra_key: CatalogBody => "catalog-body keys", |t| lists(t, |c| c["object"] = json!("list"));
    data_missing: CatalogBody => "catalog-body keys", |t| lists(t, |c| drop_key(c, "data"));
    has_more_missing: CatalogBody => "catalog-body keys", |t| lists(t, |c| drop_key(c, "has_more"));
    first_id_missing: CatalogBody => "catalog-body keys", |t| lists(t, |c| drop_key(c, "first_id"));
    last_id_missing: CatalogBody => "catalog-body keys", |t| lists(t, |c| drop_key(c, "last_id"));
    key_of_another_name: CatalogBody => "catalog-body keys", |t| lists(t, |c| {
        drop_key(c, "last_id");
        c["next_id"] = json!("x");
    });
    has_more: CatalogBody => "catalog-body has-more", |t| lists(t, |c| c["has_more"] = json!(true));
    has_more_null: CatalogBody => "catalog-body has-more", |t| lists(t, |c| c["has_more"] = json!(null));
    has_more_as_text: CatalogBody => "catalog-body has-more", |t| lists(t, |c| c["has_more"] = json!("false"));
    data_as_object: CatalogBody => "catalog-body item", |t| lists(t, |c| c["data"] = json!({"0": c["data"][0]}));
    item_as_text: CatalogBody => "catalog-body item", |t| lists(t, |c| c["data"][0] = json!("a model"));
    item_with_an_extra_key: CatalogBody => "catalog-body item", |t| lists(t, |c| c["data"][0]["owned_by"] = json!("x"));
    item_without_creation_time: CatalogBody => "catalog-body item", |t| lists(t, |c| drop_key(&mut c["data"][0], "created_at"));
    item_without_name: CatalogBody => "catalog-body item", |t| lists(t, |c| drop_key(&mut c["data"][0], "display_name"));
    item_without_type: CatalogBody => "catalog-body item", |t| lists(t, |c| drop_key(&mut c["data"][0], "type"));
    item_without_id: CatalogBody => "catalog-body item", |t| lists(t, |c| drop_key(&mut c["data"][0], "id"));
    creation_time_as_number: CatalogBody => "catalog-body item", |t| lists(t, |c| c["data"][0]["created_at"] = json!(1_700_000_000));
    id_as_number: CatalogBody => "catalog-body item", |t| lists(t, |c| c["data"][0]["id"] = json!(7));
    name_null: CatalogBody => "catalog-body item", |t| lists(t, |c| c["data"][0]["display_name"] = json!(null));
    item_of_another_type: CatalogBody => "catalog-body item-type", |t| lists(t, |c| c["data"][0]["type"] = json!("embedding"));
    item_of_the_type_in_upper_case: CatalogBody => "catalog-body item-type", |t| lists(t, |c| c["data"][0]["type"] = json!("Model"));
    id_empty: CatalogBody => "catalog-body item-id", |t| lists(t, |c| c["data"][0]["id"] = json!(""));

    model_missing: CatalogModel => "catalog-model absent", |t| lists(t, |c| { drop_item(c); });
    model_among_none: CatalogModel => "catalog-model absent", |t| lists(t, |c| c["data"] = json!([]));
    model_in_upper_case: CatalogModel => "catalog-model absent", |t| lists(t, |c| c["data"][1]["id"] = json!(MODEL.to_uppercase()));
    model_with_a_suffix: CatalogModel => "catalog-model absent", |t| lists(t, |c| c["data"][1]["id"] = json!(format!("{MODEL}-2")));
    model_as_the_name_alone: CatalogModel => "catalog-model absent", |t| lists(t, |c| {
        drop_item(c);
        c["data"][0]["display_name"] = json!(MODEL);
    });
    model_twice: CatalogModel => "catalog-model several", |t| lists(t, |c| {
        let item = drop_item(c);
        let items = c["data"].as_array_mut().expect("a list");
        items.extend([item.clone(), item]);
    });
    model_of_a_malformed_list: CatalogModel => "catalog-body has-more", |t| lists(t, |c| c["has_more"] = json!(true));

    counter_moved: CatalogIngress => "catalog-ingress", |t| t.standin.edge.behave(|edge| edge.catalog_ingress = 1);
    counter_moved_far: CatalogIngress => "catalog-ingress", |t| t.standin.edge.behave(|edge| edge.catalog_ingress = 1000);
}

accepted! {
    the_model_alone: CatalogModel, |t| lists(t, |c| {
        let item = drop_item(c);
        c["data"] = json!([item]);
    });
    white_space: CatalogBody, |t| lists_text(t, &format!("\n {}\r\n", served::catalog(MODEL)));
    as_long_as_may_be: CatalogBody, |t| {
        let catalog = served::catalog(MODEL).to_string();
        let blanks = " ".repeat(BODY_BOUND - catalog.len());
        lists_text(t, &(catalog + &blanks));
    };
}

#[test]
fn the_key_is_not_sent_to_a_url_that_is_not_the_sealed_one() {
    let mut trial = Trial::new();
    trial
        .standin
        .set("IOP_SMOKE_BASE_URL", trial.standin.edge.origin() + "/");
    for id in [
        Reason::CatalogAuth,
        Reason::CatalogBody,
        Reason::CatalogModel,
        Reason::CatalogIngress,
    ] {
        trial.assert_refused(trial.check(id), "base-digest", 0);
    }
    let seen = trial.standin.edge.seen();
    assert_eq!((seen.catalog, seen.misplaced_key), (0, 0));
}

#[test]
fn the_key_does_not_follow_a_redirect() {
    let trial = Trial::new();
    let other = Edge::start(Site {
        secret: SECRET.into(),
        model: MODEL.into(),
        log: trial.path("edge.log"),
        result: trial.path("workspace/result"),
        content: Vec::new(),
    });
    let other = other.expect("another edge");
    let location = Some(other.origin() + CATALOG_ROUTE);
    trial.standin.edge.behave(|edge| {
        edge.catalog = Some(Reply {
            location,
            ..Reply::new(307, "")
        });
    });
    trial.assert_refused(trial.check(Reason::CatalogAuth), "catalog-auth status", 0);
    assert_eq!(other.seen(), standin::edge::Seen::default());
    assert_eq!(trial.standin.edge.seen().catalog, 1);
}

#[test]
fn the_counter_is_taken_around_the_catalog_probe() {
    let trial = Trial::new();
    trial.standin.edge.behave(|edge| edge.catalog_ingress = 3);
    let before = trial.standin.edge.counter();
    let refusal = trial.check(Reason::CatalogIngress).expect_err("it moved");
    let told = format!(
        "expected {before} before and after; found {} after",
        before + 3
    );
    assert!(refusal.to_string().contains(&told), "{refusal}");
}

fn replies(trial: &mut Trial, reply: Reply) {
    trial.standin.edge.behave(|edge| edge.catalog = Some(reply));
}

fn lists_text(trial: &mut Trial, body: &str) {
    replies(trial, Reply::new(200, body));
}

fn lists(trial: &mut Trial, change: impl FnOnce(&mut Value)) {
    let mut catalog = served::catalog(MODEL);
    change(&mut catalog);
    lists_text(trial, &catalog.to_string());
}

/// Seals another base URL, while the metrics stay where they are.
fn sealed_at(trial: &mut Trial, url: String) {
    trial.standin.set("IOP_SMOKE_BASE_URL", url);
    trial.standin.seal().expect("it can be sealed");
}

/// Takes the item of the model out of the list.
fn drop_item(catalog: &mut Value) -> Value {
    let items = catalog["data"].as_array_mut().expect("a list");
    let item = items.pop().expect("an item");
    assert_eq!(item["id"], MODEL);
    item
}

fn drop_key(object: &mut Value, key: &str) {
    let removed = object.as_object_mut().and_then(|object| object.remove(key));
    assert!(removed.is_some(), "it has {key}");
}
