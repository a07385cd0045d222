//! Flags that control how a chat template renders a conversation, shared by all verbs that render.

use std::sync::LazyLock;

use clap::builder::PossibleValuesParser;
use promptdeck_chat::{
    ChatFormat as _, Family, answer::RenderQuestion, detect::ModelConfig, factory, polyfill::Step,
    request::THINKING_SWITCHES,
};
use promptdeck_core::registry::Registry;
use promptdeck_jinja::Template;
use promptdeck_request::prompt::Prompt;
use serde::Serialize;

use crate::{failure::Failure, flags, output, warnings::Warnings};

/// Inputs of a chat template besides the conversation.
#[derive(Debug, Default, Clone, clap::Args)]
pub struct TemplateArgs {
    /// Give the chat template this BOS token instead of the model's own.
    #[arg(long, value_name = "TOKEN")]
    pub bos: Option<String>,
    /// Give the chat template this EOS token instead of the model's own.
    #[arg(long, value_name = "TOKEN")]
    pub eos: Option<String>,
    /// Turn the model's thinking on or off: sets `enable_thinking` and `thinking` for templates. By
    /// default both are unset, and a template decides: most take that as on. Built-in families that
    /// can think have it off by default, even where the model's own template has it on; off, they
    /// insert an empty think block.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    pub thinking: Option<bool>,
}

impl TemplateArgs {
    /// The first flag given.
    pub fn first_flag(&self) -> Option<&'static str> {
        flags::first(&[
            (self.bos.is_some(), "--bos"),
            (self.eos.is_some(), "--eos"),
            (self.thinking.is_some(), "--thinking"),
        ])
    }

    /// Notes on the flags that set what a template does not read. One that does not compile has an
    /// error of its own.
    pub fn unread_by(&self, source: &str) -> Vec<String> {
        if self.first_flag().is_none() {
            return Vec::new();
        }
        let Ok(template) = Template::compile(source) else {
            return Vec::new();
        };
        let reads = template.reads();
        let flags = [
            (self.bos.is_some(), "--bos", &["bos_token"][..]),
            (self.eos.is_some(), "--eos", &["eos_token"]),
            (self.thinking.is_some(), "--thinking", &THINKING_SWITCHES),
        ];
        let unread = flags.iter().filter(|(is_given, _, names)| {
            *is_given
                && !names
                    .iter()
                    .any(|name| reads.iter().any(|read| read == name))
        });
        let note = |names: &[&str], flag| {
            let names = names.join(" nor ");
            format!("{flag} has no effect: the template does not read {names}")
        };
        unread.map(|(_, flag, names)| note(names, flag)).collect()
    }

    /// Prints the notes of [`Self::unread_by`].
    pub fn note_unread(&self, source: &str) {
        for note in self.unread_by(source) {
            output::note(&note);
        }
    }
}

/// Why a flag of a chat template is rejected where there is none.
pub const OF_TEMPLATE: &str = "is about a chat template: give one with --template";

/// How a conversation is rendered.
#[derive(Debug, Default, Clone, clap::Args)]
pub struct RenderingArgs {
    #[command(flatten)]
    pub template: TemplateArgs,
    /// Turn a polyfill off; repeatable.
    #[arg(long, value_name = "POLYFILL",
          value_parser = PossibleValuesParser::new(Step::ALL.map(Step::name)))]
    pub without: Vec<String>,
    /// Pass reasoning under its original name only, not under every name that templates read.
    #[arg(long)]
    pub no_alias_reasoning: bool,
}

impl RenderingArgs {
    /// The first flag given.
    pub fn first_flag(&self) -> Option<&'static str> {
        self.template.first_flag().or(flags::first(&[
            (!self.without.is_empty(), "--without"),
            (self.no_alias_reasoning, "--no-alias-reasoning"),
        ]))
    }

    /// Replaces the settings of the document by those of the flags.
    pub fn apply(&self, question: &mut RenderQuestion) {
        let TemplateArgs { bos, eos, thinking } = &self.template;
        let mut unset = |name: &str| question.extra.as_mut()?.shift_remove(name);
        if bos.is_some() {
            question.bos_token.clone_from(bos);
            unset("bos_token");
        }
        if eos.is_some() {
            question.eos_token.clone_from(eos);
            unset("eos_token");
        }
        if thinking.is_some() {
            question.thinking = *thinking;
            // A variable of that name would take precedence.
            for name in THINKING_SWITCHES {
                unset(name);
            }
        }
        if !self.without.is_empty() {
            let off = question.off.get_or_insert_default();
            off.extend(self.without.iter().cloned());
        }
        if self.no_alias_reasoning {
            question.alias_reasoning = Some(false);
        }
    }

    /// Rejects the flags that the built-in format of a family does not use.
    pub fn refuse_unused_by(&self, family: Family) -> Result<(), Failure> {
        let format = factory::builtin(&ModelConfig::of(family));
        if self.template.thinking.is_some() && !format.capabilities().supports_thinking {
            let name = family.name();
            let reason = format!(
                "is about models that can think, and the format of {name} has no thinking: leave it out"
            );
            return flags::refuse(Some("--thinking"), &reason);
        }
        let mut others = self.clone();
        others.template.thinking = None;
        flags::refuse(others.first_flag(), OF_TEMPLATE)
    }

    /// The polyfills that are turned off.
    pub fn off(&self) -> Vec<Step> {
        let named = |name: &String| Step::named(name);
        self.without.iter().filter_map(named).collect()
    }
}

/// Help of `--family`, with the list of families.
pub fn family_help() -> &'static str {
    static HELP: LazyLock<String> = LazyLock::new(|| {
        format!(
            "Use the built-in format of this family of models, or of the family that a model of this \
             name belongs to, instead of a template: {}. --strict refuses a family without a format",
            Family::list()
        )
    });
    &HELP
}

/// Which family is used if neither a template nor a family is named.
pub fn default_family(flags: &str) -> String {
    format!(
        "neither a template nor a family is named: the format of {} is used; choose one with {flags}",
        Family::Generic.name()
    )
}

/// The `rendered` field of a result: whether the texts were rendered, for a registry whose texts are Jinja
/// templates; `None` for others.
pub fn is_rendered(registry: &Registry, has_arguments: bool) -> Option<bool> {
    Prompt::is_template(registry).then_some(has_arguments)
}

/// A row of a result with unrendered texts, marked if they are Jinja templates.
#[derive(Serialize)]
pub struct Unrendered<T> {
    #[serde(flatten)]
    row: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    rendered: Option<bool>,
}

impl<T> Unrendered<T> {
    /// The row of a registry.
    pub fn row(row: T, registry: &Registry) -> Self {
        Self {
            row,
            rendered: is_rendered(registry, false),
        }
    }
}

/// What a report about unrendered texts says.
pub const UNRENDERED: &str =
    "the texts are Jinja templates, counted before they are rendered: the prompts of a call differ";

/// Warns about a registry whose texts are Jinja templates where they are printed unrendered: only a
/// call document has the arguments to render them.
pub fn warn_of_raw_template(
    name: &str,
    registry: &Registry,
    warnings: &mut Warnings,
) -> Result<(), Failure> {
    if !Prompt::is_template(registry) {
        return Ok(());
    }
    let message = format!(
        "{name}: its texts are Jinja templates, unrendered here; `promptdeck request` and \
         `promptdeck hydrate --call` render them with the arguments of a call document"
    );
    warnings.add("template_not_rendered", message)
}

/// Warns about a family without a format of its own, whose conversations use a generic one.
pub fn warn_of_generic_format(family: Family, warnings: &mut Warnings) -> Result<(), Failure> {
    if family.has_builtin_format() {
        return Ok(());
    }
    let message = format!(
        "{} has no built-in format: the generic one is used; a chat template gives the exact text",
        family.name()
    );
    warnings.add("no_builtin_format", message)
}
