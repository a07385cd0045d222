//! The stable code of a diagnostic, and the macro that lists the codes of a crate.

use std::fmt;

use serde::Serialize;

/// A stable code, in `snake_case`.
///
/// [`diagnostic_codes!`](crate::diagnostic_codes) declares them, so that the list of a crate's codes
/// is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct DiagnosticCode(&'static str);

impl DiagnosticCode {
    /// Declares a code; anything but `snake_case` does not compile.
    #[doc(hidden)]
    #[must_use]
    pub const fn declare(code: &'static str) -> Self {
        let bytes = code.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            assert!(
                matches!(bytes[at], b'a'..=b'z' | b'_'),
                "codes are snake_case"
            );
            at += 1;
        }
        Self(code)
    }

    /// The code as programs read it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for DiagnosticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl PartialEq<&str> for DiagnosticCode {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// Declares the diagnostic codes of a crate as constants, and `ALL` of them as a list.
#[macro_export]
macro_rules! diagnostic_codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        $(
            $(#[$doc])*
            pub const $name: $crate::registry::DiagnosticCode =
                $crate::registry::DiagnosticCode::declare($code);
        )*

        /// All codes of this list.
        pub const ALL: &[$crate::registry::DiagnosticCode] = &[$($name,)*];
    };
}
