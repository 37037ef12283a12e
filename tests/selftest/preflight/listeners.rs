//! Listeners that do not answer as they must.

use standin::edge::Reply;

use crate::preflight::row::rows;

rows! {
    health_301: HealthListener => "health-listener", |t| t.standin.edge.behave(|b| {
        b.health = Some(Reply { location: Some("/elsewhere".into()), ..Reply::new(301, "") });
    });
    health_503: HealthListener => "health-listener", |t| t.standin.edge.behave(|b| b.health = Some(Reply::new(503, "")));
    health_dead: HealthListener => "health-listener", |t| t.standin.edge.stop();
}
