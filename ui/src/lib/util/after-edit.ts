// When the work that follows an edit starts.

/**
 * How long after an edit the page asks for what follows from it, in milliseconds: longer than a fast
 * typist takes from key to key, so that nothing is measured in the middle of a word.
 */
export const AFTER_EDIT = 70;
