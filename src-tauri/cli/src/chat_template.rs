//! A chat template that an argument names: a template file, or the model folder or GGUF file that
//! brings one together with the tokens its texts begin and end with.

use std::{fs, path::Path};

use promptdeck_model::folder;

use crate::{failure::Failure, input};

/// A template as it was found.
pub struct Brought {
    /// The template.
    pub source: String,
    /// The token texts begin with, when it is told.
    pub bos_token: Option<String>,
    /// The token texts end with, when it is told.
    pub eos_token: Option<String>,
}

/// Reads what is at a path; `-`, and whatever else is no file one can seek in, is a template.
pub fn read(path: &Path) -> Result<Brought, Failure> {
    let name = input::name_of(path);
    if is_stream(path)? {
        let source = String::from_utf8(input::read(path)?)
            .map_err(|error| Failure::input("not_utf8", format!("{name}: not UTF-8: {error}")))?;
        return Ok(Brought {
            source,
            bos_token: None,
            eos_token: None,
        });
    }
    let found =
        folder::read(path).map_err(|error| Failure::input(error.code(), error.to_string()))?;
    let source = found
        .template
        .ok_or_else(|| Failure::input("no_template", format!("{name} brings no chat template")))?;
    Ok(Brought {
        source,
        bos_token: found.bos_token,
        eos_token: found.eos_token,
    })
}

/// Refuses a path that leads nowhere: the reader of models takes it for the name of one.
fn is_stream(path: &Path) -> Result<bool, Failure> {
    if input::is_stdin(path) {
        return Ok(true);
    }
    let metadata = fs::metadata(path).map_err(|error| {
        let name = input::name_of(path);
        Failure::input("unreadable", format!("cannot read {name}: {error}"))
    })?;
    Ok(!metadata.is_dir() && !metadata.is_file())
}
