//! Model families that have different formats.

use promptdeck_json::nearest::did_you_mean;
use serde::{Serialize, Serializer};

use super::detect::{ModelConfig, plain};
use super::factory;
use super::format::ChatFormat as _;

/// A family of models that share a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Qwen 2 and 2.5, and everything else that speaks `ChatML`.
    Qwen2,
    /// Qwen 3 and `MindLink`.
    Qwen3,
    /// Llama 1 and 2.
    Llama2,
    /// Llama 3.
    Llama3,
    /// Llama 4.
    Llama4,
    /// GLM-4.
    Glm4,
    /// GPT-OSS, whose answers come in channels.
    GptOss,
    /// Gemma 1 to 3.
    Gemma,
    /// Gemma 4.
    Gemma4,
    /// Mistral.
    Mistral,
    /// Phi-3 and 3.5.
    Phi3,
    /// Phi-4.
    Phi4,
    /// Command R.
    CommandR,
    /// Granite.
    Granite,
    /// `DeepSeek`.
    DeepSeek,
    /// Kimi K2.
    KimiK2,
    /// None that is known.
    Generic,
}

/// Every family with the name it is given in reports, and the short names it is also asked for by.
const NAMES: [(Family, &str, &[&str]); 17] = [
    (
        Family::Qwen2,
        "QWEN_2_X",
        &["qwen2", "qwen25", "qwen", "qwen1", "qwen15", "chatml"],
    ),
    (
        Family::Qwen3,
        "QWEN_3_X",
        &["qwen3", "mindlink", "qwen3thinking"],
    ),
    (Family::Llama2, "LLAMA_2_X", &["llama2", "llama1"]),
    (Family::Llama3, "LLAMA_3_X", &["llama3"]),
    (Family::Llama4, "LLAMA_4", &["llama4"]),
    (Family::Glm4, "GLM_4", &["glm4", "glm"]),
    (Family::GptOss, "GPT_OSS", &["gptoss", "harmony"]),
    (Family::Gemma, "GEMMA", &["gemma1", "gemma2", "gemma3"]),
    (Family::Gemma4, "GEMMA_4", &["gemma4"]),
    (Family::Mistral, "MISTRAL", &["mixtral"]),
    (Family::Phi3, "PHI_3", &["phi3", "phi35"]),
    (Family::Phi4, "PHI_4", &["phi4"]),
    (Family::CommandR, "COMMAND_R", &["commandr", "cohere"]),
    (Family::Granite, "GRANITE", &[]),
    (Family::DeepSeek, "DEEPSEEK", &[]),
    (Family::KimiK2, "KIMI_K2", &["kimik2", "kimi"]),
    (Family::Generic, "GENERIC", &[]),
];

impl Family {
    /// The name in reports, such as `QWEN_2_X`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let mut all = NAMES.iter();
        all.find(|(family, ..)| *family == self)
            .map_or("GENERIC", |(_, name, _)| name)
    }

    /// Whether a model of the family has a thinking mode, when its template says nothing of it.
    #[must_use]
    pub fn has_thinking_mode(self) -> bool {
        self == Self::Qwen3
    }

    /// The names of all families, as reports give them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(_, name, _)| *name)
    }

    /// Whether the family has a built-in format of its own; the others are written in a generic one.
    #[must_use]
    pub fn has_builtin_format(self) -> bool {
        self == Self::Generic || factory::builtin(&ModelConfig::of(self)).family() != Self::Generic
    }

    /// The names of all families in a sentence, those without a format of their own marked as such.
    #[must_use]
    pub fn list() -> String {
        let names = |with_format| {
            let families = NAMES.iter().map(|(family, name, _)| (family, *name));
            let names = families.filter(|(family, _)| family.has_builtin_format() == with_format);
            names.map(|(_, name)| name).collect::<Vec<_>>().join(", ")
        };
        format!(
            "{}, and, without a built-in format, so that the one of {} is used with a warning: {}",
            names(true),
            Self::Generic.name(),
            names(false)
        )
    }

    /// What is wrong with a name that no family has: the names there are, and the nearest of them.
    #[must_use]
    pub fn unknown(name: &str) -> String {
        format!(
            "there is no family {name:?}; known are {}{}",
            Self::list(),
            did_you_mean(name, Self::names())
        )
    }

    /// The family of that name, however it is written: `QWEN_3_X`, `qwen-3.x`, `Qwen3`, `chatml`;
    /// or the family of the model of that name, such as `gpt-oss-20b`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let wanted = plain(name);
        let mut all = NAMES.iter();
        let found =
            all.find(|(_, name, short)| plain(name) == wanted || short.contains(&wanted.as_str()));
        found.map(|(family, ..)| *family).or_else(|| {
            let model = ModelConfig::from_name(name).family;
            (model != Self::Generic && !is_unknown_generation(&wanted)).then_some(model)
        })
    }
}

/// Whether a name in plain letters is nothing but a stem that several families share and a number
/// that none of them has: `llama9` is no model of the family `LLAMA_2_X`.
fn is_unknown_generation(name: &str) -> bool {
    let stem = name.trim_end_matches('x');
    let stem = stem.trim_end_matches(|one: char| one.is_ascii_digit());
    let guess = |name: &str| ModelConfig::from_name(name).family;
    let shared = || {
        NAMES
            .iter()
            .filter(|(_, other_name, _)| plain(other_name).starts_with(stem))
            .count()
            > 1
    };
    stem.len() < name.len() && guess(stem) == guess(name) && shared()
}

impl Serialize for Family {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_however_they_are_written() {
        let check = |name, family| assert_eq!(Family::named(name), family, "{name}");
        check("QWEN_2_X", Some(Family::Qwen2));
        check("qwen-2.x", Some(Family::Qwen2));
        check("ChatML", Some(Family::Qwen2));
        check("Llama 3.x", Some(Family::Llama3));
        check("glm-4", Some(Family::Glm4));
        check("gpt-oss", Some(Family::GptOss));
        check("gpt-oss-20b", Some(Family::GptOss));
        check("mistral", Some(Family::Mistral));
        check("Meta-Llama-3.1-8B-Instruct", Some(Family::Llama3));
        check("generic", Some(Family::Generic));
        check("bert", None);
        for (name, family) in [
            ("LLAMA_9", None),
            ("llama-9", None),
            ("LLAMA_9_X", None),
            ("QWEN_9", None),
            ("GEMMA_7", None),
            ("llama", Some(Family::Llama2)),
            ("Llama-3.1", Some(Family::Llama3)),
            ("llama-65b", Some(Family::Llama2)),
            ("qwen1.5", Some(Family::Qwen2)),
            ("Qwen1.5-7B", Some(Family::Qwen2)),
            ("Qwen3", Some(Family::Qwen3)),
            ("granite-3", Some(Family::Granite)),
            ("mistral-3", Some(Family::Mistral)),
            ("gemma-3n-E4B", Some(Family::Gemma)),
        ] {
            check(name, family);
        }
    }

    #[test]
    fn the_list_marks_the_families_without_a_format() {
        let list = Family::list();
        let (with, without) = list
            .split_once("without a built-in format")
            .expect("a mark");
        for (family, name, _) in NAMES {
            let part = if family.has_builtin_format() {
                with
            } else {
                without
            };
            assert!(part.contains(name), "{name} in {list}");
        }
    }
}
