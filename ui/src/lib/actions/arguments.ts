// The arguments of the call document in use, which give the names of a Jinja deck their values.
import { tick } from 'svelte';
import { at, isObject } from '../document/edit';
import type { DiagnosticNote, Edit, JsonValue } from '../ipc';
import type { CallState } from '../state/call.svelte';
import type { Studio } from '../state/studio.svelte';
import type { ViewState } from '../state/view.svelte';
import { text } from '../text';
import { readJson } from '../util/json-text';

/** The attribute by which the field of an argument is gone to. */
export const argumentAnchor = (name: string): string => `call-argument-${name}`;

/** Codes of what is said of an argument without a value. */
const MISSING = ['argument_unset', 'expression_gap', 'prompt_template'];

/** The arguments that the core misses. */
export const missingArguments = (notes: readonly DiagnosticNote[]): Set<string> =>
  new Set(notes.flatMap(({ code, data }) => (MISSING.includes(code) ? (data.argument ?? []) : [])));

/** The arguments of the call in use, and those that the deck asks for. */
export function argumentNames({ request, preview }: Studio): string[] {
  const args = request.call ? at(request.call.tree, ['args']) : undefined;
  const given = isObject(args) ? Object.keys(args) : [];
  return [...new Set([...given, ...missingArguments(preview.diagnostics)])];
}

/** What the core says of the value of an argument. */
export const notesOfArgument = (notes: readonly DiagnosticNote[], name: string): DiagnosticNote[] =>
  notes.filter(({ code, data }) => data.argument === name && !MISSING.includes(code));

/** The argument that gives an expression of the prompt its value, if the core misses it. */
export const missingArgument = (
  notes: readonly DiagnosticNote[],
  expression: string,
): string | undefined =>
  notes.find(({ code, data }) => code === 'expression_gap' && data.name === expression)?.data
    .argument;

/**
 * Goes to the field of an argument; where no call document is in use, to the name of a new one first.
 * `makesList`: its text becomes a list with that text.
 */
export async function goToArgument(
  studio: Studio,
  view: ViewState,
  name: string,
  makesList = false,
): Promise<void> {
  const { request } = studio;
  if (makesList && request.call) makeList(request.call, name);
  request.wantedArgument = name;
  if (!request.call) request.naming = 'conversation';
  view.showConversation();
  await tick();
  focusArgument(studio);
}

/**
 * Makes an argument that is a text, there or in the defaults, a list: the one that it writes in JSON, or one
 * with that text. One that is not finished is left to be finished as JSON.
 */
function makeList(call: CallState, name: string): void {
  const args = at(call.tree, ['args']);
  const value = at(call.tree, ['args', name]) ?? at(call.tree, ['defaults', name]);
  if (typeof value !== 'string' || keepUnfinished(call, name, value)) return;
  const read = readJson(value);
  const list = 'value' in read && Array.isArray(read.value) ? (read.value as JsonValue[]) : [value];
  const edit: Edit = isObject(args)
    ? { kind: 'set', path: ['args', name], value: list }
    : { kind: 'set', path: ['args'], value: { [name]: list } };
  call.edit(text.conversation.undoLabels.argument(name), [edit]);
}

/**
 * Has the text of an argument go on as JSON where it begins a list or an object and does not end it.
 * Returns whether it does.
 */
export function keepUnfinished(call: CallState, name: string, value: string): boolean {
  const read = readJson(value);
  if (!/^\s*[[{]/.test(value) || !('fault' in read)) return false;
  call.unread.keep(
    {
      label: text.conversation.argument(name),
      path: ['args', name],
      owner: [],
      anchor: argumentAnchor(name),
    },
    value,
    text.notJson(read.fault),
  );
  return true;
}

/** Puts the focus on the argument that was asked for, once a call document has a field for it. */
export function focusArgument({ request }: Studio): void {
  const { call, wantedArgument: name } = request;
  if (!call || name === null) return;
  request.wantedArgument = null;
  focusArgumentField(name);
}

/** Puts the focus on the field of an argument, or on that of all arguments where these are no object. */
export function focusArgumentField(name: string): void {
  const fields = [argumentAnchor(name), 'call-args'].map((anchor) =>
    document.querySelector<HTMLElement>(`[data-place="${CSS.escape(anchor)}"]`),
  );
  const field = fields.find((each) => each !== null);
  field?.scrollIntoView({ block: 'nearest' });
  field?.focus({ preventScroll: true });
}
