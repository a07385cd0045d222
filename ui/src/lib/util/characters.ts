/** The length of a text in Unicode characters, as the core counts it, not in the units of a string. */
export const characters = (text: string): number => Array.from(text).length;
