// The prompt in the preview: what it prints, and its texts opened and left by hand.
import { expect } from 'vitest';

import { eventually } from './wait';
import { studio } from './window-fixture';

export const PROMPT = '[aria-label="Evaluated prompt"]';
/** The text that is open. */
export const OPEN = `${PROMPT} .open`;

export const promptText = async (): Promise<string> =>
  (await studio.page.lines(`${PROMPT} .block`)).join('\n');

export const prints = (words: string) =>
  eventually(async () => {
    expect(await promptText()).toContain(words);
  });

/** The selector of the text with these words. */
export const spotOf = (words: string): Promise<string> =>
  eventually(async () => {
    const id = await studio.window.executeScript<string | null>(
      `return [...document.querySelectorAll(arguments[0])]
         .find((spot) => spot.textContent.includes(arguments[1]))?.dataset.spot ?? null`,
      `${PROMPT} [data-spot]`,
      words,
    );
    expect(id, words).not.toBeNull();
    return `[data-spot="${String(id)}"]`;
  });

/** Opens the text with these words by a press at its end. */
export const openText = async (words: string): Promise<void> => {
  await studio.pointer.click(await spotOf(words), { x: 0.99 });
  await eventually(async () => {
    expect(await studio.page.lines(OPEN)).toHaveLength(1);
    expect((await studio.page.lines(OPEN)).join()).toContain(words);
  });
};

/** Opens the text with these words, with the caret at the end of its line. */
export const openAtEnd = async (words: string): Promise<void> => {
  await openText(words);
  studio.pointer.key('End');
};

/** Closes the text that is open. */
export const leave = async (): Promise<void> => {
  studio.pointer.key('Escape');
  await eventually(async () => {
    expect(await studio.page.lines(OPEN)).toEqual([]);
  });
};
