//! The formats that need no template: the text around a message. The tool instructions of each
//! format are in a file of their own.

mod chatml;
mod glm4;
mod llama2;
mod llama3;
mod writer;

use promptdeck_python::json::dumps;
use serde_json::Value as Json;

pub use writer::Growth;
use writer::Writer;

use super::capability::Capabilities;
use super::extract::THINK_OPEN;
use super::family::Family;
use super::format::ChatFormat;
use super::incremental::RenderDelta;
use super::message::{Message, Tool, ToolCall};
use super::request::{RenderError, Request};

/// Which of the builtin formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    ChatMl,
    Qwen3 { thinking: bool },
    Llama2,
    Llama3,
    Glm4,
    Plain,
}

/// A builtin format.
#[derive(Debug, Clone)]
pub struct Builtin {
    kind: Kind,
    capabilities: Capabilities,
}

impl Builtin {
    fn new(kind: Kind) -> Self {
        let tools = kind != Kind::Plain;
        let mut format = Self {
            kind,
            capabilities: Capabilities {
                supports_tools: tools,
                supports_tool_calls: tools,
                supports_tool_responses: true,
                supports_system_role: true,
                supports_parallel_tool_calls: tools,
                supports_typed_content: true,
                supports_null_content: true,
                supports_developer_role: true,
                supports_thinking: matches!(kind, Kind::Qwen3 { .. }),
                writes_bos: kind == Kind::Llama2,
                ..Capabilities::default()
            },
        };
        format.capabilities.writes_generation_prompt = !format.generation_prompt().is_empty();
        format
    }

    /// `ChatML`, the format of Qwen 2 and many others.
    #[must_use]
    pub fn chatml() -> Self {
        Self::new(Kind::ChatMl)
    }

    /// Qwen 3 with its thinking on or off.
    #[must_use]
    pub fn qwen3(thinking: bool) -> Self {
        Self::new(Kind::Qwen3 { thinking })
    }

    /// Llama 1 and 2.
    #[must_use]
    pub fn llama2() -> Self {
        Self::new(Kind::Llama2)
    }

    /// Llama 3.
    #[must_use]
    pub fn llama3() -> Self {
        Self::new(Kind::Llama3)
    }

    /// GLM-4.
    #[must_use]
    pub fn glm4() -> Self {
        Self::new(Kind::Glm4)
    }

    /// Role and content in plain words, for models of which nothing is known.
    #[must_use]
    pub fn plain() -> Self {
        Self::new(Kind::Plain)
    }

    /// What the calls of a message are written as behind its content.
    fn calls(&self, calls: &[ToolCall]) -> String {
        let object = |call: &ToolCall, key: &str| {
            let name = Json::from(call.name.as_str());
            format!(
                "{{\"name\": {name}, \"{key}\": {}}}",
                dumps(&call.arguments, None)
            )
        };
        let lines: Vec<String> = calls
            .iter()
            .map(|call| match self.kind {
                Kind::ChatMl | Kind::Qwen3 { .. } => {
                    format!("<tool_call>\n{}\n</tool_call>", object(call, "arguments"))
                }
                Kind::Plain => object(call, "arguments"),
                Kind::Llama2 | Kind::Llama3 | Kind::Glm4 => object(call, "parameters"),
            })
            .collect();
        lines.join("\n")
    }

    /// The text of a message: its content, and behind it the calls it makes.
    fn text(&self, message: &Message) -> String {
        let calls = self.calls(&message.tool_calls);
        match (message.content.is_empty(), calls.is_empty()) {
            (_, true) => message.content.clone(),
            (true, false) => calls,
            (false, false) => format!("{}\n{calls}", message.content),
        }
    }

    /// A message with what stands around it.
    fn message(&self, message: &Message) -> String {
        self.wrapped(&message.role, &self.text(message))
    }

    /// The text of a system message: its content, and behind it the tools.
    fn system_text(&self, content: &str, tools: &[Tool]) -> String {
        let content = match self.kind {
            Kind::Glm4 if content.is_empty() => glm4::DEFAULT_SYSTEM,
            _ => content,
        };
        if tools.is_empty() {
            return content.to_owned();
        }
        let tools = match self.kind {
            Kind::ChatMl | Kind::Qwen3 { .. } => chatml::tools(tools),
            Kind::Llama2 | Kind::Plain => llama2::tools(tools),
            Kind::Llama3 => llama3::tools(tools),
            Kind::Glm4 => glm4::tools(tools),
        };
        if content.is_empty() {
            tools
        } else {
            format!("{content}\n\n{tools}")
        }
    }

    fn wrapped(&self, role: &str, text: &str) -> String {
        match self.kind {
            Kind::ChatMl | Kind::Qwen3 { .. } => {
                format!("<|im_start|>{role}\n{text}<|im_end|>\n")
            }
            Kind::Llama2 => match role {
                "system" | "developer" => format!("<s>[INST] <<SYS>>\n{text}\n<</SYS>>\n\n"),
                "assistant" => format!("{text}</s>"),
                _ => format!("[INST] {text} [/INST]"),
            },
            Kind::Llama3 => {
                let role = if role == "tool" { "ipython" } else { role };
                format!("<|start_header_id|>{role}<|end_header_id|>\n\n{text}<|eot_id|>")
            }
            Kind::Glm4 => {
                let role = if role == "tool" { "observation" } else { role };
                format!("<|{role}|>\n{text}")
            }
            Kind::Plain => format!("{role}: {text}\n\n"),
        }
    }

    fn written(&self, messages: &[Json], tools: &[Tool]) -> String {
        let mut writer = Writer::new(self, tools);
        for message in messages {
            writer.push(&Message::from_json(message));
        }
        writer.finish()
    }
}

fn is_system(message: &Message) -> bool {
    message.role == "system" || message.role == "developer"
}

impl ChatFormat for Builtin {
    fn family(&self) -> Family {
        match self.kind {
            Kind::ChatMl => Family::Qwen2,
            Kind::Qwen3 { .. } => Family::Qwen3,
            Kind::Llama2 => Family::Llama2,
            Kind::Llama3 => Family::Llama3,
            Kind::Glm4 => Family::Glm4,
            Kind::Plain => Family::Generic,
        }
    }

    fn format_message(&self, message: &Message) -> Result<String, RenderError> {
        Ok(self.message(message))
    }

    fn format_system_message(&self, content: &str, tools: &[Tool]) -> Result<String, RenderError> {
        Ok(self.wrapped("system", &self.system_text(content, tools)))
    }

    fn generation_prompt(&self) -> String {
        match self.kind {
            Kind::ChatMl | Kind::Qwen3 { thinking: true } => "<|im_start|>assistant\n".into(),
            Kind::Qwen3 { thinking: false } => {
                format!("<|im_start|>assistant\n{THINK_OPEN}\n\n</think>\n\n")
            }
            Kind::Llama2 => String::new(),
            Kind::Llama3 => "<|start_header_id|>assistant<|end_header_id|>\n\n".into(),
            Kind::Glm4 => "<|assistant|>\n".into(),
            Kind::Plain => "assistant: ".into(),
        }
    }

    fn assistant_end_tag(&self) -> String {
        match self.kind {
            Kind::ChatMl | Kind::Qwen3 { .. } => "<|im_end|>\n",
            Kind::Llama2 => "</s>",
            Kind::Llama3 => "<|eot_id|>",
            Kind::Glm4 => "",
            Kind::Plain => "\n\n",
        }
        .to_owned()
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn format_conversation(&self, request: &Request) -> Result<String, RenderError> {
        request.check_messages()?;
        let tools = Tool::all(request.tools.as_ref());
        let mut text = self.written(&request.messages, &tools);
        let last = request
            .messages
            .last()
            .and_then(|message| message["role"].as_str());
        if let (Some(_), Some("assistant")) = (&request.continue_field, last) {
            let end = self.assistant_end_tag();
            if let Some(open) = text.strip_suffix(end.as_str()) {
                text.truncate(open.len());
            }
        } else if request.add_generation_prompt && matches!(last, Some("user" | "tool")) {
            text.push_str(&self.generation_prompt());
        }
        Ok(text)
    }

    fn format_message_incremental(&self, request: &Request) -> Result<RenderDelta, RenderError> {
        let whole = self.format_conversation(request)?;
        let before = Request {
            messages: request.messages[..request.messages.len().saturating_sub(1)].to_vec(),
            add_generation_prompt: false,
            continue_field: None,
            ..request.clone()
        };
        let prefix = self.format_conversation(&before)?;
        Ok(RenderDelta::between(&prefix, whole))
    }
}

#[cfg(test)]
mod tests;
