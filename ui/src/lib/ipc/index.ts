// The page's door to the service: the typed calls (`ipc`), the types, and what keeps the
// page's replica of the preview in step. Nothing else of the page imports Tauri.
import type { Backend } from './backend';
import { tauri } from './tauri';

export type { Backend } from './backend';
export type { ChatBackend } from './chat';
export type { RequestBackend } from './request';
export * from './preview';
export type * from './generated';

let backend: Backend = tauri;

/** The service. A test puts a fake behind it with `useBackend`. */
export const ipc: Backend = new Proxy({} as Backend, {
  get: (_, call: keyof Backend) => backend[call],
});

/** Puts another backend behind `ipc`. */
export function useBackend(other: Backend): void {
  backend = other;
}
