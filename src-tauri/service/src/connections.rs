//! Connections of the studio: named model servers, their keys in the keyring, and their model
//! lists.
//!
//! Functions that open a connection block and must not be called on a thread that runs an async
//! runtime.

use std::time::Duration;

use promptdeck_provider::base_url::BaseUrl;
use promptdeck_provider::keyring::{EnvironmentKey, KeyRef};
use promptdeck_provider::secret::Secret;
use promptdeck_provider::server::ServerKind;
use promptdeck_provider::{CallLimits, HttpProvider};
use promptdeck_store::Store;
use promptdeck_store::connections::Connection;

use crate::providers::{self, RawTemplate, Target};
use crate::wire::{ConnectionEntry, Connections, ServerKindEntry};
use crate::{ServiceError, Studio};

/// Time limit for a model list.
const LISTING: Duration = Duration::from_secs(15);

impl Studio {
    /// All connections by name, and the supported kinds of servers.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn connections(&self) -> Result<Connections, ServiceError> {
        let stored = self.inner.store_handle.store()?.connections()?;
        let kinds = ServerKind::ALL.into_iter().map(|kind| ServerKindEntry {
            name: kind.name().to_owned(),
            usual_base_url: kind.usual_base_url().to_owned(),
        });
        Ok(Connections {
            list: stored.iter().map(entry).collect::<Result<_, _>>()?,
            kinds: kinds.collect(),
        })
    }

    /// Stores a connection. `before` names the connection it replaces; any other connection of the
    /// same name is an error. Renaming a connection moves its key, but a new base URL never gets
    /// the old key.
    ///
    /// # Errors
    /// If the connection is invalid or its name is taken, or if the store or the keyring cannot be
    /// written.
    pub fn keep_connection(
        &self,
        wanted: &ConnectionEntry,
        before: Option<&str>,
    ) -> Result<ConnectionEntry, ServiceError> {
        let store = self.inner.store_handle.store()?;
        let mut connection = checked(wanted)?;
        let name = connection.name.as_str();
        if before != Some(name) && find(&store, name).is_ok() {
            let reason = format!("a connection named {name:?} already exists; choose another name");
            return Err(ServiceError::Connection(reason));
        }
        let before = match before {
            Some(before) => Some(find(&store, before)?),
            None => None,
        };
        if let Some(before) = &before {
            connection.keyed = before.keyed && origin(before)? == origin(&connection)?;
            if connection.keyed && before.name != connection.name {
                match place(before)?.in_keyring()? {
                    Some(key) => place(&connection)?.keep(&key)?,
                    None => connection.keyed = false,
                }
            }
        }
        store.keep_connection(&connection)?;
        if let Some(before) = before {
            if before.keyed && place(&before)? != place(&connection)? {
                place(&before)?.forget()?;
            }
            if before.name != connection.name {
                store.forget_connection(&before.name)?;
            }
        }
        entry(&connection)
    }

    /// Deletes a connection and its key.
    ///
    /// # Errors
    /// If the store or the keyring cannot be written.
    pub fn forget_connection(&self, name: &str) -> Result<(), ServiceError> {
        let store = self.inner.store_handle.store()?;
        let connection = find(&store, name)?;
        if connection.keyed {
            place(&connection)?.forget()?;
        }
        Ok(store.forget_connection(name)?)
    }

    /// Stores a connection's key in the keyring; an empty key removes it.
    ///
    /// # Errors
    /// If there is no such connection, or if the store or the keyring cannot be written.
    pub fn set_key(&self, name: &str, key: &str) -> Result<ConnectionEntry, ServiceError> {
        let store = self.inner.store_handle.store()?;
        let mut connection = find(&store, name)?;
        let key = Secret::new(key);
        if key.is_empty() {
            place(&connection)?.forget()?;
        } else {
            place(&connection)?.keep(&key)?;
        }
        connection.keyed = !key.is_empty();
        store.keep_connection(&connection)?;
        entry(&connection)
    }

    /// Sets the default model of a connection; empty for the registry's.
    ///
    /// # Errors
    /// If there is no such connection or the store cannot be written.
    pub fn use_model(&self, name: &str, model: &str) -> Result<ConnectionEntry, ServiceError> {
        let store = self.inner.store_handle.store()?;
        let mut connection = find(&store, name)?;
        model.trim().clone_into(&mut connection.model);
        store.keep_connection(&connection)?;
        entry(&connection)
    }

    /// Lists the models of a connection's server.
    ///
    /// # Errors
    /// If there is no such connection or the request fails.
    pub fn models(&self, name: &str) -> Result<Vec<String>, ServiceError> {
        let connection = find(&*self.inner.store_handle.store()?, name)?;
        listed(&open(&connection)?)
    }

    /// Tests a connection, which need not be stored, with a key that need not be stored either, by
    /// listing the server's models. Writes nothing.
    ///
    /// # Errors
    /// If the connection is invalid or the request fails.
    pub fn try_connection(
        &self,
        wanted: &ConnectionEntry,
        before: Option<&str>,
        key: Option<&str>,
    ) -> Result<Vec<String>, ServiceError> {
        let mut connection = checked(wanted)?;
        if let Some(before) = before {
            let before = find(&*self.inner.store_handle.store()?, before)?;
            connection.keyed = before.keyed && origin(&before)? == origin(&connection)?;
            // The keyring has the key under the old name.
            connection.name = before.name;
        }
        let key = key.map(Secret::new).filter(|key| !key.is_empty());
        listed(&providers::open(&Target {
            key: key.as_ref(),
            ..target(&connection)?
        })?)
    }
}

fn listed(caller: &HttpProvider) -> Result<Vec<String>, ServiceError> {
    let call_limits = CallLimits {
        timeout: LISTING,
        is_stopped: &|| false,
    };
    Ok(caller.server().models(call_limits)?)
}

/// Validates a connection; the result has no key.
fn checked(wanted: &ConnectionEntry) -> Result<Connection, ServiceError> {
    if wanted.name.trim().is_empty() {
        return Err(ServiceError::Connection("a connection needs a name".into()));
    }
    let connection = Connection {
        name: wanted.name.trim().to_owned(),
        kind: wanted.kind.clone(),
        base_url: BaseUrl::parse(&wanted.base_url)?.to_string(),
        model: wanted.model.trim().to_owned(),
        template: Some(wanted.template.clone()).filter(|template| !template.trim().is_empty()),
        keyed: false,
    };
    // Reject a connection that cannot be opened, such as one with an unknown kind or an invalid
    // template.
    providers::check(&target(&connection)?)?;
    Ok(connection)
}

pub(crate) fn find(store: &Store, name: &str) -> Result<Connection, ServiceError> {
    let mut connections = store.connections()?.into_iter();
    connections
        .find(|connection| connection.name == name)
        .ok_or_else(|| ServiceError::Connection(format!("there is no connection {name:?}")))
}

/// Opens a connection. Reads the keyring only if it should have the key, since reading may open a
/// dialog.
pub(crate) fn open(connection: &Connection) -> Result<HttpProvider, ServiceError> {
    providers::open(&target(connection)?)
}

fn target(connection: &Connection) -> Result<Target<'_>, ServiceError> {
    Ok(Target {
        kind: kind(connection)?,
        base_url: Some(&connection.base_url),
        connection: &connection.name,
        key: None,
        keyed: connection.keyed,
        template: connection.template.as_deref().map(|source| RawTemplate {
            source,
            ..RawTemplate::default()
        }),
    })
}

/// The origin to which the key is bound.
fn origin(connection: &Connection) -> Result<String, ServiceError> {
    Ok(BaseUrl::parse(&connection.base_url)?.origin())
}

pub(crate) fn kind(connection: &Connection) -> Result<ServerKind, ServiceError> {
    let kind = connection.kind.parse();
    kind.map_err(|fault: promptdeck_provider::server::UnknownKind| {
        ServiceError::Connection(fault.to_string())
    })
}

fn place(connection: &Connection) -> Result<KeyRef, ServiceError> {
    let base = BaseUrl::parse(&connection.base_url)?;
    Ok(KeyRef::of(&connection.name, &base))
}

fn entry(connection: &Connection) -> Result<ConnectionEntry, ServiceError> {
    let place = place(connection)?;
    Ok(ConnectionEntry {
        name: connection.name.clone(),
        kind: connection.kind.clone(),
        base_url: connection.base_url.clone(),
        model: connection.model.clone(),
        template: connection.template.clone().unwrap_or_default(),
        keyed: connection.keyed,
        variable: place.variable(),
        in_environment: kind(connection).is_ok_and(|kind| {
            let found = providers::key_in_environment(&place, kind);
            matches!(found, EnvironmentKey::Usable(_))
        }),
    })
}
