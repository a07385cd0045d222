//! Commands on conversations.

use promptdeck_service::command::Command;
use promptdeck_service::wire::{
    CallChange, Part, Talk, TalkMessage, TalkParams, TalkStarted, TalkView,
};
use tauri::AppHandle;

use super::{Answer, execute};

#[tauri::command]
pub async fn talk(app: AppHandle, document: String, call: Option<String>) -> Answer<Talk> {
    execute(app, Command::Talk, move |studio| {
        studio.talk(&document, call.as_deref())
    })
    .await
}

#[tauri::command]
pub async fn talk_request(
    app: AppHandle,
    document: String,
    params: TalkParams,
    messages: Vec<TalkMessage>,
) -> Answer<TalkView> {
    execute(app, Command::TalkRequest, move |studio| {
        studio.talk_request(&document, &params, &messages)
    })
    .await
}

#[tauri::command]
pub async fn send_turns(
    app: AppHandle,
    document: String,
    params: TalkParams,
    messages: Vec<TalkMessage>,
    ask: bool,
) -> Answer<TalkStarted> {
    execute(app, Command::SendTurns, move |studio| {
        studio.send_turns(&document, &params, &messages, ask)
    })
    .await
}

#[tauri::command]
pub async fn keep_call(
    app: AppHandle,
    document: String,
    params: TalkParams,
    call: String,
) -> Answer<CallChange> {
    execute(app, Command::KeepCall, move |studio| {
        studio.keep_call(&document, &params, &call)
    })
    .await
}

#[tauri::command]
pub async fn compare_turns(app: AppHandle, left: u32, right: u32) -> Answer<Vec<Part>> {
    execute(app, Command::CompareTurns, move |studio| {
        studio.compare_turns(left, right)
    })
    .await
}
