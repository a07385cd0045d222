//! The names in a diagnostic's message are in its data too, for every code.

use std::collections::BTreeSet;
use std::time::Duration;

use promptdeck_chat::answer::{Answerer, RenderQuestion};
use promptdeck_chat::polyfill::Step;
use promptdeck_chat::timestamp::Moment;
use promptdeck_core::hydrate::{Call, Engine, Part, Seed, Segment, Source, State};
use promptdeck_core::registry::{self, DataKey, DataValue, Diagnostic, DiagnosticData, ParseCode};
use promptdeck_core::{import, lint, registry::codes};
use promptdeck_jinja as jinja;
use promptdeck_request::build::{self, BuildContext, Target};
use promptdeck_request::call::Call as CallDocument;
use promptdeck_request::layers::{self, Session};
use promptdeck_request::pipeline::StageClock;
use promptdeck_request::prompt::Prompt;
use promptdeck_request::template::TemplateError;
use promptdeck_request::tools::ToolFormat;
use promptdeck_request::{arguments, call_keys, codes as request_codes, target};
use serde_json::{Value, json};

/// Names that the documents of these tests invent hold this.
const MARK: &str = "zz";

/// Numbers that are part of a sentence whatever it is about.
const FIXED: [&str; 8] = ["0", "1", "2", "6", "7", "8", "22", "64"];

/// Whether a number of data is a position, counted from 0.
fn is_position(key: DataKey) -> bool {
    use DataKey::{Entry, Fragment, ItemIndex, LastTurn, OtherIndex, Turn};
    matches!(
        key,
        Entry | Fragment | ItemIndex | LastTurn | OtherIndex | Turn
    )
}

/// The texts and the numbers of some data, as a sentence names them.
fn values(data: &DiagnosticData) -> (Vec<String>, Vec<String>) {
    let (mut texts, mut numbers) = (Vec::new(), Vec::new());
    for (key, value) in data.iter() {
        match value {
            DataValue::Text(text) => texts.push(text.clone()),
            DataValue::Texts(several) => texts.extend(several.iter().cloned()),
            // Sentences count from 1.
            DataValue::Number(number) if is_position(key) => {
                numbers.push((number.as_u64().expect("a position") + 1).to_string());
            }
            DataValue::Number(number) => numbers.push(number.to_string()),
        }
    }
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    (texts, numbers)
}

/// What a sentence names that its data do not hold.
fn unnamed(message: &str, data: &DiagnosticData) -> Option<String> {
    let (texts, numbers) = values(data);
    let mut rest = message.to_owned();
    for text in &texts {
        for quoted in [
            format!("{text:?}"),
            format!("\"{text}\""),
            format!("'{text}'"),
            format!("{{{text}}}"),
            format!("{{{text}"),
        ] {
            rest = rest.replace(&quoted, " ");
        }
        // A cause or the start of a value, quoted whole with the quotes in it.
        if text.contains(['"', '{', '}']) {
            rest = rest.replace(text, " ");
        }
    }
    if let Some(at) = rest.find(['"', '{', '}']) {
        return Some(rest[at..].to_owned());
    }
    let in_word = |next: char| next == '_' || next.is_alphanumeric();
    let words = rest.split(|next| !in_word(next));
    let named = |word: &&str| {
        let holds = |text: &String| text.split(|next| !in_word(next)).any(|part| part == *word);
        texts.iter().any(holds) || numbers.iter().any(|number| number == word)
    };
    let mut marked = words.filter(|word| {
        let number = !word.is_empty() && word.chars().all(|next| next.is_ascii_digit());
        word.contains(MARK) || (number && !FIXED.contains(word))
    });
    marked.find(|word| !named(word)).map(str::to_owned)
}

#[test]
fn the_check_finds_what_data_lack() {
    let data = DiagnosticData::of(DataKey::Name, "zza").with(DataKey::Count, 12);
    for (message, expected) in [
        ("{zza} 12 times", None),
        ("\"zza\" of zza", None),
        ("\"zza\" of \"b\"", Some("\"b\"")),
        ("{b}", Some("{b}")),
        ("zza of zzb", Some("zzb")),
        ("zza 13 times", Some("13")),
    ] {
        assert_eq!(unnamed(message, &data).as_deref(), expected, "{message}");
    }
}

/// Everything that is found in a registry and one call of it.
fn findings(registry: &Value, state: &Value, seed: u64) -> Vec<Diagnostic> {
    let parsed = registry::parse(registry.to_string().as_bytes()).expect("a registry");
    let mut found = lint::unknown_keys(&parsed.document);
    let engine = Engine::new(parsed.registry);
    let state: State = serde_json::from_value(state.clone()).expect("a state");
    let call = Call {
        state: &state,
        route: None,
        seed: Seed::new(seed).expect("a seed"),
    };
    found.extend(lint::lint(&engine, &call));
    found.extend(lint::summary(&engine, &call));
    found.extend(lint::unset(&engine, &call));
    let prompt = engine.hydrate(&call);
    found.extend(prompt.into_iter().flat_map(|prompt| prompt.diagnostics));
    found
}

/// A registry with one section beside these members.
fn with(members: Value) -> Value {
    let mut registry = json!({
        "assembly_order": ["zzbase"],
        "zzbase": {"required": true, "items": [{"id": "zza", "text": "A."}]},
    });
    for (key, value) in members.as_object().expect("members") {
        registry[key] = value.clone();
    }
    registry
}

/// Registries and states with a fault of each kind.
fn documents() -> Vec<(Value, Value)> {
    let order = |token: &str| json!(["zzbase", token]);
    let registries = [
        json!({"assembly_order": order("zznope.zzx"), "zznop": {"required": false, "items": []}}),
        json!({"assembly_order": order(".zzx")}),
        json!({"assembly_order": order(&format!("{}zzb{}", "zza[".repeat(17), "]".repeat(17)))}),
        json!({"assembly_order": order("zzbase[zza")}),
        json!({"assembly_order": order("zzbase.zztext"),
            "routes": {"zzroute": {"assembly_order": order("zzbase.zztext")}}}),
        json!({"assembly_order": order("zzpool"),
            "zzpool": {"required": false, "items": [{"id": "zzp", "items": ["x"]}]}}),
        json!({"assembly_order": order("zzkeys[zzbase]"),
            "zzkeys": {"required": false, "items": [{"id": "zzk", "text": "K."}]}}),
        json!({"assembly_order": order("zzfrag.zztone"), "zzfrag": {"required": true, "items": [
            {"id": "zzf", "text": "zzfull", "zztone": "x", "items": ["zzpool"],
                "fragments": [{"if_var": "zzvar", "text": "F."}]}]}}),
        json!({"assembly_order": order("zzfrag"), "zzfrag": {"required": true, "items": [
            {"id": "zzf", "text": "zzfull", "items": ["zzpool"], "fragments": [{"text": "F."}]},
            {"text": "zzfull", "items": ["zzpool"], "fragments": [{"text": "F."}]}]}}),
        json!({"zzlost": {"required": false, "items": []}}),
        json!({"zzbase": {"required": true, "template_vars": ["zzname", "zzgap"], "items": [
            {"id": "zza", "text": "{zznam} {zzunknown} {zzname {zzgap}", "runtime_variables": ["zzgap"]},
            {"text": "{zzunknown} {zzunknown}"}]}}),
        json!({"zzbase": {"required": true, "template_vars": ["zzunused"], "items": [{"text": "A."}]}}),
        json!({"zzbase": {"required": true, "template_vars": ["zzname"],
            "template_var_defaults": {"zzname": "{zzname}"}, "items": [{"text": "A {zzname}."}]}}),
        json!({"zzbase": {"required": true, "template_vars": ["zzname"],
            "template_var_defaults": {"zznme": "x"}, "items": [{"text": "A {zzname}."}]}}),
        json!({"zz base": {"required": false, "items": [{"id": "zz.a", "zz[b": "x"}, {"name": "zz c"}]}}),
        json!({"zzbase": {"required": true, "items": [{"id": "zza", "text": "A."}, {"id": "zza", "text": "B."},
            {"text": "C."}]}}),
        json!({"zzbase": {"required": true, "items": []}}),
        json!({"zzbase": {"required": true, "selected": ["zzb", "zza", "zzfar"], "slider": 77,
            "array_modes": {"zzlist": "zzmode", "zznone": "index:38", "zzmore": "index:39"},
            "items": [{"id": "zza", "text": "A.", "zzlist": ["x"],
                "zzmore": [1e55, null, true, ["x"], {"a": 1}, "x"]}]}}),
        json!({"runtime_injections": {"required": true, "template_vars": [], "items": [
            {"id": "zzi", "text": "I.", "include_sections": ["persona", "zzbas", "zznobody"]}]},
            "personas": {"required": true, "items": [{"id": "zzp", "context": "P."}]}}),
        json!({"zzbase": {"required": true, "items": [{"id": "zza", "text": "A.", "pre_context:": "zz",
            "fragments": [{"var": "zzv", "text": "x"}]}]}}),
        json!({"zzkey": 1, "version_": 22, "zzhidden": {"itmes": []},
            "zzbase": {"requird": true, "items": [{"id": "zza", "fragments": [{"txt": "x"}]}]},
            "routes": {"default": {}, "zzroute": {"zzkey": 1, "generatio": {}}}}),
        json!({"zzother": {"required": true, "items": [{"id": "zzx", "text": "x"}, {"id": "zzy", "text": "y",
                "excludes": ["zzbase"]}]},
            "zzbase": {"required": true, "section_random": true, "items": [
                {"id": "zza", "text": "A.", "requires": ["zznope.zzb"], "excludes": ["zznope"]},
                {"id": "zzb", "text": "A.", "requires": ["zzother.zzx"], "excludes": ["zzother.zzx"]},
                {"id": "zzc", "text": "A.", "requires": ["zzother.zzx", "zzother.zzy"]},
                {"text": "A.", "requires": ["zzother.zzy"]}]},
            "assembly_order": ["zzbase", "zzother"]}),
        json!({"zzother": {"required": true, "items": [{"id": "zzx", "text": "x"}]},
            "zzbase": {"required": true, "section_random": true, "items": [
                {"id": "zza", "text": "A.", "excludes": ["zzother"]}]},
            "assembly_order": ["zzother", "zzbase"]}),
        json!({"zzbase": {"required": true, "items": [{"id": "zza", "text": "A.", "weight": "zzheavy"},
            {"id": "zzb", "text": "A.", "weight": -77}, {"text": "A.", "weight": 5}]}}),
        json!({"zzbase": {"required": true, "items": [{"id": "zza", "text": "A.", "weight": 0}]}}),
        json!({"zzbase": {"required": true, "items": [{"id": "zza", "text": "A.\u{7}\u{202e}\u{202e}"}],
            "template_vars": ["zzname"], "template_var_defaults": {"zzname": "\u{200b}"}}}),
        json!({"zzbase": {"required": true, "scale_template": "{value} {zzvalu}",
            "items": [{"id": "zza", "text": "A."}]}}),
        json!({"zzbase": {"required": true, "template_vars": ["zzv"],
            "template_var_defaults": {"zzv": "v".repeat(10_000)},
            "items": [{"id": "zza", "text": "{zzv}".repeat(7000)}]}}),
        json!({"template_engine": "zzjinja"}),
        json!({"template_engine": "jnja"}),
        json!({"generation": {"retries": 77, "temprature": 1, "top_k": "zzmany"},
            "output_policy": {"min_length": 88, "max_length": 77, "forbidden_patterns": ["zz("]}}),
        json!({"zzdice": {"required": true, "section_random": true, "items": [{"id": "zzd", "text": "x"},
                {"id": "zze", "text": "y"}]},
            "zzlong": {"required": true, "items": [{"id": "zzl", "text": "long ".repeat(200)}]},
            "assembly_order": ["zzdice", "zzlong", "zzbase"]}),
        json!({"zzmany": {"required": false, "items": vec![json!({"text": "x"}); 133]}}),
    ];
    let mut documents: Vec<(Value, Value)> = registries
        .into_iter()
        .map(|registry| (with(registry), json!({})))
        .collect();
    let called = with(
        json!({"zzbase": {"required": true, "template_vars": ["zzname"], "items": [
        {"id": "zza", "text": "A.", "zzlist": ["x"]}, {"id": "zzb", "text": "{zzname}"}]},
        "assembly_order": ["zzbase.zzlist"]}),
    );
    let states = [
        json!({"selections": {"zzbas": "zza"}}),
        json!({"selections": {"zzbase": "zzq"}}),
        json!({"selections": {"zzbase": ["zza", "zzb"]}}),
        json!({"selections": {"zzbase": []}}),
        json!({"array_modes": {"zzbase": {"zzlis": "all", "zzlist": "zzmode"}}}),
        json!({"array_modes": {"zzbase": {"zzlist": "indices:0,38"}}}),
        json!({"sliders": {"zzbase": 77.5}}),
        json!({"sliders": {"zzbase": 2.5}}),
        json!({"template_vars": {"zzname": "x", "zzbas::zzname": "x", "zzbase::zznam": "x"}}),
    ];
    documents.extend(states.into_iter().map(|state| (called.clone(), state)));
    documents
}

/// The diagnostics of a session's layered request.
fn layered(session: &Value) -> Vec<Diagnostic> {
    let mut document = json!({
        "model": "zzmodel", "now": "2026-01-15T10:30:00Z", "turns": [], "current_task": {"instruction": "zzdo"},
    });
    for (key, value) in session.as_object().expect("members") {
        document[key] = value.clone();
    }
    let session = Session::read(document.as_object().expect("an object")).expect("a session");
    layers::build(&session, &|text: &str| text.chars().count()).diagnostics
}

/// The diagnostics of a call for Gemini and for `OpenAI`.
fn of_call() -> Vec<Diagnostic> {
    let image = json!([{"type": "text", "text": "Hi"}, {"type": "zzimage"}]);
    let made = json!([{"id": "1", "function": {"name": "zzread", "arguments": "{\"zz\":1"}}]);
    let calls = json!({"role": "assistant", "content": "", "tool_calls": made});
    let answer = json!({"role": "tool", "tool_call_id": "1", "content": "x"});
    let context = BuildContext {
        turn: &[],
        now: Moment::parse("2026-01-15T10:30:00Z").expect("a moment"),
        seed: Seed::default(),
        clock: &Still,
        counter: &|text: &str| text.len(),
    };
    let engine = Engine::new(registry::Registry::default());
    let built = |history: Value, target: Target<'_>| {
        let document = json!({"history": history});
        let call =
            CallDocument::from_map(document.as_object().expect("an object")).expect("a call");
        let built = build::build(&call, &engine, target, &context).expect("a request");
        built.request.diagnostics
    };
    let mut found = built(json!([{"role": "user", "content": image}]), Target::Gemini);
    found.extend(built(json!([calls, answer]), Target::OpenAi));
    let of_anthropic = json!({"name": "zztool", "input_schema": {}, "zzkey": 1});
    let refused = json!({"name": "zz two", "parameters": {"type": "zztype"}});
    let tools =
        json!([of_anthropic, "zz", {"type": "zzsearch"}, {"name": "zzother"}, refused, refused]);
    let nameless =
        json!([{"id": "1"}, {"id": "2", "function": {"name": "zznope", "arguments": "[77]"}}]);
    let document =
        json!({"tools": tools, "history": [{"role": "assistant", "tool_calls": nameless}]});
    let call = CallDocument::from_map(document.as_object().expect("an object")).expect("a call");
    found.extend(target::lint(&call, ToolFormat::Gemini));
    let known = json!({"tools": [{"name": "zzother"}], "history": document["history"]});
    let call = CallDocument::from_map(known.as_object().expect("an object")).expect("a call");
    found.extend(target::lint(&call, ToolFormat::OpenAi));
    let odd = json!({"role": "user", "contnt": "Hi", "zzkey": 1});
    let document = json!({
        "history": [odd, odd, {"role": "user"}, {"role": "user"}, {"role": "user", "content": [{"type": "imge"}]}],
        "tools": [{"name": "zzf", "descripton": "x", "zzkey": 1}],
        "message": {"txt": "Hi"},
        "assistant": {"zzmood": "calm"},
        "zzdocument": 1,
        "texts": 1,
        "layers": {"turns": [{"type": "user_task", "instructon": "zz"}, {"type": "user_task"}]},
    });
    let document = document.as_object().expect("an object");
    let call = CallDocument::from_map(document).expect("a call");
    found.extend(target::lint(&call, ToolFormat::OpenAi));
    found.extend(call_keys::of_document(document));
    let extra = json!({"zzmood": 1, "tools": [], "zzpersna": 1, "polyfil": true});
    let questions = [
        RenderQuestion {
            template: Some("{% for m in mesages %}{{ m.tool_cals }}{% endfor %}".to_owned()),
            messages: vec![odd],
            ..RenderQuestion::default()
        },
        RenderQuestion {
            template: Some("{# zz #}".to_owned()),
            ..RenderQuestion::default()
        },
        RenderQuestion {
            template: Some("{{ zzpersona }}{{ zzpersonas }}".to_owned()),
            extra: extra.as_object().cloned(),
            ..RenderQuestion::default()
        },
    ];
    for question in questions {
        let mut answerer = Answerer::default();
        let names = answerer.unmatched_names(&question);
        let rendered = answerer.render(question, jinja::Moment::default(), &|now, _| now);
        found.extend(call_keys::of_conversation(
            &rendered.expect("a text"),
            &names,
        ));
        found.extend(call_keys::of_names(&names));
    }
    found
}

struct Still;

impl StageClock for Still {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn of_requests() -> Vec<Diagnostic> {
    let task = json!({"type": "user_task", "instruction": "zzdig"});
    let call = json!({"type": "function_calling", "response": "zzread(plan)"});
    let answer = json!({"type": "tool_response", "name": "zzread", "response": {"status": "ok"}});
    let model_turn =
        |raw: Value| json!({"type": "model_response", "content": "Yes.", "raw_response": raw});
    let unreadable = json!([{"candidates": [{"content": {"parts": [
        {"text": "Yes.", "thought_signature": "?!"}], "role": "model"}}]}]);
    let sessions = [
        json!({"templates": {"static.j2": "{{ zz", "dynamic.j2": "{{ zz"}}),
        json!({"constraints": 77}),
        json!({"current_task": {}, "turns": [model_turn(json!(null))]}),
        json!({"turns": [task, call, answer]}),
        json!({"turns": [task, answer]}),
        json!({"turns": [model_turn(unreadable.clone()), task, model_turn(unreadable)]}),
        json!({"cache": {"name": "zzcache", "model": "zzold", "content_hash": "x", "expires": "2026-01-15T10:30:01Z"}}),
        json!({"usage": {"cached_tokens": 88, "prompt_tokens": 77}, "cache_threshold": 10}),
        json!({"turns": [task, call, answer, task, answer], "cache_threshold": 3,
            "usage": {"cached_tokens": 0, "prompt_tokens": 7777}}),
        json!({"generation": {"retries": 3, "zzkey": 1}}),
    ];
    let mut found: Vec<Diagnostic> = sessions.iter().flat_map(layered).collect();
    let args = json!({"system": "zz"});
    let now = Moment::parse("2026-01-15T10:30:00Z").expect("a moment");
    let sources = arguments::Sources {
        args: args.as_object(),
        ..arguments::Sources::at(now)
    };
    found.extend(arguments::build(&sources).expect("arguments").diagnostics);
    found.push(target::changed_for_chat_template(Step::FlattenContent));
    found.extend(of_call());
    let error = TemplateError {
        kind: "undefined",
        line: None,
        column: None,
        message: "\"zzx\" is undefined".to_owned(),
        offset: None,
        argument: None,
    };
    found.push(error.diagnostic("/template_engine".to_owned()));
    let segment = Segment {
        text: "{% if zzadmin %}x{% endif %}".to_owned(),
        source: None,
        origin: None,
    };
    found.extend(Prompt::unset(&[segment], &serde_json::Map::new()));
    let source = Source {
        token: None,
        section: "zzsection".into(),
        item: 0,
        id: None,
        field: "text".into(),
        part: Part::Text,
        entry: None,
        fragment: None,
        variable: None,
    };
    let segment = Segment {
        text: "{{ zzuser.name }}{% for x in zzlist %}{% endfor %}{% for x in zztext %}{% endfor %}"
            .to_owned(),
        source: Some(source),
        origin: None,
    };
    let context = serde_json::Map::from_iter([("zztext".to_owned(), json!("zz"))]);
    found.extend(Prompt::rendered(&[segment], &[], &context).warnings());
    found
}

#[test]
fn the_data_of_every_code_hold_what_its_sentence_names() {
    let mut found = of_requests();
    for (registry, state) in documents() {
        found.extend((0..4).flat_map(|seed| findings(&registry, &state, seed)));
    }
    let faults: BTreeSet<String> = found
        .iter()
        .filter_map(|found| {
            let missing = unnamed(&found.message, &found.data)?;
            let (code, message, data) = (found.code, &found.message, &found.data);
            Some(format!("{code} lacks {missing:?}: {message}\n{data:?}"))
        })
        .collect();
    assert!(faults.is_empty(), "{faults:#?}");
    let seen: BTreeSet<_> = found.iter().map(|diagnostic| diagnostic.code).collect();
    let all: BTreeSet<_> = codes::ALL
        .iter()
        .chain(request_codes::ALL)
        .copied()
        .collect();
    let untested: Vec<_> = all.difference(&seen).map(|code| code.as_str()).collect();
    assert!(untested.is_empty(), "no document has {untested:?}");
}

#[test]
fn the_data_of_every_rejected_file_hold_what_its_sentence_names() {
    let texts: [&[u8]; 12] = [
        b"{\"zz\": ?}",
        b"{\"zz\": \xff}",
        br#"{"zz": "\ud800"}"#,
        br#"{"zz": 1, "zz": 2}"#,
        br#"{"version": 77}"#,
        br#"{"version": 2}"#,
        br#"{"version": "zz"}"#,
        br#"{"assembly_order": [1]}"#,
        br#"{"zz": {"items": [{"fragments": ["x"]}]}}"#,
        br#"{"registry": 1}"#,
        b"[]",
        b"\"zz\"",
    ];
    let mut texts: Vec<Vec<u8>> = texts.into_iter().map(<[u8]>::to_vec).collect();
    texts.push(["{\"zz\":".repeat(200), "}".repeat(200)].concat().into());
    texts.push(format!("{{\"zz\":[{}1]}}", "1,".repeat(registry::MAX_VALUES)).into());
    // Any object is a registry, unless it is to be imported as one.
    let imported = import::import(br#"{"mesages": []}"#).expect_err("a rejected file");
    let parsed = texts
        .iter()
        .map(|text| registry::parse(text).expect_err("a rejected file"));
    let mut seen = Vec::new();
    for error in parsed.chain([imported]) {
        let missing = unnamed(&error.message, &error.data);
        assert_eq!(missing, None, "{}\n{:?}", error.message, error.data);
        seen.push(error.code);
    }
    for code in ParseCode::ALL {
        assert!(seen.contains(code), "no file has {}", code.as_str());
    }
}
