//! The metadata of a model for chats: its template, its special tokens, its name. Read from the JSON
//! of its configuration files; the caller opens the files.

use serde_json::Value as Json;

use super::detect::ModelConfig;
use super::family::Family;

/// What is known of a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelMetadata {
    /// The text of its chat template.
    pub template: Option<String>,
    /// The token texts begin with.
    pub bos_token: Option<String>,
    /// The token texts end with.
    pub eos_token: Option<String>,
    /// Its name, architecture and path, whatever is known, for guessing.
    pub name: String,
    /// Its family, when the author says it.
    pub family: Option<Family>,
    /// Whether thinking is switched on, when the author says it.
    pub thinking: Option<bool>,
}

impl ModelMetadata {
    /// Reads a configuration such as `tokenizer_config.json` or `config.json`. What it does not
    /// say, or says in another shape, is not known.
    #[must_use]
    pub fn from_config(config: &Json) -> Self {
        let token = |name: &str| {
            let token = &config[name];
            token
                .as_str()
                .or_else(|| token["content"].as_str())
                .map(str::to_owned)
        };
        let names = [
            "name",
            "model",
            "name_or_path",
            "_name_or_path",
            "model_type",
            "tokenizer_class",
        ];
        let mut words: Vec<&str> = names
            .iter()
            .filter_map(|name| config[*name].as_str())
            .collect();
        let architectures = config["architectures"].as_array().into_iter().flatten();
        words.extend(architectures.filter_map(Json::as_str));
        Self {
            template: template_of(&config["chat_template"]),
            bos_token: token("bos_token"),
            eos_token: token("eos_token"),
            name: words.join(" "),
            family: config["family"].as_str().and_then(Family::named),
            thinking: config["thinking"].as_bool(),
        }
    }

    /// Fills in what is not known yet from something less telling.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let name = match (self.name.is_empty(), other.name.is_empty()) {
            (true, _) => other.name,
            (_, true) => self.name,
            _ => format!("{} {}", self.name, other.name),
        };
        Self {
            template: self.template.or(other.template),
            bos_token: self.bos_token.or(other.bos_token),
            eos_token: self.eos_token.or(other.eos_token),
            name,
            family: self.family.or(other.family),
            thinking: self.thinking.or(other.thinking),
        }
    }

    /// The template, unless it is blank: a blank one is none.
    #[must_use]
    pub fn own_template(&self) -> Option<&str> {
        let template = self.template.as_deref();
        template.filter(|source| !source.trim().is_empty())
    }

    /// The family and the thinking of the model.
    #[must_use]
    pub fn config(&self) -> ModelConfig {
        let mut config = ModelConfig::detect(self.template.as_deref(), &self.name);
        if let Some(family) = self.family {
            config.family = family;
            config.supports_thinking_mode |= family.has_thinking_mode();
        }
        config.thinking = self.thinking.unwrap_or(config.thinking);
        config
    }
}

/// The template of a configuration: a text, or the one called `default` of several.
fn template_of(chat_template: &Json) -> Option<String> {
    if let Some(text) = chat_template.as_str() {
        return Some(text.to_owned());
    }
    let all = chat_template.as_array()?;
    let named = |name: &str| all.iter().find(|one| one["name"] == name);
    let chosen = named("default").or_else(|| all.first())?;
    chosen["template"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn configurations_are_read_in_all_their_shapes() {
        let metadata = ModelMetadata::from_config(&json!({
            "chat_template": [{"name": "tool_use", "template": "t"}, {"name": "default", "template": "d"}],
            "bos_token": {"content": "<s>", "lstrip": false}, "eos_token": "</s>",
            "model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"],
        }));
        assert_eq!(metadata.template.as_deref(), Some("d"));
        assert_eq!(
            (metadata.bos_token.as_deref(), metadata.eos_token.as_deref()),
            (Some("<s>"), Some("</s>"))
        );
        assert_eq!(metadata.config().family, Family::Qwen3);
        // Its template never closes a think block; where only a name is known, the name decides.
        assert!(!metadata.config().supports_thinking_mode);
        let named = ModelMetadata::from_config(&json!({"model_type": "qwen3"}));
        assert!(named.config().supports_thinking_mode);
        assert_eq!(
            ModelMetadata::from_config(&json!([1])),
            ModelMetadata::default()
        );
    }

    #[test]
    fn what_the_author_says_goes_before_what_is_detected() {
        let metadata = ModelMetadata::from_config(
            &json!({"chat_template": "<|im_start|>", "family": "llama3"}),
        );
        assert_eq!(metadata.config().family, Family::Llama3);
    }
}
