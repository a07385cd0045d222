//! Errors of hydration.

/// Why a call can't be hydrated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HydrateError {
    /// The registry has no such route.
    #[error("no route {route:?} in this registry; {}", routes(known))]
    UnknownRoute {
        /// The requested route.
        route: String,
        /// The known routes.
        known: Vec<String>,
    },
}

impl HydrateError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownRoute { .. } => "unknown_route",
        }
    }
}

fn routes(known: &[String]) -> String {
    if known.is_empty() {
        "it has none".to_owned()
    } else {
        format!("it has {}", known.join(", "))
    }
}
