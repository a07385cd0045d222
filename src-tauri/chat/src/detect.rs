//! Which family a model is of: from the text of its template, from its name. Marker facts first,
//! guesses from names last. Reads no files.

use super::extract::THINK_CLOSE;
use super::family::Family;

/// What is known of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelConfig {
    /// Its family.
    pub family: Family,
    /// Whether it can think before it answers.
    pub supports_thinking_mode: bool,
    /// Whether thinking is switched on; off unless the author says otherwise.
    pub thinking: bool,
}

impl ModelConfig {
    /// A model of which the family alone is known, with thinking switched off.
    #[must_use]
    pub fn of(family: Family) -> Self {
        Self {
            family,
            supports_thinking_mode: family.has_thinking_mode(),
            thinking: false,
        }
    }

    /// From a template's text when there is one that says anything, otherwise from a path or name.
    #[must_use]
    pub fn detect(template: Option<&str>, name: &str) -> Self {
        let by_template = template.map(|text| Self::from_template(text, name));
        match by_template {
            Some(found) if found.family != Family::Generic => found,
            Some(found) => Self {
                supports_thinking_mode: found.supports_thinking_mode,
                ..Self::from_name(name)
            },
            None => Self::from_name(name),
        }
    }

    /// From the markers a template writes; `name` tells Qwen 3 from Qwen 2.
    #[must_use]
    pub fn from_template(text: &str, name: &str) -> Self {
        let has = |marker: &str| text.contains(marker);
        let family = if has("Environment: ipython") && has("<|eom_id|>") {
            Family::Llama3
        } else if has("<|observation|>") {
            Family::Glm4
        } else if has("<|channel|>") && has("Valid channels:") {
            Family::GptOss
        } else if has("<|channel>thought") {
            Family::Gemma4
        } else if has("<|im_start|>") {
            if has("<|im_sep|>") {
                Family::Phi4
            } else if is_qwen3(name) {
                Family::Qwen3
            } else {
                Family::Qwen2
            }
        } else if has("[INST]") {
            if has("[SYSTEM_PROMPT]") || has("[AVAILABLE_TOOLS]") {
                Family::Mistral
            } else {
                Family::Llama2
            }
        } else {
            const MARKERS: [(&str, Family); 6] = [
                ("<|start_header_id|>", Family::Llama3),
                ("<|header_start|>", Family::Llama4),
                ("<start_of_turn>", Family::Gemma),
                ("<|START_OF_TURN_TOKEN|>", Family::CommandR),
                ("<|start_of_role|>", Family::Granite),
                ("<|im_assistant|>assistant<|im_middle|>", Family::KimiK2),
            ];
            let marked = MARKERS[..5].iter().find(|(marker, _)| has(marker));
            match marked {
                Some((_, family)) => *family,
                None if has("<|assistant|>") && has("<|end|>") => Family::Phi3,
                // Full-width bars, as in no other family.
                None if has("<｜Assistant｜>") => Family::DeepSeek,
                None if has(MARKERS[5].0) => MARKERS[5].1,
                None => Family::Generic,
            }
        };
        Self {
            family,
            supports_thinking_mode: has(THINK_CLOSE),
            thinking: false,
        }
    }

    /// From a path or a name.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        let plain = plain(name);
        const NAMES: [(&str, Family); 22] = [
            ("mindlink", Family::Qwen3),
            ("qwen3", Family::Qwen3),
            ("qwq", Family::Qwen2),
            ("qwen", Family::Qwen2),
            ("gptoss", Family::GptOss),
            ("deepseek", Family::DeepSeek),
            ("llama4", Family::Llama4),
            ("llama3", Family::Llama3),
            ("llama2", Family::Llama2),
            ("llama", Family::Llama2),
            ("glm4", Family::Glm4),
            ("chatglm", Family::Glm4),
            ("gemma4", Family::Gemma4),
            ("gemma", Family::Gemma),
            ("mixtral", Family::Mistral),
            ("mistral", Family::Mistral),
            ("phi4", Family::Phi4),
            ("phi3", Family::Phi3),
            ("commandr", Family::CommandR),
            ("granite", Family::Granite),
            ("kimik2", Family::KimiK2),
            ("chatml", Family::Qwen2),
        ];
        let found = NAMES.iter().find(|(part, _)| plain.contains(part));
        let family = found.map_or(Family::Generic, |(_, family)| *family);
        Self::of(family)
    }
}

/// Letters and digits in lower case: names are written with dots, dashes and none of both.
pub(super) fn plain(name: &str) -> String {
    let alphanumeric = name.chars().filter(|one| one.is_alphanumeric());
    alphanumeric.flat_map(char::to_lowercase).collect()
}

fn is_qwen3(name: &str) -> bool {
    let plain = plain(name);
    plain.contains("qwen3") || plain.contains("mindlink")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_decide_in_order() {
        let check = |text: &str, name: &str, family: Family| {
            assert_eq!(
                ModelConfig::detect(Some(text), name).family,
                family,
                "{text} {name}"
            );
        };
        check(
            "Environment: ipython <|eom_id|> <|start_header_id|>",
            "",
            Family::Llama3,
        );
        check("<|observation|><|assistant|>", "", Family::Glm4);
        check("<|channel|> Valid channels:", "", Family::GptOss);
        check("<|channel>thought", "", Family::Gemma4);
        check("<|im_start|><|im_sep|>", "qwen3", Family::Phi4);
        check("<|im_start|>", "models/Qwen3-8B.gguf", Family::Qwen3);
        check("<|im_start|>", "MindLink-32B", Family::Qwen3);
        check("<|im_start|>", "", Family::Qwen2);
        check("[INST] [SYSTEM_PROMPT]", "", Family::Mistral);
        check("[INST] [AVAILABLE_TOOLS]", "", Family::Mistral);
        check("[INST]", "", Family::Llama2);
        check("<|start_header_id|>", "", Family::Llama3);
        check("<|header_start|>", "", Family::Llama4);
        check("<start_of_turn>", "", Family::Gemma);
        check("<|START_OF_TURN_TOKEN|>", "", Family::CommandR);
        check("<|start_of_role|>", "", Family::Granite);
        check("<|assistant|> <|end|>", "", Family::Phi3);
        check("<｜Assistant｜>", "", Family::DeepSeek);
        check("<|Assistant|>", "", Family::Generic);
        check("<|im_assistant|>assistant<|im_middle|>", "", Family::KimiK2);
        check("{{ messages }}", "llama-3.1-8b", Family::Llama3);
        check("{{ messages }}", "", Family::Generic);
    }

    #[test]
    fn a_closing_think_tag_thinks() {
        assert!(ModelConfig::from_template("x </think> y", "").supports_thinking_mode);
        assert!(!ModelConfig::from_template("<|im_start|>", "").supports_thinking_mode);
    }

    #[test]
    fn names_decide_without_markers() {
        let check = |name: &str, family| {
            assert_eq!(ModelConfig::detect(None, name).family, family, "{name}");
        };
        check("/models/Qwen2.5-7B-Instruct", Family::Qwen2);
        check("qwen3-30b-a3b", Family::Qwen3);
        check("Meta-Llama-3.1-8B.Q4_K_M.gguf", Family::Llama3);
        check("llama-2-7b-chat", Family::Llama2);
        check("glm-4-9b", Family::Glm4);
        check("gpt-oss-20b", Family::GptOss);
        check("unknown", Family::Generic);
    }
}
