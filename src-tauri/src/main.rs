//! `promptdeck-studio [FOLDER|FILE]`, the desktop app: windows, commands and events over the service.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod clipboard;
mod commands;
mod deferred_replies;
mod dialog;
mod dropped;
mod early_start;
mod edit_protocol;
mod events;
mod navigation;
#[cfg(target_os = "linux")]
mod pressed_tooltip;
#[cfg(target_os = "linux")]
mod spell_check;
mod startup_place;
mod usage;
#[cfg(target_os = "linux")]
mod webkit_rendering;
mod window;

use std::env;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use commands::{
    chat, checks, documents, export, files, impact, new_registry, profile, request, run, snapshots,
    talk, workspace,
};
use deferred_replies::DeferredReplies;
use early_start::EarlyStart;
use edit_protocol::EditReply;
use events::Events;
use promptdeck_service::executor::Executor;
use promptdeck_service::{Options, Studio, store};
use tauri::{App, Manager, RunEvent};

/// Encoding of current OpenAI models; its name is displayed with every count.
const TOKENIZER: &str = "o200k_base";
/// An answer of the mock arrives about as fast as that of a small model, and can be watched and stopped.
const MOCK_PAUSE: Duration = Duration::from_millis(30);

/// Opens the window and what it shows, or ends the program: Tauri would report an error as a panic.
fn set_up(app: &mut App) {
    if let Err(fault) = begin(app) {
        refuse(&format!("the window could not be opened: {fault}"), 1);
    }
}

fn refuse(reason: &str, status: i32) -> ! {
    eprintln!("promptdeck-studio: {reason}");
    std::process::exit(status);
}

fn begin(app: &mut App) -> Result<(), Box<dyn Error>> {
    // The engine starts while the rest is read.
    window::open(app)?;
    let events = Events::default();
    let listener = events.clone();
    let place = startup_place::choose(app)?;
    let studio = Studio::open(Options {
        folder: place.folder,
        file: place.file,
        store: store::default_path(),
        tokenizer: TOKENIZER.to_owned(),
        mock_pause: MOCK_PAUSE,
        listener: Arc::new(move |event| listener.emit(event)),
    })?;
    app.manage(studio);
    app.manage(EarlyStart::begin(app.handle().clone()));
    app.manage(events);
    app.manage(Executor::default());
    app.manage(DeferredReplies::<EditReply>::default());
    app.manage(clipboard::Clipboard::default());
    Ok(())
}

fn main() {
    if let Some(status) = usage::answer(env::args_os().skip(1)) {
        std::process::exit(status);
    }
    #[cfg(target_os = "linux")]
    {
        webkit_rendering::choose();
        if let Some(reason) = window::missing_display() {
            refuse(&reason, 2);
        }
    }
    let app = tauri::Builder::default()
        .plugin(navigation::guard())
        .on_window_event(dropped::on_window_event)
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_window_state::Builder::default().build())
        .register_uri_scheme_protocol(edit_protocol::SCHEME, |context, request| {
            edit_protocol::serve(&context, request)
        })
        .invoke_handler(tauri::generate_handler![
            chat::chat,
            chat::choose_chat_model,
            chat::compare_chat,
            chat::copied_chat,
            chat::inspect_chat,
            chat::render_chat,
            chat::save_chat,
            checks::apply_checks,
            checks::keep_check,
            checks::open_check_roll,
            checks::open_checks,
            checks::redo_checks,
            checks::resolve_checks,
            checks::run_checks,
            checks::save_checks,
            checks::undo_checks,
            documents::alternatives,
            documents::applied,
            documents::apply,
            documents::edit_prompt,
            documents::rename_variable,
            documents::close,
            documents::lock,
            documents::lock_seed,
            documents::look_ups,
            documents::model_json,
            documents::open,
            documents::redo,
            documents::resolve,
            documents::revert,
            documents::roll,
            documents::roll_variants,
            documents::save,
            documents::section_index,
            documents::entry_splits,
            documents::try_insertion,
            documents::try_policy,
            documents::undo,
            documents::use_last_seed,
            documents::use_seed,
            documents::variant_count,
            export::copy,
            export::export_file,
            export::export_prompt_file,
            export::export_snapshot,
            export::prompt_file,
            files::check_name,
            files::choose_folder,
            files::delete_registry,
            files::duplicate_registry,
            files::forget_folder,
            files::keep_damaged,
            files::move_registry,
            files::new_folder,
            files::rename_folder,
            files::duplicate_folder,
            files::delete_folder,
            files::discard_folder,
            files::open_damaged,
            files::open_folder,
            files::places,
            files::registry_sizes,
            files::rename_registry,
            files::restore_registry,
            files::reveal,
            files::save_damaged,
            impact::compare_roll,
            impact::edit_impact,
            impact::impact_progress,
            impact::measure_impact,
            impact::snapshot_impact,
            impact::stop_impact,
            new_registry::change_source,
            new_registry::choose_wildcards,
            new_registry::forget_source,
            new_registry::new_registry,
            new_registry::new_registry_options,
            new_registry::read_source,
            profile::measure_profile,
            profile::profile_progress,
            profile::profile_rolls,
            profile::sample_rolls,
            profile::stop_profile,
            profile::use_sampled,
            request::apply_call,
            request::calls,
            request::new_call,
            request::read_messages,
            request::open_call,
            request::redo_call,
            request::request,
            request::resolve_call,
            request::save_call,
            request::undo_call,
            request::use_call,
            run::connections,
            run::forget_connection,
            run::forget_run,
            run::keep_connection,
            run::models,
            run::reopen_run,
            run::run,
            run::runs,
            run::set_key,
            run::start_runs,
            run::stop_runs,
            run::try_connection,
            run::use_model,
            talk::compare_turns,
            talk::keep_call,
            talk::send_turns,
            talk::talk,
            talk::talk_request,
            workspace::save_settings,
            workspace::save_view,
            workspace::start,
            workspace::started,
            workspace::view,
            workspace::workspace,
            snapshots::compare,
            snapshots::delete_snapshot,
            snapshots::describe_snapshot,
            snapshots::duplicate_snapshot,
            snapshots::pin_snapshot,
            snapshots::snapshots,
            snapshots::switch_snapshot,
            snapshots::take_snapshot,
            snapshots::undelete_snapshot,
        ])
        .setup(|app| {
            set_up(app);
            Ok(())
        })
        .build(tauri::generate_context!());
    let app =
        app.unwrap_or_else(|fault| refuse(&format!("the window could not be opened: {fault}"), 1));
    app.run(|app, event| {
        if let RunEvent::Exit = event {
            app.state::<Studio>().flush();
        }
    });
}
