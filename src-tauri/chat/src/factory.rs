//! Picks the format of a model: its chat template if it has one, a builtin format otherwise.
//! Every conversation that is rendered gets its format here.

use promptdeck_jinja::{Error, Template};

use super::builtin::Builtin;
use super::detect::ModelConfig;
use super::family::Family;
use super::request::Request;
use super::template_format::TemplateFormat;

/// What a model's conversations are written with.
pub enum ModelFormat {
    /// The model's own template.
    Template(Box<TemplateFormat>),
    /// A builtin format.
    Builtin(Builtin),
}

/// The format of a model, ready to write. A template is the primary path whatever the family; without
/// one, or with a blank one, the family decides, and for Qwen 3 whether it has a thinking mode.
///
/// # Errors
/// When the template does not compile.
pub fn create(
    template: Option<&str>,
    config: &ModelConfig,
    eos_token: Option<&str>,
    bos_token: Option<&str>,
) -> Result<ModelFormat, Error> {
    let template = template.filter(|source| !source.trim().is_empty());
    Ok(match template {
        Some(source) => ModelFormat::Template(Box::new(TemplateFormat::new(
            Template::compile(source)?,
            config.clone(),
            eos_token,
            bos_token,
        ))),
        None => ModelFormat::Builtin(builtin(config)),
    })
}

/// The builtin format of a model without a chat template.
#[must_use]
pub fn builtin(config: &ModelConfig) -> Builtin {
    match config.family {
        Family::Qwen2 => Builtin::chatml(),
        Family::Qwen3 if config.supports_thinking_mode => Builtin::qwen3(config.thinking),
        Family::Qwen3 => Builtin::chatml(),
        Family::Llama2 => Builtin::llama2(),
        Family::Llama3 => Builtin::llama3(),
        Family::Glm4 => Builtin::glm4(),
        _ => Builtin::plain(),
    }
}

/// The builtin format of a family for a request, which says whether the model is to think; where it
/// does not, thinking is off.
#[must_use]
pub fn builtin_for(family: Family, request: &Request) -> Builtin {
    builtin(&ModelConfig {
        thinking: request.thinking_switch().unwrap_or_default(),
        ..ModelConfig::of(family)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::ChatFormat;

    /// The generation prompt and the family of the format that is picked.
    #[track_caller]
    fn check(template: Option<&str>, config: &ModelConfig, family: Family, prompt: &str) {
        let created = create(template, config, None, None).expect("a format");
        let format: &dyn ChatFormat = match &created {
            ModelFormat::Template(format) => &**format,
            ModelFormat::Builtin(format) => format,
        };
        let found = (format.family(), format.generation_prompt());
        assert_eq!(
            found,
            (family, prompt.to_owned()),
            "{template:?} {config:?}"
        );
    }

    #[test]
    fn formats_are_picked_in_the_factorys_order() {
        let of = ModelConfig::of;
        let chatml = "<|im_start|>assistant\n";
        let closed = "<|im_start|>assistant\n<think>\n\n</think>\n\n";
        check(None, &of(Family::Qwen2), Family::Qwen2, chatml);
        check(None, &of(Family::Qwen3), Family::Qwen3, closed);
        let thinking = ModelConfig {
            thinking: true,
            ..of(Family::Qwen3)
        };
        check(None, &thinking, Family::Qwen3, chatml);
        let never = ModelConfig {
            supports_thinking_mode: false,
            ..of(Family::Qwen3)
        };
        check(None, &never, Family::Qwen2, chatml);
        check(None, &of(Family::Llama2), Family::Llama2, "");
        let llama3 = "<|start_header_id|>assistant<|end_header_id|>\n\n";
        check(None, &of(Family::Llama3), Family::Llama3, llama3);
        check(None, &of(Family::Glm4), Family::Glm4, "<|assistant|>\n");
        for other in [
            Family::Generic,
            Family::Gemma,
            Family::Mistral,
            Family::GptOss,
        ] {
            check(None, &of(other), Family::Generic, "assistant: ");
        }
    }

    #[test]
    fn a_template_of_its_own_goes_before_every_builtin_format() {
        let custom_template = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}\
                   {% if add_generation_prompt %}[go]{% endif %}";
        for family in [Family::Llama2, Family::Qwen2, Family::Qwen3, Family::Glm4] {
            check(
                Some(custom_template),
                &ModelConfig::of(family),
                family,
                "[go]",
            );
        }
        let llama2 = ModelConfig::of(Family::Llama2);
        check(Some(" \n"), &llama2, Family::Llama2, "");
    }
}
