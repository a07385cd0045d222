//! Connections of the studio: named model servers, their keys in the keyring, their model lists.

use std::time::Duration;

use promptdeck_provider::base_url::BaseUrl;
use promptdeck_provider::keys::KeyPlace;
use promptdeck_provider::secret::Secret;
use promptdeck_provider::server::ServerKind;
use promptdeck_provider::{Caller, Watch};
use promptdeck_store::Store;
use promptdeck_store::connections::Connection;

use crate::providers::{self, Target};
use crate::wire::ConnectionEntry;
use crate::{ServiceError, Studio};

/// How long a model list may take.
const LISTING: Duration = Duration::from_secs(15);

impl Studio {
    /// All connections by name.
    pub fn connections(&self) -> Result<Vec<ConnectionEntry>, ServiceError> {
        let kept = self.inner.care.store()?.connections()?;
        kept.iter().map(entry).collect()
    }

    /// Keeps a connection, in place of the one of that name; whether it has a key is found out.
    /// The key of another base URL is not taken along.
    pub fn keep_connection(&self, wanted: &ConnectionEntry) -> Result<(), ServiceError> {
        let kind: ServerKind =
            wanted
                .kind
                .parse()
                .map_err(|fault: promptdeck_provider::server::UnknownKind| {
                    ServiceError::Connection(fault.to_string())
                })?;
        if wanted.name.trim().is_empty() {
            return Err(ServiceError::Connection("a connection needs a name".into()));
        }
        let base = BaseUrl::parse(&wanted.base_url)?;
        let store = self.inner.care.store()?;
        let before = find(&store, wanted.name.trim()).ok();
        let keyed = before.is_some_and(|before| {
            before.keyed
                && BaseUrl::parse(&before.base_url).is_ok_and(|old| old.origin() == base.origin())
        });
        Ok(store.keep_connection(&Connection {
            name: wanted.name.trim().to_owned(),
            kind: kind.name().to_owned(),
            base_url: base.to_string(),
            model: wanted.model.trim().to_owned(),
            keyed,
        })?)
    }

    /// Forgets a connection and its key.
    pub fn forget_connection(&self, name: &str) -> Result<(), ServiceError> {
        let store = self.inner.care.store()?;
        let connection = find(&store, name)?;
        if connection.keyed {
            place(&connection)?.forget()?;
        }
        Ok(store.forget_connection(name)?)
    }

    /// Puts a connection's key into the keyring, or takes it out when it is empty.
    pub fn set_key(&self, name: &str, key: &str) -> Result<(), ServiceError> {
        let store = self.inner.care.store()?;
        let mut connection = find(&store, name)?;
        let key = Secret::new(key);
        if key.is_empty() {
            place(&connection)?.forget()?;
        } else {
            place(&connection)?.keep(&key)?;
        }
        connection.keyed = !key.is_empty();
        Ok(store.keep_connection(&connection)?)
    }

    /// The models a connection's server has. This is how a connection is tried out.
    pub fn models(&self, name: &str) -> Result<Vec<String>, ServiceError> {
        let connection = find(&*self.inner.care.store()?, name)?;
        let watch = Watch {
            timeout: LISTING,
            is_stopped: &|| false,
        };
        Ok(open(&connection)?.server().models(watch)?)
    }
}

pub(crate) fn find(store: &Store, name: &str) -> Result<Connection, ServiceError> {
    let mut connections = store.connections()?.into_iter();
    connections
        .find(|connection| connection.name == name)
        .ok_or_else(|| ServiceError::Connection(format!("there is no connection {name:?}")))
}

/// Opens a connection. The keyring is asked only when it is known to hold the key, for asking may
/// open a dialog.
pub(crate) fn open(connection: &Connection) -> Result<Caller, ServiceError> {
    providers::open(&Target {
        kind: kind(connection)?,
        base_url: Some(&connection.base_url),
        connection: &connection.name,
        keyed: connection.keyed,
        template: None,
    })
}

fn kind(connection: &Connection) -> Result<ServerKind, ServiceError> {
    let kind = connection.kind.parse();
    kind.map_err(|fault: promptdeck_provider::server::UnknownKind| {
        ServiceError::Connection(fault.to_string())
    })
}

fn place(connection: &Connection) -> Result<KeyPlace, ServiceError> {
    let base = BaseUrl::parse(&connection.base_url)?;
    Ok(KeyPlace::of(&connection.name, &base))
}

fn entry(connection: &Connection) -> Result<ConnectionEntry, ServiceError> {
    Ok(ConnectionEntry {
        name: connection.name.clone(),
        kind: connection.kind.clone(),
        base_url: connection.base_url.clone(),
        model: connection.model.clone(),
        keyed: connection.keyed,
        variable: place(connection)?.variable(),
    })
}
