//! The flags that say how a chat template renders a conversation, the same for every verb that
//! renders one.

use std::sync::LazyLock;

use clap::builder::PossibleValuesParser;
use promptdeck_core::{
    chat::{Family, answer::RenderQuestion, polyfill::Step},
    request::target::thinking_variables,
};

use crate::output;

/// How a conversation is rendered.
#[derive(Debug, Default, Clone, clap::Args)]
pub struct RenderingArgs {
    /// The token that texts begin with, instead of the model's own.
    #[arg(long, value_name = "TOKEN")]
    pub bos: Option<String>,
    /// The token that texts end with, instead of the model's own.
    #[arg(long, value_name = "TOKEN")]
    pub eos: Option<String>,
    /// Switch a polyfill off; may be given several times.
    #[arg(long, value_name = "POLYFILL",
          value_parser = PossibleValuesParser::new(Step::ALL.map(Step::name)))]
    pub without: Vec<String>,
    /// Tell the template whether the model thinks: `enable_thinking` and `thinking`.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true")]
    pub thinking: Option<bool>,
    /// Give reasoning under the name it was written with alone, not under all the names templates
    /// look for.
    #[arg(long)]
    pub no_alias_reasoning: bool,
}

impl RenderingArgs {
    /// The first flag that was given.
    pub fn given(&self) -> Option<&'static str> {
        let flags = [
            (self.bos.is_some(), "--bos"),
            (self.eos.is_some(), "--eos"),
            (!self.without.is_empty(), "--without"),
            (self.thinking.is_some(), "--thinking"),
            (self.no_alias_reasoning, "--no-alias-reasoning"),
        ];
        flags
            .into_iter()
            .find_map(|(given, flag)| given.then_some(flag))
    }

    /// Puts what the flags say in the place of what the question says.
    pub fn apply(&self, question: &mut RenderQuestion) {
        if self.bos.is_some() {
            question.bos_token.clone_from(&self.bos);
        }
        if self.eos.is_some() {
            question.eos_token.clone_from(&self.eos);
        }
        if !self.without.is_empty() {
            let off = question.off.get_or_insert_default();
            off.extend(self.without.iter().cloned());
        }
        if self.thinking.is_some() {
            let extra = question.extra.get_or_insert_default();
            extra.extend(thinking_variables(self.thinking));
        }
        if self.no_alias_reasoning {
            question.alias_reasoning = Some(false);
        }
    }

    /// The polyfills that are switched off.
    pub fn off(&self) -> Vec<Step> {
        let named = |name: &String| Step::named(name);
        self.without.iter().filter_map(named).collect()
    }
}

/// The help of `--family`, with every family.
pub fn family_help() -> &'static str {
    static HELP: LazyLock<String> = LazyLock::new(|| {
        let families: Vec<&str> = Family::names().collect();
        format!(
            "Use the built-in format of this family of models, or of the family that a model of this \
             name belongs to, instead of a template: {}",
            families.join(", ")
        )
    });
    &HELP
}

/// Warns of a family whose conversations are written in a generic format, as nothing better is
/// known.
pub fn warn_of_generic_format(family: &str) {
    if let Some(known) = Family::named(family)
        && !known.has_builtin_format()
    {
        output::warning(&format!(
            "{} has no built-in format: the generic one is used; a chat template gives the exact text",
            known.name()
        ));
    }
}
