//! A part of a random sample as rows with their seed as `custom_id`: to a file, or to standard
//! output.

use std::{io::Write as _, path::Path};

use promptdeck_core::hydrate::{Call, Engine};

use super::{
    progress::Progress,
    sample::Sample,
    shard_file::{Job, ShardFile, hash},
    shard_rows::{RowFormat, Rows},
};
use crate::{failure::Failure, output::Output};

/// A shard as it is asked for.
pub struct ShardJob<'a> {
    /// The sample and the part of it.
    pub sample: Sample,
    /// What a row says.
    pub format: RowFormat,
    /// The model of requests, instead of the registry's.
    pub model: Option<&'a str>,
}

impl ShardJob<'_> {
    /// Prints the rows, and how many there are.
    pub fn print(&self, engine: &Engine, call: &Call<'_>, out: &mut Output) -> Result<(), Failure> {
        let total = self.sample.wanted()?;
        let range = self.sample.range(total);
        let rows = Rows::new(engine, call, self.format, self.model)?;
        let mut progress = Progress::of_output(|| Some(range.end - range.start));
        rows.for_each_chunk(range.clone(), Ok, |chunk, count| {
            out.write_all(chunk)?;
            progress.add(count);
            out.flush()
        })?;
        drop(progress);
        self.sample.close(&range, total);
        Ok(())
    }

    /// Writes the rows to a file, and prints how many there are. `registry` is the registry in
    /// canonical form.
    pub fn write(
        &self,
        engine: &Engine,
        call: &Call<'_>,
        registry: &str,
        path: &Path,
        force: bool,
    ) -> Result<(), Failure> {
        let total = self.sample.wanted()?;
        let rows = Rows::new(engine, call, self.format, self.model)?;
        let job = Job {
            promptdeck: env!("CARGO_PKG_VERSION").to_owned(),
            registry: hash(&registry)?,
            call: hash(&(call.state, call.route, rows.settings()))?,
            format: self.format.name().to_owned(),
            first_seed: call.seed.get(),
            rows: self.sample.range(total),
        };
        ShardFile::new(path, force)?.write(&job, &rows, force)?;
        self.sample.close(&job.rows, total);
        Ok(())
    }
}
