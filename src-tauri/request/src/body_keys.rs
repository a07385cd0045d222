//! Keys of a request body that are probably misspelled: a server ignores them, or refuses the body after
//! it was sent. Any other key may be a server's.

use std::sync::LazyLock;

use promptdeck_core::registry::{DataKey, Diagnostic, DiagnosticData};
use promptdeck_json::{abridged, nearest::hint, unlisted_keys};
use serde_json::{Map, Value, json};

use crate::{call_keys, tool_keys};

/// Keys of the bodies of chat completions, of raw completions and of Ollama, with those of servers that
/// add to them.
const COMPLETIONS: &str = "\
    messages model prompt suffix stream stream_options temperature top_p top_k top_a top_n top_n_sigma \
    min_p typical_p tfs tfs_z min_tokens max_tokens max_completion_tokens n best_of echo stop stop_token_ids \
    seed logprobs top_logprobs prompt_logprobs logit_bias presence_penalty frequency_penalty \
    repetition_penalty repeat_penalty repeat_last_n mirostat mirostat_tau mirostat_eta \
    penalize_nl ignore_eos n_predict n_probs n_keep cache_prompt id_slot samplers grammar json_schema \
    dry_multiplier dry_base dry_allowed_length dry_penalty_last_n xtc_probability xtc_threshold \
    dynatemp_range dynatemp_exponent response_format tools tool_choice parallel_tool_calls functions \
    function_call user store metadata service_tier modalities audio prediction reasoning reasoning_effort \
    reasoning_format reasoning_split include_reasoning verbosity web_search_options safety_identifier \
    prompt_cache_key prompt_cache_retention chat_template chat_template_kwargs add_generation_prompt \
    continue_final_message guided_json guided_regex guided_choice guided_grammar structured_outputs \
    extra_body system system_prompt thinking thinking_budget enable_thinking provider providers models route \
    transforms plugins safe_prompt random_seed prompt_mode context template raw images keep_alive options \
    format think suffix";

/// Keys of Ollama's `options`.
const OPTIONS: &str = "\
    num_keep seed num_predict top_k top_p min_p typical_p tfs_z repeat_last_n temperature repeat_penalty \
    presence_penalty frequency_penalty mirostat mirostat_tau mirostat_eta penalize_newline stop numa num_ctx \
    num_batch num_gpu main_gpu low_vram vocab_only use_mmap use_mlock num_thread";

/// Keys of Gemini's body; each is read in snake case as well.
const GEMINI: &str = "\
    contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent labels \
    serviceTier model";
const CONTENT: &str = "role parts";
const PART: &str = "\
    text thought thoughtSignature partMetadata inlineData fileData functionCall functionResponse \
    executableCode codeExecutionResult videoMetadata mediaResolution toolCall toolResponse";
const GENERATION: &str = "\
    stopSequences responseMimeType responseSchema responseJsonSchema responseModalities candidateCount \
    maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs \
    enableEnhancedCivicAnswers speechConfig thinkingConfig imageConfig mediaResolution audioTimestamp \
    routingConfig modelConfig enableAffectiveDialog";

static OF_COMPLETIONS: LazyLock<Value> = LazyLock::new(|| {
    let mut body = object(COMPLETIONS, same);
    body["properties"]["options"] = object(OPTIONS, same);
    body
});

static OF_GEMINI: LazyLock<Value> = LazyLock::new(|| {
    let part = object(PART, camel_and_snake);
    let mut content = object(CONTENT, same);
    content["properties"]["parts"] = json!({"items": part});
    let mut body = object(GEMINI, camel_and_snake);
    let properties = &mut body["properties"];
    properties["contents"] = json!({"items": content.clone()});
    for key in ["systemInstruction", "system_instruction"] {
        properties[key] = content.clone();
    }
    for key in ["generationConfig", "generation_config"] {
        properties[key] = object(GENERATION, camel_and_snake);
    }
    body
});

/// What is odd about the keys of a body: those of its messages and tools, and those that are like a known
/// one.
#[must_use]
pub fn lint(body: &Map<String, Value>) -> Vec<Diagnostic> {
    let list = |name: &str| body.get(name).and_then(Value::as_array);
    let schema = match body.contains_key("contents") {
        true => &OF_GEMINI,
        false => &OF_COMPLETIONS,
    };
    let unknown = unlisted_keys(schema, &Value::Object(body.clone()));
    let misspelled = unknown.into_iter().filter_map(|unknown| {
        let nearest = unknown.nearest?;
        let place = match unknown
            .pointer
            .rsplit_once('/')
            .map_or("", |(place, _)| place)
        {
            "" => String::new(),
            place => format!(" in {}", abridged(place)),
        };
        let sentence = format!(
            "unknown key {:?}{place}{}",
            abridged(&unknown.key),
            hint(Some(&nearest))
        );
        let data = DiagnosticData::of(DataKey::Object, "body");
        let nearest = Some(nearest.as_str());
        Some(call_keys::of_key(
            sentence,
            unknown.pointer,
            data,
            &unknown.key,
            nearest,
        ))
    });
    let mut found: Vec<Diagnostic> = misspelled.collect();
    found.extend(
        list("messages").map_or_else(Vec::new, |messages| call_keys::of_messages(messages)),
    );
    found.extend(
        list("tools").map_or_else(Vec::new, |tools| tool_keys::lint(tools, "/tools", None)),
    );
    found
}

/// An object with these keys, each as `spelled`, of any value.
fn object(keys: &str, spelled: fn(&str) -> Vec<String>) -> Value {
    let keys = keys.split_ascii_whitespace().flat_map(spelled);
    let keys: Map<String, Value> = keys.map(|key| (key, json!({}))).collect();
    json!({"properties": keys})
}

fn same(key: &str) -> Vec<String> {
    vec![key.to_owned()]
}

fn camel_and_snake(key: &str) -> Vec<String> {
    let mut snake = String::new();
    for letter in key.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    vec![key.to_owned(), snake]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &Value, expected: &[&str]) {
        let found = lint(body.as_object().expect("an object"));
        let messages: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(messages, expected, "{body}");
    }

    #[test]
    fn a_key_like_a_known_one_is_reported() {
        check(
            &json!({"modl": "x", "messages": [{"role": "user", "contnt": "x"}], "temprature": 3,
                "options": {"num_ctxt": 1}, "tools": [{"nme": "x"}]}),
            &[
                "unknown key \"modl\"; did you mean \"model\"?",
                "unknown key \"temprature\"; did you mean \"temperature\"?",
                "unknown key \"num_ctxt\" in /options; did you mean \"num_ctx\"?",
                "message 1 (user): unknown key \"contnt\"; did you mean \"content\"?",
                "tool 1: unknown key \"nme\"; did you mean \"name\"?",
            ],
        );
        check(
            &json!({"contents": [{"rle": "user", "parts": [{"txt": "x"}]}],
                "generationConfig": {"maxOutputToken": 1, "top_p": 1}}),
            &[
                "unknown key \"rle\" in /contents/0; did you mean \"role\"?",
                "unknown key \"txt\" in /contents/0/parts/0; did you mean \"text\"?",
                "unknown key \"maxOutputToken\" in /generationConfig; did you mean \"maxOutputTokens\"?",
            ],
        );
    }

    #[test]
    fn a_key_of_a_server_is_no_mistake() {
        check(
            &json!({"messages": [], "my_servers_key": 1, "cache_salt": "x", "priority": 0}),
            &[],
        );
    }
}
