// The arguments of the call document in use, which give the names of a Jinja deck their values.
import { tick } from 'svelte';
import type { DiagnosticNote } from '../ipc';
import type { Studio } from '../state/studio.svelte';
import type { ViewState } from '../state/view.svelte';

/** The attribute by which the field of an argument is gone to. */
export const argumentAnchor = (name: string): string => `call-argument-${name}`;

/** The arguments that the core misses. */
export const missingArguments = (notes: readonly DiagnosticNote[]): Set<string> =>
  new Set(notes.flatMap(({ data }) => data.argument ?? []));

/** The argument that gives an expression of the prompt its value, if the core misses it. */
export const missingArgument = (
  notes: readonly DiagnosticNote[],
  expression: string,
): string | undefined =>
  notes.find(({ code, data }) => code === 'expression_gap' && data.name === expression)?.data
    .argument;

/** Goes to the field of an argument; where no call document is in use, to the name of a new one first. */
export async function goToArgument(studio: Studio, view: ViewState, name: string): Promise<void> {
  const { request } = studio;
  request.wantedArgument = name;
  if (!request.call) request.naming = 'conversation';
  view.showConversation();
  await tick();
  focusArgument(studio);
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
