//! `variants`: counts, samples or enumerates the prompts of a registry and a state.

mod partial_file;
mod progress;
mod sample;
mod shard;
mod shard_file;
mod shard_rows;

use std::path::{Path, PathBuf};

use clap::{
    ValueEnum as _,
    builder::{NonEmptyStringValueParser, PossibleValue},
};
use promptdeck_core::{
    hydrate::{
        Call, Engine, HydrateError, Seed,
        variants::{self, Count, Variant},
    },
    registry::canonical,
};

use self::{progress::Progress, sample::Sample, shard::ShardJob, shard_rows::RowFormat};
use crate::{
    args::Format,
    failure::Failure,
    flags, input,
    output::{self, ExitStatus, Output},
    rendering::{self, Unrendered},
    state::{Deck, StateArgs},
    whole_number::whole_number,
};

/// Flags of `variants`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The registry, a JSON file.
    registry: PathBuf,
    #[command(flatten)]
    state: StateArgs,
    /// Use this route of the registry instead of its assembly order.
    #[arg(long, value_name = "ROUTE")]
    route: Option<String>,
    /// The first seed, 0 by default, for every format and in every part; the others follow it, and 0
    /// follows 9007199254740991. Counting and enumerating roll nothing and take none.
    #[arg(long, value_name = "N")]
    seed: Option<Seed>,
    #[command(flatten)]
    wanted: Wanted,
    /// Sample in this mode, with --rolls N as the most rolls; the closing line counts them. Without
    /// it, --rolls leaves out equal prompts.
    #[arg(long, value_enum, value_name = "MODE", conflicts_with_all = ["count", "enumerate"])]
    sample: Option<sample::Mode>,
    /// Only part K of N equal parts of the sample. All parts together are the whole.
    #[arg(long, value_name = "K/N")]
    shard: Option<sample::Shard>,
    /// Format of the result; prompts in JSON are one line each. `prompts`, `messages` and
    /// `openai-batch` are lines of JSON with the seed as `custom_id`.
    #[arg(long, value_enum)]
    format: Option<VariantsFormat>,
    /// Write the rows of a random sample to this file, compressed if it ends in .zst. The same
    /// command continues a broken-off file.
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["count", "enumerate"])]
    output: Option<PathBuf>,
    /// Replace an existing file, which is kept beside it as NAME.replaced-1.jsonl, and start over
    /// instead of continuing one.
    #[arg(long, requires = "output")]
    force: bool,
    /// The model of the requests of `--format openai-batch`, instead of the registry's.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    model: Option<String>,
}

/// Format of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum VariantsFormat {
    /// Readable text; the default on standard output.
    Text,
    /// JSON for programs.
    Json,
    /// `custom_id` and `prompt`; the default in a file.
    Prompts,
    /// `custom_id` and `messages`, with the prompt as the message of the user.
    Messages,
    /// Requests of OpenAI's Batch API, with the registry's generation settings.
    OpenaiBatch,
}

/// Maximum number of prompts that are compared: each new one is compared with all before it.
const MOST_DIFFERENT: u64 = 1_000_000;

/// What to print; the count by default.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct Wanted {
    /// Count the distinct evaluations.
    #[arg(long)]
    count: bool,
    /// Roll this many different prompts, each with its seed; at most a million. In a sample and in a
    /// file, this many rolls, equal ones included.
    #[arg(long, value_name = "N", value_parser = whole_number::<u64>(1..=Seed::MAX))]
    rolls: Option<u64>,
    /// Enumerate the evaluations in order, up to this many.
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>(1..=u64::MAX))]
    enumerate: Option<usize>,
}

impl Wanted {
    /// Whether the result is a count.
    fn is_count(&self) -> bool {
        self.rolls.is_none() && self.enumerate.is_none()
    }
}

impl Args {
    /// The format of rows with the seed as `custom_id`, if they are wanted.
    fn row_format(&self) -> Option<RowFormat> {
        match self.format {
            Some(VariantsFormat::Prompts) => Some(RowFormat::Prompts),
            Some(VariantsFormat::Messages) => Some(RowFormat::Messages),
            Some(VariantsFormat::OpenaiBatch) => Some(RowFormat::OpenaiBatch),
            Some(VariantsFormat::Text | VariantsFormat::Json) => None,
            None => self.file().map(|_| RowFormat::Prompts),
        }
    }

    /// The format of everything else.
    fn plain_format(&self) -> Format {
        match self.format {
            Some(VariantsFormat::Json) => Format::Json,
            _ => Format::Text,
        }
    }

    /// The file to write; `-` is standard output.
    fn file(&self) -> Option<&Path> {
        let path = self.output.as_deref();
        path.filter(|path| !input::is_stdin(path))
    }

    /// Rejects flags that have no effect together.
    fn check(&self) -> Result<(), Failure> {
        let rows = self.row_format();
        let wrong = |message: String| Err(Failure::input("wrong_usage", message));
        if self.file().is_some() && rows.is_none() {
            return wrong(
                "-o needs a format that can be continued: prompts, messages or openai-batch"
                    .to_owned(),
            );
        }
        if let Some(format) = rows {
            let name = format.name();
            let counted = flags::first(&[
                (self.wanted.count, "--count"),
                (self.wanted.enumerate.is_some(), "--enumerate"),
            ]);
            let reason =
                format!("rolls no seeds, and --format {name} has a row for each: choose --rolls N");
            flags::refuse(counted, &reason)?;
            if let Some(mode) = self.sample.filter(|mode| *mode != sample::Mode::Random) {
                let mode = mode.to_possible_value();
                return wrong(format!(
                    "--sample {} sets values beside the seeds, and a row of --format {name} has \
                     nothing but its seed: choose --sample random",
                    mode.as_ref().map_or("", PossibleValue::get_name)
                ));
            }
        } else if self.sample.is_none() {
            let shard = self.shard.map(|_| "--shard");
            flags::refuse(
                shard,
                "is a part of a sample: choose one with --sample, or a file with -o",
            )?;
            if self
                .wanted
                .rolls
                .is_some_and(|rolls| rolls > MOST_DIFFERENT)
            {
                return wrong(format!(
                    "--rolls finds up to {MOST_DIFFERENT} different prompts; with --sample random \
                     it rolls more, equal ones included"
                ));
            }
        }
        if rows != Some(RowFormat::OpenaiBatch) {
            let model = self.model.as_ref().map(|_| "--model");
            flags::refuse(model, "is for --format openai-batch")?;
        }
        if !self.rolls_seeds() {
            let seed = self.seed.map(|_| "--seed");
            let reason = "has no effect: counting and enumerating roll nothing; choose --rolls N or \
                       --sample random, shuffle or pairwise";
            flags::refuse(seed, reason)?;
        }
        Ok(())
    }

    /// Whether anything is rolled.
    fn rolls_seeds(&self) -> bool {
        match self.sample {
            Some(mode) => mode != sample::Mode::Exhaustive,
            None => self.row_format().is_some() || self.wanted.rolls.is_some(),
        }
    }
}

/// Prints the count or the prompts.
pub fn run(args: &Args, out: &mut Output) -> Result<ExitStatus, Failure> {
    args.check()?;
    let Deck {
        parsed,
        state,
        mut warnings,
        ..
    } = args.state.open(&args.registry)?;
    if args.sample.is_some() || args.row_format().is_some() || !args.wanted.is_count() {
        let name = input::name_of(&args.registry);
        rendering::warn_of_raw_template(&name, &parsed.registry, &mut warnings)?;
        warnings.print();
    }
    let registry = args.file().map(|_| canonical::format(&parsed.document));
    let engine = Engine::new(parsed.registry);
    let call = Call {
        state: &state,
        route: args.route.as_deref(),
        // The parts of a sample are of one: the seed by default is the same in every process.
        seed: args.seed.unwrap_or_default(),
    };
    let named = |error: HydrateError| Failure::from(error).in_file(&args.registry);
    let format = args.plain_format();
    let sample = |mode| Sample {
        mode,
        rolls: args.wanted.rolls,
        shard: args.shard,
        format,
    };
    if let Some(format) = args.row_format() {
        let job = ShardJob {
            sample: sample(sample::Mode::Random),
            format,
            model: args.model.as_deref(),
        };
        match args.file().zip(registry) {
            Some((path, registry)) => job.write(&engine, &call, &registry, path, args.force)?,
            None => job.print(&engine, &call, out)?,
        }
    } else if let Some(mode) = args.sample {
        let printed = sample(mode).print(&engine, &call, out);
        printed.map_err(|failure| failure.in_file(&args.registry))?;
    } else if let Some(wanted) = args.wanted.rolls {
        let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
        let mut rolls = variants::rolls(&engine, &call, wanted);
        let mut progress = Progress::of_output(|| Some(wanted as u64));
        for roll in rolls.by_ref() {
            let roll = roll.map_err(named)?;
            match format {
                Format::Json => out.json_line(&Unrendered::row(&roll, engine.registry()))?,
                Format::Text => out.verbatim(&format!("seed {}\n{}\n", roll.seed, roll.text))?,
            }
            // Flush every row, so that a closed pipe ends the work.
            out.flush()?;
            progress.add(1);
        }
        drop(progress);
        let (found, seeds) = rolls.found();
        if found < wanted {
            output::note(&format!(
                "{found} of {wanted} prompts: {seeds} seeds gave no more different ones"
            ));
        }
    } else if let Some(limit) = args.wanted.enumerate {
        let mut progress = Progress::of_output(|| {
            let count = variants::count(&engine, &call).ok()?;
            let all = u64::try_from(&count.ordered).unwrap_or(u64::MAX);
            Some(all.min(limit as u64))
        });
        for (number, variant) in variants::enumerate(&engine, &call, limit).enumerate() {
            let variant: Variant = variant.map_err(named)?;
            match format {
                Format::Json => out.json_line(&Unrendered::row(&variant, engine.registry()))?,
                Format::Text => {
                    out.verbatim(&format!("variant {}\n{}\n", number + 1, variant.text))?;
                }
            }
            out.flush()?;
            progress.add(1);
        }
    } else {
        let count = variants::count(&engine, &call).map_err(named)?;
        match format {
            Format::Json => out.json(&Unrendered::row(&count, engine.registry()))?,
            Format::Text => {
                out.row(count_text(&count))?;
                if rendering::is_rendered(engine.registry(), false).is_some() {
                    output::note(rendering::UNRENDERED);
                }
            }
        }
    }
    Ok(ExitStatus::Done)
}

fn count_text(count: &Count) -> String {
    let bound = if count.exact { "" } else { "at most " };
    if count.ordered == count.unordered {
        return format!("{bound}{}", count.ordered);
    }
    format!(
        "{bound}{}, or {} when the order of shuffled entries does not count",
        count.ordered, count.unordered
    )
}
