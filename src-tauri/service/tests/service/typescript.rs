//! The committed TypeScript must be what the wire types generate now.
//!
//! `PROMPTDECK_WRITE_TYPES=1 cargo test -p promptdeck-service --test service` regenerates it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use promptdeck_checks::{KINDS, SubjectKind, Tokenizers as _, ValueForm};
use promptdeck_core::hydrate::{ALIASES, SCALE_TEMPLATE, SLIDER_DEFAULT};
use promptdeck_core::output::GenerationConfig;
use promptdeck_core::registry::{
    BUILT_IN_ROUTE, LABEL_FIELDS, NAME_LISTS, NameFault, RESERVED_KEYS, WELL_KNOWN_SECTIONS, codes,
    name_fault, primary_field,
};
use promptdeck_service::checks::BuiltInTokenizers;
use promptdeck_service::wire;
use ts_rs::{Config, TS};

fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/lib/ipc/generated")
}

/// The files below a folder, by relative path.
fn files(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let relative = path.strip_prefix(root).expect("below the root").to_owned();
                found.insert(relative, fs::read_to_string(&path).expect("text"));
            }
        }
    }
    found
}

fn generate(out: &Path) {
    let config = Config::new().with_large_int("number").with_out_dir(out);
    macro_rules! export {
        ($($kind:ty),* $(,)?) => { $(<$kind>::export_all(&config).expect("exported");)* };
    }
    export!(
        wire::EditGroup,
        wire::StartupState,
        wire::CallChange,
        wire::CallEntry,
        wire::CallSaved,
        wire::PastedMessages,
        wire::NewRegistryOptions,
        wire::PromptFile,
        wire::PromptFileFormat,
        wire::PromptFileSource,
        wire::Change,
        wire::ChatForm,
        wire::ChatInspection,
        wire::ChatOpening,
        wire::ChatReport,
        wire::ChatSlot,
        wire::ChatTrial,
        wire::CheckAdded,
        wire::ChecksReport,
        wire::ChecksSaved,
        wire::Choice,
        wire::NewCheck,
        wire::OpenChecks,
        wire::Connections,
        wire::Comparison,
        wire::Event,
        wire::Exported,
        wire::DamagedSaved,
        wire::DamagedText,
        wire::Deleted,
        wire::Failure,
        wire::Moved,
        wire::NamePurpose,
        wire::Places,
        wire::RegistrySize,
        wire::Granularity,
        wire::EntrySplit,
        wire::InsertionEffect,
        wire::ModelJson,
        wire::NewRegistry,
        wire::Alternatives,
        wire::PromptEditRequest,
        wire::OpenCall,
        wire::OpenDocument,
        wire::EditImpact,
        wire::Impact,
        wire::ImpactParams,
        wire::SampleParams,
        wire::SampledRolls,
        wire::SnapshotImpact,
        wire::Profile,
        wire::ProfileParams,
        wire::ProfileProgress,
        wire::RollFilter,
        wire::RollList,
        wire::RunStarted,
        wire::RunDetail,
        wire::RequestParams,
        wire::RequestView,
        wire::RunHistory,
        wire::RunParams,
        wire::SaveReport,
        wire::Side,
        wire::Slot,
        wire::SnapshotPage,
        wire::SnapshotQuery,
        wire::SourceChange,
        wire::SourceView,
        wire::Talk,
        wire::CallMessage,
        wire::TalkMessage,
        wire::TalkParams,
        wire::TalkStarted,
        wire::TalkView,
        wire::Variant,
        wire::VariantCount,
        wire::Verdict,
        wire::LockedSlot,
        wire::View,
        wire::Workspace,
    );
    let mut names: Vec<String> = files(out)
        .into_keys()
        .filter(|path| path.components().count() == 1)
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    let mut index = String::from(
        "// Everything the service and the page say to each other. Generated, as all files here.\n",
    );
    for name in names {
        index.extend(["export type { ", &name, " } from './", &name, "';\n"]);
    }
    index.push_str("export type { JsonValue } from './serde_json/JsonValue';\n");
    fs::write(out.join("index.ts"), index).expect("written");
    let aliases: String = ALIASES
        .iter()
        .map(|(alias, section)| format!("  {alias}: '{section}',\n"))
        .collect();
    let separators = faulty_characters(|fault| matches!(fault, NameFault::Separator(_)));
    let white_space = faulty_characters(|fault| fault == NameFault::WhiteSpace);
    let sections = string_list(WELL_KNOWN_SECTIONS);
    let reserved = string_list(RESERVED_KEYS);
    let with_context = WELL_KNOWN_SECTIONS.into_iter();
    let with_context = with_context.filter(|section| primary_field(section) == "context");
    let with_context = string_list(with_context);
    let labels = string_list(LABEL_FIELDS);
    let name_lists = string_list(NAME_LISTS);
    let constants = format!(
        "// Bounds, defaults and names that the core sets. Generated, as all files here.\n\n\
         /** The most attempts one run makes, whatever `retries` says. */\n\
         export const MAX_ATTEMPTS = {};\n\n\
         /** The position of a slider that nothing sets. */\n\
         export const SLIDER_DEFAULT = {SLIDER_DEFAULT};\n\n\
         /** What a slider prints when the section has no `scale_template`. */\n\
         export const SCALE_TEMPLATE = '{SCALE_TEMPLATE}';\n\n\
         /** Names that stand for a section in the entries of an assembly order, and there only. */\n\
         export const ALIASES: Record<string, string> = {{\n{aliases}}};\n\n\
         /** The sections every registry may have, in canonical order. */\n\
         export const WELL_KNOWN_SECTIONS: readonly string[] = {sections};\n\n\
         /** Keys of a registry that are never sections. */\n\
         export const RESERVED_KEYS: readonly string[] = {reserved};\n\n\
         /** The name under which a call without a route is listed; no route should have it. */\n\
         export const BUILT_IN_ROUTE = '{BUILT_IN_ROUTE}';\n\n\
         /** Sections of which a bare entry prints `context`; of all others it prints `text`. */\n\
         export const CONTEXT_SECTIONS: readonly string[] = {with_context};\n\n\
         /** Fields whose text names the item or its emotion. */\n\
         export const LABEL_FIELDS: readonly string[] = {labels};\n\n\
         /** Fields that list names: of sections, variables or items. */\n\
         export const NAME_LISTS: readonly string[] = {name_lists};\n\n\
         /** Characters that no name of a section, item or field has: they separate the parts of an \
         entry. */\n\
         export const NAME_SEPARATORS = '{separators}';\n\n\
         /** White space, which no such name has. */\n\
         export const NAME_WHITE_SPACE = '{white_space}';\n",
        GenerationConfig::MAX_ATTEMPTS
    );
    fs::write(out.join("constants.ts"), constants).expect("written");
    fs::write(out.join("check-kinds.ts"), check_kinds()).expect("written");
}

/// What a form for checks offers.
fn check_kinds() -> String {
    let subjects = |subject| match subject {
        SubjectKind::Prompt => "prompt",
        SubjectKind::Rolls => "rolls",
        SubjectKind::Answer => "answer",
    };
    let form = |form| match form {
        ValueForm::Text => "text",
        ValueForm::Pattern => "pattern",
        ValueForm::Golden => "golden",
        ValueForm::Target => "target",
        ValueForm::Characters => "characters",
        ValueForm::Tokens => "tokens",
        ValueForm::Share => "share",
        ValueForm::Problems => "problems",
        ValueForm::Flag => "flag",
        ValueForm::Reason => "reason",
    };
    let kinds: String = KINDS
        .iter()
        .map(|kind| {
            let accepted = SubjectKind::ALL
                .into_iter()
                .filter(|subject| kind.accepts(*subject));
            let accepted: Vec<String> = accepted
                .map(|subject| format!("'{}'", subjects(subject)))
                .collect();
            format!(
                "  {{ key: '{}', form: '{}', of: [{}] }},\n",
                kind.key,
                form(kind.value),
                accepted.join(", ")
            )
        })
        .collect();
    let mut forms: Vec<String> = Vec::new();
    for kind in KINDS {
        let form = format!("  | '{}'", form(kind.value));
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    let tokenizers = BuiltInTokenizers::default().names();
    let tokenizers = string_list(tokenizers.iter().map(String::as_str));
    let problems = string_list(codes::ALL.iter().map(|code| code.as_str()));
    format!(
        "// What a form for checks offers. Generated, as all files here.\n\n\
         /** What a check holds: the prompt of one roll, the prompts of several, or an answer. */\n\
         export type CheckSubject = 'prompt' | 'rolls' | 'answer';\n\n\
         /** The form of an expectation's value. */\n\
         export type ValueForm =\n{};\n\n\
         export interface ExpectationKind {{\n  key: string;\n  form: ValueForm;\n  \
         /** The checks that accept it. */\n  of: readonly CheckSubject[];\n}}\n\n\
         /** The kinds of expectations, in the order of lists. */\n\
         export const EXPECTATION_KINDS: readonly ExpectationKind[] = [\n{kinds}];\n\n\
         /** The tokenizers that a check can name. */\n\
         export const CHECK_TOKENIZERS: readonly string[] = {tokenizers};\n\n\
         /** The codes of problems that a check can allow. */\n\
         export const PROBLEM_CODES: readonly string[] = {problems};\n",
        forms.join("\n")
    )
}

/// Texts as a list in TypeScript, one a line.
fn string_list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let lines: String = texts
        .into_iter()
        .map(|text| format!("  '{text}',\n"))
        .collect();
    format!("[\n{lines}]")
}

/// The characters for which the core refuses a name, as a part of a string literal.
fn faulty_characters(is_meant: impl Fn(NameFault) -> bool) -> String {
    let mut buffer = [0; 4];
    ('\0'..=char::MAX)
        .filter(|character| name_fault(character.encode_utf8(&mut buffer)).is_some_and(&is_meant))
        .map(|character| match character {
            '!'..='~' => character.to_string(),
            _ => character.escape_unicode().to_string(),
        })
        .collect()
}

#[test]
fn committed_types_are_current() {
    let folder = tempfile::tempdir().expect("temporary folder");
    generate(folder.path());
    let fresh = files(folder.path());
    if std::env::var_os("PROMPTDECK_WRITE_TYPES").is_some() {
        let _ = fs::remove_dir_all(committed());
        for (path, text) in &fresh {
            let target = committed().join(path);
            fs::create_dir_all(target.parent().expect("a folder")).expect("made");
            fs::write(target, text).expect("written");
        }
    }
    let old = files(&committed());
    let stale: Vec<_> = fresh
        .keys()
        .chain(old.keys())
        .filter(|path| fresh.get(*path) != old.get(*path))
        .collect();
    assert!(
        stale.is_empty(),
        "stale: {stale:?}\nregenerate them: PROMPTDECK_WRITE_TYPES=1 cargo test -p promptdeck-service --test service"
    );
}
