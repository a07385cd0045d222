//! Every command of the window, called once with arguments that make it return soon.

use std::collections::BTreeMap;
use std::path::Path;

use promptdeck_service::command::Command;
use promptdeck_service::wire::{
    ChatForm, ChatSetup, ChatSlot, ChatTemplate, ConnectionEntry, EditGroup, Granularity,
    ImpactParams, NamePurpose, NewCheck, NewRegistry, ProfileParams, PromptEdit, PromptEditRequest,
    PromptFileFormat, PromptFileSource, RequestParams, RequestTarget, RollFilter, RunParams,
    SampleMode, SampleParams, Settings, Side, SnapshotQuery, SourceChange, TalkParams, View,
};
use promptdeck_service::{CancellationToken, ServiceError, Studio};

use super::window::DECK;

const CHECKS: &str = "deck.checks.json";
const CALL: &str = "calls/deck.json";

/// A connection that does not exist.
const NOBODY: &str = "nobody";

fn nothing() -> EditGroup {
    EditGroup {
        base: 0,
        edits: Vec::new(),
        label: String::new(),
        burst: None,
    }
}

fn sample() -> ProfileParams {
    ProfileParams {
        seed: 1,
        rolls: 64,
        budget: None,
        pair: None,
    }
}

fn shuffled() -> SampleParams {
    SampleParams {
        mode: SampleMode::Shuffle,
        seed: 1,
        from: 0,
        rolls: 3,
    }
}

fn deck() -> PromptFileSource {
    PromptFileSource::Document {
        document: DECK.into(),
        call: Some(CALL.into()),
    }
}

fn nameless() -> ConnectionEntry {
    ConnectionEntry {
        name: String::new(),
        kind: "ollama".into(),
        base_url: String::new(),
        model: String::new(),
        template: String::new(),
        keyed: false,
        variable: String::new(),
        in_environment: false,
    }
}

fn talk() -> TalkParams {
    TalkParams {
        call: None,
        target: RequestTarget::Openai,
        family: None,
        connection: Some(NOBODY.into()),
        leaf: None,
        beside: None,
    }
}

/// Runs a command. An error counts as a response.
pub fn ask(
    command: Command,
    studio: &Studio,
    cancel: &CancellationToken,
    elsewhere: &Path,
) -> Result<(), ServiceError> {
    let setup = ChatSetup::default();
    let family = ChatTemplate::Family {
        family: "QWEN_3_X".into(),
    };
    match command {
        // Handled by the window itself, not by a method of the studio.
        Command::Applied | Command::Copy => Ok(()),
        Command::Apply => studio.apply(DECK, &nothing()).map(drop),
        Command::Close => {
            studio.close("closed.json");
            Ok(())
        }
        Command::EditPrompt => {
            let edit = PromptEdit::Join { segment: 0 };
            let label = String::new();
            let request = PromptEditRequest {
                base: 0,
                edit,
                label,
                pasted: false,
                written: None,
                moved: None,
            };
            studio.edit_prompt(DECK, &request).map(drop)
        }
        Command::RenameVariable => {
            let renamed = studio.rename_variable(DECK, 0, "base_context", 0, "place");
            renamed.map(drop)
        }
        Command::Lock => studio.lock(DECK, None).map(drop),
        Command::LockSeed => studio.lock_seed(DECK, false).map(drop),
        Command::Open => studio.open_document(DECK).map(drop),
        Command::Redo => studio.redo(DECK).map(drop),
        Command::Resolve => studio.resolve(DECK, &BTreeMap::new()).map(drop),
        Command::Revert => studio.revert(DECK).map(drop),
        Command::Roll => studio.roll(DECK).map(drop),
        Command::Save => studio.save(DECK).map(drop),
        Command::Undo => studio.undo(DECK).map(drop),
        Command::UseLastSeed => studio.use_last_seed(DECK).map(drop),
        Command::UseSeed => studio.use_seed(DECK, 7).map(drop),
        Command::Alternatives => studio.alternatives(DECK, 0).map(drop),
        Command::LookUps => studio.look_ups(DECK, "base_context[").map(drop),
        Command::ModelJson => studio.model_json(DECK).map(drop),
        Command::SectionIndex => {
            let rules = serde_json::json!({"items": []});
            studio.section_index(DECK, "rules", &rules).map(drop)
        }
        Command::EntrySplits => {
            let personas = serde_json::json!({"items": []});
            studio
                .entry_splits(DECK, "personas", &personas, 0)
                .map(drop)
        }
        Command::EditImpact => studio.edit_impact(DECK, 1, None, cancel).map(drop),
        Command::MeasureImpact => {
            let params = ImpactParams {
                before: Side::Saved,
                after: Side::Now,
                seed: 1,
                rolls: 64,
                budget: None,
            };
            studio.measure_impact(DECK, &params, cancel).map(drop)
        }
        Command::ImpactProgress => {
            let _ = studio.impact_progress();
            Ok(())
        }
        Command::StopImpact => {
            studio.stop_impact();
            Ok(())
        }
        Command::CompareRoll => {
            let roll = studio.compare_roll(DECK, &Side::Saved, &Side::Now, 1);
            roll.map(drop)
        }
        Command::SnapshotImpact => studio.snapshot_impact(DECK, cancel).map(drop),
        Command::SampleRolls => studio.sample_rolls(DECK, &shuffled(), cancel).map(drop),
        Command::UseSampled => studio.use_sampled(DECK, &shuffled()).map(drop),
        Command::MeasureProfile => studio.measure_profile(DECK, &sample(), cancel).map(drop),
        Command::ProfileProgress => {
            let _ = studio.profile_progress();
            Ok(())
        }
        Command::ProfileRolls => {
            let all = RollFilter::Prints { rows: Vec::new() };
            let rolls = studio.profile_rolls(DECK, &sample(), &all, 0, cancel);
            rolls.map(drop)
        }
        Command::StopProfile => {
            studio.stop_profile();
            Ok(())
        }
        Command::RollVariants => studio.roll_variants(DECK, 1, 3, cancel).map(drop),
        Command::TryInsertion => studio
            .try_insertion(DECK, "personas.context", 0, cancel)
            .map(drop),
        Command::TryPolicy => studio.try_policy(DECK, "words", cancel).map(drop),
        Command::VariantCount => studio.variant_count(DECK, cancel).map(drop),
        Command::DuplicateRegistry => studio.duplicate_registry("absent.json").map(drop),
        Command::ChooseFolder => studio.choose_folder(&elsewhere.join("absent")).map(drop),
        Command::DeleteRegistry => studio.delete_registry("absent.json").map(drop),
        Command::ForgetFolder => {
            studio.forget_folder("absent");
            Ok(())
        }
        Command::MoveRegistry => studio.move_registry("absent.json", "").map(drop),
        Command::OpenDamaged => studio.open_damaged("bad.json").map(drop),
        Command::KeepDamaged => {
            let result = studio.keep_damaged("bad.json", "{".into(), String::new());
            result.map(drop)
        }
        Command::SaveDamaged => studio
            .save_damaged("absent.json", "{", "other", false)
            .map(drop),
        Command::NewFolder => studio.new_folder("calls").map(drop),
        Command::RenameFolder => studio.rename_folder("none", "other").map(drop),
        Command::DuplicateFolder => studio.duplicate_folder("none").map(drop),
        Command::DeleteFolder => studio.delete_folder("none").map(drop),
        Command::DiscardFolder => studio.discard_folder("none"),
        Command::OpenFolder => studio.open_folder("absent", None).map(drop),
        Command::Places => {
            let _ = studio.places();
            Ok(())
        }
        Command::RegistrySizes => studio.registry_sizes(&[DECK.to_owned()], cancel).map(drop),
        Command::CheckName => studio.check_name(&NamePurpose::NewFolder, "New").map(drop),
        Command::RenameRegistry => studio.rename_registry("absent.json", "New", None).map(drop),
        Command::RestoreRegistry => studio.restore_registry(1_000_000).map(drop),
        Command::Reveal => studio.path_of(DECK).map(drop),
        Command::NewRegistryOptions => studio.new_registry_options().map(drop),
        Command::ChangeSource => studio
            .change_source(0, &SourceChange::Trim { split: None })
            .map(drop),
        Command::ChooseWildcards => studio.use_wildcards(0, &elsewhere.join("absent")).map(drop),
        Command::ForgetSource => {
            studio.forget_source(0);
            Ok(())
        }
        Command::NewRegistry => studio
            .new_registry(&NewRegistry::Blank, "", "New")
            .map(drop),
        Command::ReadSource => studio.read_source("bad.json", b"{".to_vec()).map(drop),
        Command::SaveSettings => studio.save_settings(&Settings::default()),
        Command::SaveView => studio.save_view(DECK, &View::default()),
        Command::Start => {
            let _ = studio.begin();
            Ok(())
        }
        Command::Started => {
            let _ = studio.started();
            Ok(())
        }
        Command::View => studio.view(DECK).map(drop),
        Command::Workspace => {
            let _ = studio.workspace();
            Ok(())
        }
        Command::DeleteSnapshot => studio.delete_snapshot(1_000_000),
        Command::DescribeSnapshot => studio.describe_snapshot(1, "One", "").map(drop),
        Command::DuplicateSnapshot => studio.duplicate_snapshot(1).map(drop),
        Command::PinSnapshot => studio.pin_snapshot(1, None).map(drop),
        Command::Snapshots => studio.snapshots(&SnapshotQuery::default()).map(drop),
        Command::SwitchSnapshot => studio.switch_snapshot(DECK, 1).map(drop),
        Command::TakeSnapshot => studio.take_snapshot(DECK, Some("Taken")).map(drop),
        Command::UndeleteSnapshot => studio.undelete_snapshot(1_000_000).map(drop),
        Command::Compare => {
            let sides = (&Side::Now, &Side::Now);
            let compared = studio.compare(DECK, sides.0, sides.1, Granularity::Words);
            compared.map(drop)
        }
        Command::ExportFile => studio
            .export_to(DECK, &elsewhere.join("deck.model.json"))
            .map(drop),
        Command::ExportPromptFile => {
            let (source, path) = (deck(), elsewhere.join("deck.prompt"));
            let exported =
                studio.export_prompt_file_to(&source, PromptFileFormat::Dotprompt, &path);
            exported.map(drop)
        }
        Command::PromptFile => studio
            .prompt_file(&deck(), PromptFileFormat::Prompty)
            .map(drop),
        Command::ExportSnapshot => studio
            .export_snapshot_to(1, &elsewhere.join("one.json"))
            .map(drop),
        Command::Chat => studio.chat(DECK).map(drop),
        Command::ChooseChatModel => {
            let path = elsewhere.join("absent.gguf");
            studio
                .choose_chat_model(DECK, ChatSlot::Model, &path)
                .map(drop)
        }
        Command::SaveChat => studio.save_chat(DECK, &setup),
        Command::CopiedChat => studio.copied_chat(DECK, &setup, ChatForm::Text).map(drop),
        Command::RenderChat => studio.render_chat(DECK, &setup).map(drop),
        Command::CompareChat => studio.compare_chat(DECK, &setup, &family, cancel).map(drop),
        Command::InspectChat => studio.inspect_chat(DECK, &setup, cancel).map(drop),
        Command::ApplyCall => studio.apply_call(CALL, &nothing()).map(drop),
        Command::Calls => studio.calls().map(drop),
        Command::NewCall => studio.new_call(DECK, None).map(drop),
        Command::ReadMessages => promptdeck_service::read_messages("[]").map(drop),
        Command::OpenCall => studio.open_call(CALL).map(drop),
        Command::RedoCall => studio.redo_call(CALL).map(drop),
        Command::ResolveCall => studio.resolve_call(CALL, &BTreeMap::new()).map(drop),
        Command::SaveCall => studio.save_call(CALL).map(drop),
        Command::UndoCall => studio.undo_call(CALL).map(drop),
        Command::UseCall => studio.use_call(DECK, None).map(drop),
        Command::Request => {
            let params = RequestParams {
                call: None,
                target: RequestTarget::Openai,
                family: None,
            };
            studio.request(DECK, &params).map(drop)
        }
        Command::ApplyChecks => studio.apply_checks(CHECKS, &nothing()).map(drop),
        Command::KeepCheck => {
            let check = NewCheck::Prompt { seed: 1 };
            studio.keep_check(DECK, &check).map(drop)
        }
        Command::OpenCheckRoll => studio.open_check_roll(DECK, 0, 1).map(drop),
        Command::OpenChecks => studio.open_checks(DECK).map(drop),
        Command::RedoChecks => studio.redo_checks(CHECKS).map(drop),
        Command::ResolveChecks => studio.resolve_checks(CHECKS, &BTreeMap::new()).map(drop),
        Command::RunChecks => studio.run_checks(DECK, cancel).map(drop),
        Command::SaveChecks => studio.save_checks(CHECKS).map(drop),
        Command::UndoChecks => studio.undo_checks(CHECKS).map(drop),
        Command::Connections => studio.connections().map(drop),
        Command::ForgetConnection => studio.forget_connection(NOBODY),
        Command::ForgetRun => studio.forget_run(1_000_000),
        Command::KeepConnection => studio.keep_connection(&nameless(), None).map(drop),
        Command::Models => studio.models(NOBODY).map(drop),
        Command::ReopenRun => studio.reopen_run(DECK, 1_000_000).map(drop),
        Command::Run => studio.run(1_000_000).map(drop),
        Command::Runs => studio.runs(DECK, 0, 10).map(drop),
        Command::SetKey => studio.set_key(NOBODY, "").map(drop),
        Command::StartRuns => {
            let params = RunParams {
                connection: Some(NOBODY.into()),
                seeds: 1,
            };
            studio.start_runs(DECK, &params).map(drop)
        }
        Command::StopRuns => {
            studio.stop_runs(1_000_000);
            Ok(())
        }
        Command::CompareTurns => studio.compare_turns(1_000_000, 1_000_001).map(drop),
        Command::KeepCall => studio.keep_call(DECK, &talk(), NOBODY).map(drop),
        Command::SendTurns => studio.send_turns(DECK, &talk(), &[], true).map(drop),
        Command::Talk => studio.talk(DECK, None).map(drop),
        Command::TalkRequest => studio.talk_request(DECK, &talk(), &[]).map(drop),
        Command::TryConnection => studio.try_connection(&nameless(), None, None).map(drop),
        Command::UseModel => studio.use_model(NOBODY, "m").map(drop),
    }
}
