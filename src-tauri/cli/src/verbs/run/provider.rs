//! The flags that say who generates the text, and opening that provider.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use promptdeck_core::{output::GenerationConfig, registry::read_json_object, run::Provider};
use promptdeck_provider::{MAX_REQUESTS, Mock, server::ServerKind};
use promptdeck_service::providers::{self, RawTemplate, Target};
use serde_json::Value;

use crate::{chat_template, failure::Failure, flags, input, output, rendering::TemplateArgs};

/// Who generates the text.
#[derive(Debug, clap::Args)]
pub struct ProviderArgs {
    /// Who generates the text.
    #[arg(long, value_enum, default_value_t)]
    provider: ProviderName,
    /// Where the server is; nothing is sent anywhere else. A key is read from the environment
    /// variable `PROMPTDECK_API_KEY_` and the provider's or connection's name, in capitals, and sent
    /// to the provider's own host only, or to those that the variable with `_HOST` at its end
    /// lists. Proxies of the environment are used, but never for servers of this machine.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Send at most so many requests, over all seeds, attempts and tries after faults; 1000 when not
    /// given.
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_requests: Option<u32>,
    /// The model, instead of the registry's.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Take the key that is kept in the system's keyring for this connection and base URL, unless
    /// the environment has one.
    #[arg(long, value_name = "NAME")]
    connection: Option<String>,
    /// The chat template that makes the text a raw completion continues: a Jinja file, or the
    /// model folder or GGUF file that brings one with its tokens.
    #[arg(long, value_name = "FILE")]
    chat_template: Option<PathBuf>,
    #[command(flatten)]
    given: TemplateArgs,
}

/// The providers there are.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ProviderName {
    /// Needs no model; answers with a report of what it was asked.
    #[default]
    Mock,
    /// An Ollama server.
    Ollama,
    /// OpenAI, or a server that speaks its chat completions: LM Studio, llama.cpp, vLLM.
    Openai,
    /// Raw completions of such a server: the prompt as it is, or through --chat-template. Of an
    /// answer in channels the final one counts; thinking and tool calls are told in JSON.
    Completions,
    /// Gemini.
    Gemini,
}

impl ProviderName {
    fn kind(self) -> Option<ServerKind> {
        match self {
            Self::Mock => None,
            Self::Ollama => Some(ServerKind::Ollama),
            Self::Openai => Some(ServerKind::Openai),
            Self::Completions => Some(ServerKind::Completions),
            Self::Gemini => Some(ServerKind::Gemini),
        }
    }
}

impl ProviderArgs {
    /// The registry's settings with what the flags say instead.
    pub fn generation(&self, registry: &GenerationConfig) -> GenerationConfig {
        let mut generation = registry.clone();
        if let Some(model) = &self.model {
            generation.model.clone_from(model);
        }
        generation
    }

    /// The request body in a file, for the model that the flags name if they name one.
    pub fn body(&self, path: &Path) -> Result<Value, Failure> {
        let (mut body, _) = read_json_object(&input::read(path)?, "a request body")
            .map_err(|error| Failure::registry(&input::name_of(path), &error))?;
        if let (Some(model), Some(named)) = (&self.model, body.get_mut("model")) {
            *named = model.as_str().into();
        }
        Ok(Value::Object(body))
    }

    /// Refuses flags that say nothing to the provider.
    pub fn check(&self) -> Result<(), Failure> {
        if matches!(self.provider, ProviderName::Mock) {
            let server = flags::first(&[
                (self.base_url.is_some(), "--base-url"),
                (self.connection.is_some(), "--connection"),
                (self.max_requests.is_some(), "--max-requests"),
            ]);
            let why = "is about a server, and the mock has none: choose another with --provider";
            flags::refuse(server, why)?;
        }
        if !matches!(self.provider, ProviderName::Completions) {
            let template = self.chat_template.as_ref().map(|_| "--chat-template");
            let why = "is for raw completions: choose them with --provider completions";
            flags::refuse(template, why)?;
        }
        if self.chat_template.is_none() {
            let why = "is about a chat template: give one with --chat-template";
            flags::refuse(self.given.given(), why)?;
        }
        Ok(())
    }

    /// Opens the provider; nothing is sent yet.
    pub fn open(&self) -> Result<Box<dyn Provider>, Failure> {
        let given = &self.given;
        let Some(kind) = self.provider.kind() else {
            return Ok(Box::new(Mock::new()));
        };
        let brought = match &self.chat_template {
            Some(path) => Some(chat_template::read(path)?),
            None => None,
        };
        let target = Target {
            kind,
            base_url: self.base_url.as_deref(),
            connection: self.connection.as_deref().unwrap_or(kind.name()),
            key: None,
            keyed: self.connection.is_some(),
            template: brought.as_ref().map(|brought| RawTemplate {
                source: &brought.source,
                bos_token: given.bos.as_deref().or(brought.bos_token.as_deref()),
                eos_token: given.eos.as_deref().or(brought.eos_token.as_deref()),
                thinking: given.thinking,
            }),
        };
        let caller =
            providers::open(&target)?.with_max_requests(self.max_requests.unwrap_or(MAX_REQUESTS));
        if let Some(withheld) = target
            .withheld_key()?
            .filter(|_| !caller.server().has_key())
        {
            output::warning(&withheld.to_string());
        }
        Ok(Box::new(caller))
    }
}
