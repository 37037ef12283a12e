//! Checks of the deployment's listeners.

use crate::constants::{HEALTH_ROUTE, MESSAGES_ROUTE};
use crate::measure::{Measurements, given, success, unreachable};
use crate::probe::catalog::{self, CatalogFault};
use crate::reason::Reason;
use crate::refusal::{Circumstance, Fact, Refusal, Verdict};

/// Refuses an Edge that is not up.
pub(super) fn health(m: &Measurements<'_>) -> Verdict {
    let url = given(&m.deployment().inputs.base_url)?.route(HEALTH_ROUTE);
    let answer = m
        .prober()?
        .get(&url)
        .map_err(|error| unreachable(Reason::HealthListener, error))?;
    success(Reason::HealthListener, answer.status)
}

/// Refuses an Edge without the Messages route: it must ask for a key or refuse the method.
pub(super) fn messages(m: &Measurements<'_>) -> Verdict {
    let url = given(&m.deployment().inputs.base_url)?.route(MESSAGES_ROUTE);
    let status = m
        .prober()?
        .options(&url)
        .map_err(|error| unreachable(Reason::MessagesListener, error))?;
    if matches!(status, 401 | 405) {
        return Ok(());
    }
    Err(Refusal::new(Reason::MessagesListener)
        .detail(Circumstance::Status)
        .expected("status 401 or 405")
        .found(Fact::Status(status)))
}

/// Refuses a catalog that does not accept the key.
pub(super) fn catalog_auth(m: &Measurements<'_>) -> Verdict {
    success(Reason::CatalogAuth, m.catalog()?.status)
}

/// Refuses a catalog that is no complete model list; gives how often the model is in it.
pub(super) fn catalog_body(m: &Measurements<'_>) -> Verdict<usize> {
    catalog_auth(m)?;
    let model = given(&m.deployment().inputs.model)?;
    let listed = match &m.catalog()?.body {
        Some(body) => catalog::listed(body, model.text()),
        None => Err(CatalogFault::TooLong),
    };
    listed.map_err(|fault| {
        Refusal::new(Reason::CatalogBody)
            .detail(fault)
            .expected("one complete model list")
            .found(fault.meaning())
    })
}

/// Refuses a catalog that does not list the model exactly once.
pub(super) fn catalog_model(m: &Measurements<'_>) -> Verdict {
    match catalog_body(m)? {
        1 => Ok(()),
        times => Err(Refusal::new(Reason::CatalogModel)
            .detail(if times == 0 {
                Circumstance::Absent
            } else {
                Circumstance::Several
            })
            .expected(Fact::Count(1, "item with the model's id"))
            .found(Fact::Count(times as u64, ""))),
    }
}

/// Refuses a counter that others move as well.
pub(super) fn catalog_ingress(m: &Measurements<'_>) -> Verdict {
    let catalog = m.catalog()?;
    if catalog.before == catalog.after {
        return Ok(());
    }
    Err(Refusal::new(Reason::CatalogIngress)
        .expected(Fact::Count(catalog.before, "before and after"))
        .found(Fact::Count(catalog.after, "after")))
}
