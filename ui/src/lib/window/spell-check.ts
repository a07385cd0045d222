// Which text fields are checked for spelling: fields of prose that is not too long, while the setting
// is on. The text primitives ask here; nothing else sets the `spellcheck` attribute of a field.
import { getContext, setContext } from 'svelte';

const KEY = Symbol('spell check');

/** The longest text that is checked, in UTF-16 code units: WebKit checks a paragraph at every key. */
export const LONGEST_CHECKED = 10_000;

/** Gives the setting to all text fields below a component. */
export function provideSpellCheck(enabled: () => boolean): void {
  setContext(KEY, enabled);
}

/**
 * Returns the value of a field's `spellcheck` attribute. Outside of a studio, nothing is checked.
 * A string, because an absent attribute leaves the choice to the browser.
 */
export function useSpellCheck(): (prose: boolean, value: string) => 'true' | 'false' {
  const enabled = getContext<(() => boolean) | undefined>(KEY);
  return (prose, value) =>
    prose && value.length <= LONGEST_CHECKED && enabled?.() === true ? 'true' : 'false';
}
