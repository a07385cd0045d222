// The page's door to the service: the types, and what keeps the page's replica of the preview in
// step. The calls themselves are in tauri.ts, which main.ts hands to the page.
export type { Backend } from './backend';
export type { FilesBackend } from './files';
export type { RunBackend } from './run';
export type { RequestBackend } from './request';
export type { TalkBackend } from './talk';
export type { ChatBackend } from './chat';
export * from './preview';
export type * from './generated';
