// The prompt in the preview: what it prints, and its texts opened and left by hand.
import { expect } from 'vitest';

import type { Spot } from './pointer';
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

/** Where a letter of the prompt begins, found by the words of its text. */
export const letterOf = (words: string, offset: number): Promise<Spot> =>
  eventually(async () => {
    const found = await studio.window.executeScript<Spot | null>(
      `const [selector, words, offset] = arguments;
       const texts = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT);
       for (let node = texts.nextNode(); node; node = texts.nextNode()) {
         const at = node.data.indexOf(words);
         if (at < 0) continue;
         const range = document.createRange();
         range.setStart(node, at + offset);
         range.setEnd(node, at + offset);
         const box = range.getBoundingClientRect();
         return { x: Math.round(box.left), y: Math.round(box.top + box.height / 2) };
       }
       return null;`,
      PROMPT,
      words,
      offset,
    );
    expect(found, words).not.toBeNull();
    return found as Spot;
  });

/** What is selected, as the browser draws it. */
export const selectedText = (): Promise<string> =>
  studio.window.executeScript('return getSelection().toString()');

/** Closes the text that is open. */
export const leave = async (): Promise<void> => {
  studio.pointer.key('Escape');
  await eventually(async () => {
    expect(await studio.page.lines(OPEN)).toEqual([]);
  });
};

/** What is copied of the prompt. */
export async function copied(): Promise<string> {
  studio.copy('nothing');
  studio.pointer.key('ctrl+c');
  return eventually(() => {
    const words = studio.clipboard();
    expect(words).not.toBe('nothing');
    return words;
  });
}
