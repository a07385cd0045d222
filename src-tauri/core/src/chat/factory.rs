//! Picks the format of a model: its own template where it brings one, a builtin format otherwise.

use super::builtin::Builtin;
use super::detect::ModelConfig;
use super::family::Family;
use super::format::ChatFormat;
use super::jinja::Template;
use super::request::RenderError;
use super::templated::Templated;

/// The format of a model. A template of its own is the primary path; the builtin formats are for
/// models without one, by family.
///
/// # Errors
/// When the template does not compile.
pub fn create(
    template: Option<&str>,
    config: &ModelConfig,
    eos_token: Option<&str>,
    bos_token: Option<&str>,
) -> Result<Box<dyn ChatFormat>, RenderError> {
    if let Some(source) = template.filter(|source| !source.trim().is_empty()) {
        let template = Template::compile(source)?;
        return Ok(Box::new(Templated::new(
            template,
            config.clone(),
            eos_token,
            bos_token,
        )));
    }
    Ok(Box::new(builtin(config)))
}

/// The builtin format of a family.
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
