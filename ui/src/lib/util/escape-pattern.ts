// Finding words as they are written, by a pattern.

/** A pattern with the flag `u` or `v` that finds exactly this text. With `u`, an escaped hyphen would
 *  be a syntax error. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
