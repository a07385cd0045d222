// The keys that change how Find looks for the words, in its own field and in that of Replace.
import { keyOf } from '$lib/actions/actions';
import type { FindOptions } from '$lib/document/find';
import type { FindState } from '$lib/state/find.svelte';

export const FIND_KEYS: Readonly<Record<keyof FindOptions, string>> = {
  wholeWords: 'Alt+W',
  matchCase: 'Alt+C',
};

/** Does what such a key does. True when it was one. */
export function pressOption(find: FindState, event: KeyboardEvent): boolean {
  const pressed = keyOf(event);
  const option = (['wholeWords', 'matchCase'] as const).find((name) => FIND_KEYS[name] === pressed);
  if (option) find.toggle(option);
  return option !== undefined;
}
