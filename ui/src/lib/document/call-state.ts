// The state, route and seed of a call document as those of the deck.
import type { Edit, JsonValue } from '../ipc';
import { at, isObject } from './edit';

/** The edits by which a deck takes over these settings: `state`, `route` or `seed`. */
export function takeSettings(call: JsonValue, deck: JsonValue, keys: string[]): Edit[] {
  const set = (path: string[], value: JsonValue): Edit => ({ kind: 'set', path, value });
  const edits = keys.map((key): Edit[] => {
    if (key !== 'state') return [set([key], at(call, [key]) ?? null)];
    // A deck always has all tables of the state, a call document those that it fills.
    const tables = at(deck, ['state']);
    return Object.keys(isObject(tables) ? tables : {}).map((table) =>
      set(['state', table], at(call, ['state', table]) ?? {}),
    );
  });
  return edits.flat();
}
