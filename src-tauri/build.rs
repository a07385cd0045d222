//! Generates the Tauri context: configuration, capabilities and the embedded page.
//!
//! Every command is named here, so that each has a permission of its own and the window may call
//! only what its capability lists.

const COMMANDS: &[&str] = &[
    "apply",
    "apply_call",
    "calls",
    "close",
    "compare",
    "connections",
    "copy",
    "delete_snapshot",
    "describe_snapshot",
    "duplicate_registry",
    "duplicate_snapshot",
    "export_file",
    "export_snapshot",
    "forget_connection",
    "forget_run",
    "import_registry",
    "keep_connection",
    "lock",
    "lock_seed",
    "model_json",
    "models",
    "new_call",
    "new_registry",
    "open",
    "open_call",
    "pin_snapshot",
    "redo",
    "reopen_run",
    "redo_call",
    "request",
    "resolve",
    "resolve_call",
    "revert",
    "roll",
    "roll_variants",
    "run",
    "runs",
    "save",
    "save_call",
    "save_settings",
    "save_view",
    "set_key",
    "snapshots",
    "start_runs",
    "stop_runs",
    "switch_snapshot",
    "take_snapshot",
    "try_connection",
    "try_policy",
    "undelete_snapshot",
    "undo",
    "undo_call",
    "use_call",
    "use_last_seed",
    "use_model",
    "use_seed",
    "variant_count",
    "view",
    "workspace",
];

fn main() {
    let manifest = tauri_build::AppManifest::new().commands(COMMANDS);
    let attributes = tauri_build::Attributes::new().app_manifest(manifest);
    if let Err(fault) = tauri_build::try_build(attributes) {
        println!("cargo::error={fault:#}");
    }
}
