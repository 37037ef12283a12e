//! The model catalog: one complete page of the Anthropic model list.

use serde_json::{Map, Value};

use crate::closed_set::closed_set;
use crate::json;

closed_set! {
    /// Why the catalog is not what it must be.
    pub enum CatalogFault(meaning) {
        TooLong => "too-long", "it is longer than 1048576 bytes";
        NotJson => "not-json", "it is not one JSON value without doubled keys";
        Keys => "keys", "its keys are not exactly data, has_more, first_id and last_id";
        HasMore => "has-more", "has_more is not false: the list is not complete";
        Item => "item", "an item is not exactly id, created_at, display_name and type, all strings";
        ItemId => "item-id", "an item has an empty id";
        ItemType => "item-type", "an item is of another type than model";
    }
}

/// How often a model is listed.
///
/// # Errors
/// [`CatalogFault`].
pub fn listed(body: &[u8], model: &str) -> Result<usize, CatalogFault> {
    let catalog = json::parse(body).map_err(|_| CatalogFault::NotJson)?;
    let catalog = catalog.as_object().ok_or(CatalogFault::Keys)?;
    if !has_exactly(catalog, &["data", "has_more", "first_id", "last_id"]) {
        return Err(CatalogFault::Keys);
    }
    if catalog.get("has_more") != Some(&Value::Bool(false)) {
        return Err(CatalogFault::HasMore);
    }
    let items = catalog
        .get("data")
        .and_then(Value::as_array)
        .ok_or(CatalogFault::Item)?;
    let ids = items.iter().map(id).collect::<Result<Vec<_>, _>>()?;
    Ok(ids.into_iter().filter(|id| *id == model).count())
}

fn id(item: &Value) -> Result<&str, CatalogFault> {
    let item = item.as_object().ok_or(CatalogFault::Item)?;
    if !has_exactly(item, &["id", "created_at", "display_name", "type"])
        || !item.values().all(Value::is_string)
    {
        return Err(CatalogFault::Item);
    }
    if item.get("type").and_then(Value::as_str) != Some("model") {
        return Err(CatalogFault::ItemType);
    }
    item.get("id")
        .and_then(Value::as_str)
        .filter(|id| !id.is_empty())
        .ok_or(CatalogFault::ItemId)
}

fn has_exactly(map: &Map<String, Value>, keys: &[&str]) -> bool {
    map.len() == keys.len() && keys.iter().all(|key| map.contains_key(*key))
}
