// Which text fields are checked for spelling: fields of prose, while the setting is on. The text
// primitives ask here; nothing else sets the `spellcheck` attribute of a field.
import { getContext, setContext } from 'svelte';

const KEY = Symbol('spell check');

/** Gives the setting to all text fields below a component. */
export function provideSpellCheck(enabled: () => boolean): void {
  setContext(KEY, enabled);
}

/**
 * Returns the value of a field's `spellcheck` attribute. Outside of a studio, nothing is checked.
 * A string, because an absent attribute leaves the choice to the browser.
 */
export function useSpellCheck(): (prose: boolean) => 'true' | 'false' {
  const enabled = getContext<(() => boolean) | undefined>(KEY);
  return (prose) => (prose && enabled?.() === true ? 'true' : 'false');
}
