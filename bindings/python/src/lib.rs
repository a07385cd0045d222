//! The extension module of the Python package `promptdeck`. Converts what comes from Python, calls
//! the core without the interpreter's lock, and converts the results; decides nothing itself.

mod batch;
mod chat;
mod convert;
mod fault;
mod input_columns;
mod message_columns;
mod messages;
mod model;
mod path;
mod pickle;
mod policy;
mod registry_warnings;
mod result_columns;
mod state;
mod state_warnings;
mod template_arguments;
mod work;

use pyo3::prelude::*;

/// The native half of the package `promptdeck`, which re-exports everything public.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::chat::ChatTemplate;
    #[pymodule_export]
    use crate::model::{Model, load};
    #[pymodule_export]
    use crate::pickle::restore;
    #[pymodule_export]
    use crate::policy::{Policy, Verdict};
    #[pymodule_export]
    use crate::result_columns::{ResultBatch, TextColumn};
    #[pymodule_export]
    use crate::state::State;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::work::note_process();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
