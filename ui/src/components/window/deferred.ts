// The components that are loaded after the first cards, for those that show them.
import { createContext } from 'svelte';

export type Deferred = typeof import('../../deferred');

/** They are undefined until they are loaded, which is when the first cards are on the screen. */
export const [getDeferred, setDeferred] = createContext<() => Deferred | undefined>();
