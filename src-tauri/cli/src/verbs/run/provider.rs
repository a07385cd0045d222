//! Flags that select the provider, and its creation.

use std::path::{Path, PathBuf};

use clap::{ValueEnum, builder::NonEmptyStringValueParser};
use promptdeck_core::{
    output::GenerationConfig,
    registry::read_json_object,
    run::{Input, Plan, Provider},
};
use promptdeck_provider::{MAX_REQUESTS, Mock, server::ServerKind};
use promptdeck_request::body_keys;
use promptdeck_service::providers::{self, RawTemplate, Target};
use serde_json::Value;

use super::body;
use crate::{
    chat_template, failure::Failure, flags, input, output, rendering::TemplateArgs,
    warnings::Warnings, whole_number::whole_number,
};

/// Provider and connection settings.
#[derive(Debug, clap::Args)]
pub struct ProviderArgs {
    /// The provider that generates the text.
    #[arg(long, value_enum, default_value_t)]
    provider: ProviderName,
    /// Base URL of the server; nothing is sent anywhere else. The key is read from the environment
    /// variable `PROMPTDECK_API_KEY_` plus the name of the provider or connection in capitals. It
    /// is sent only to the provider's own host or to the hosts listed in the variable with the
    /// suffix `_HOST`. Proxies of the environment are used, except for servers on this machine.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Send at most this many requests over all seeds, attempts and retries; 1000 by default.
    #[arg(long, value_name = "N",
          value_parser = whole_number::<u32>(1..=1_000_000))]
    max_requests: Option<u32>,
    /// Use this model instead of the registry's. If neither names one, the model "default" is asked
    /// for, which is reported.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    model: Option<String>,
    /// Use the key stored in the system's keyring for this connection and base URL, unless the
    /// environment has one.
    #[arg(long, value_name = "NAME")]
    connection: Option<String>,
    /// The chat template that renders the text of a raw completion: a Jinja file, or a model folder
    /// or GGUF file that contains one.
    #[arg(long, value_name = "FILE")]
    chat_template: Option<PathBuf>,
    #[command(flatten)]
    template_args: TemplateArgs,
}

/// Available providers.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ProviderName {
    /// Needs no model; answers with a report of the request.
    #[default]
    Mock,
    /// An Ollama server.
    Ollama,
    /// OpenAI, or a server with its chat completions: LM Studio, llama.cpp, vLLM.
    Openai,
    /// Raw completions of such a server: the prompt verbatim or through --chat-template. If the
    /// answer has channels, its text is the final one; JSON also contains thinking and tool calls.
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
    /// The registry's settings, overridden by the flags.
    pub fn generation(&self, registry: &GenerationConfig) -> GenerationConfig {
        let mut generation = registry.clone();
        if let Some(model) = &self.model {
            generation.model.clone_from(model);
        }
        generation
    }

    /// The request body in a file, with the model of the flags if they set one.
    pub fn body(&self, path: &Path, warnings: &mut Warnings) -> Result<Value, Failure> {
        let (mut body, places) = read_json_object(&input::read(path)?, "a request body")
            .map_err(|error| Failure::registry(&input::name_of(path), &error))?;
        body::check(&body, self.provider.kind()).map_err(|failure| failure.in_file(path))?;
        for found in body_keys::lint(&body) {
            let place = places.find_key(&found.pointer);
            warnings.diagnostic(&input::at(&input::name_of(path), place), &found)?;
        }
        warnings.print();
        if let (Some(model), Some(named)) = (&self.model, body.get_mut("model")) {
            *named = model.as_str().into();
        }
        Ok(Value::Object(body))
    }

    /// Warns if a server is asked for the default model, as nothing names one: neither a flag, nor the
    /// registry or its route, nor a body that is given.
    pub fn warn_of_model(&self, plan: &Plan, warnings: &mut Warnings) -> Result<(), Failure> {
        let Some(kind) = self.provider.kind() else {
            return Ok(());
        };
        // Gemini's model is in the URL.
        let body_names = |body: &Value| kind != ServerKind::Gemini && body.get("model").is_some();
        let in_body = matches!(plan.input(), Some(Input::Body(body)) if body_names(body));
        if plan.generation().names_model() || self.model.is_some() || in_body {
            return Ok(());
        }
        let message = format!(
            "no model is named, so {:?} is asked for; name one with --model NAME or in the registry's \
             generation settings",
            plan.generation().model
        );
        warnings.add("no_model", message)
    }

    /// Rejects flags that the provider does not use.
    pub fn check(&self) -> Result<(), Failure> {
        if matches!(self.provider, ProviderName::Mock) {
            let server = flags::first(&[
                (self.base_url.is_some(), "--base-url"),
                (self.connection.is_some(), "--connection"),
                (self.max_requests.is_some(), "--max-requests"),
            ]);
            let reason = "is about a server, and the mock has none: choose another with --provider";
            flags::refuse(server, reason)?;
        }
        if !matches!(self.provider, ProviderName::Completions) {
            let template = self.chat_template.as_ref().map(|_| "--chat-template");
            let reason = "is for raw completions: choose them with --provider completions";
            flags::refuse(template, reason)?;
        }
        if self.chat_template.is_none() {
            let reason = "is about a chat template: give one with --chat-template";
            flags::refuse(self.template_args.first_flag(), reason)?;
        }
        Ok(())
    }

    /// Creates the provider without sending anything.
    pub fn open(&self) -> Result<Box<dyn Provider>, Failure> {
        let template_args = &self.template_args;
        let Some(kind) = self.provider.kind() else {
            return Ok(Box::new(Mock::new()));
        };
        let metadata = match &self.chat_template {
            Some(path) => Some(chat_template::read(path)?),
            None => None,
        };
        if let Some(metadata) = &metadata {
            template_args.note_unread(&metadata.source);
        }
        let target = Target {
            kind,
            base_url: self.base_url.as_deref(),
            connection: self.connection.as_deref().unwrap_or(kind.name()),
            key: None,
            keyed: self.connection.is_some(),
            template: metadata.as_ref().map(|metadata| RawTemplate {
                source: &metadata.source,
                bos_token: template_args
                    .bos
                    .as_deref()
                    .or(metadata.bos_token.as_deref()),
                eos_token: template_args
                    .eos
                    .as_deref()
                    .or(metadata.eos_token.as_deref()),
                thinking: template_args.thinking,
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
