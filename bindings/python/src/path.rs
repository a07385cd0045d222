//! Paths from a caller: what `open` of Python takes.

use std::path::PathBuf;

use pyo3::prelude::*;

use crate::convert::{Place, lone_surrogate};
use crate::fault::{Fault, Raised};

/// The path of a text, of bytes or of an object with `__fspath__`.
pub fn path_of(path: &Bound<'_, PyAny>, raised: Raised) -> PyResult<PathBuf> {
    let text = path.py().import("os")?.call_method1("fsdecode", (path,))?;
    let path: PathBuf = text
        .extract()
        .map_err(|_| lone_surrogate(Place::Root, raised))?;
    if path.as_os_str().as_encoded_bytes().contains(&0) {
        let message = "a path with a NUL character, which no file has";
        return Err(Fault::new(raised, "bad_path", message).into());
    }
    Ok(path)
}
