// Words of Find in a line of 100 KB: those in sight are marked, wherever it is scrolled to, and few others.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { PROMPT } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const ENTRIES = 4000;

opens(['Ledger', 'ledger.json'], ({ registries }) => {
  const entries = Array.from({ length: ENTRIES }, (_, n) => `Entry ${String(n)} of the ledger.`);
  const part = { required: true, items: [{ id: 'all', text: entries.join(' ') }] };
  const registry = { title: 'Ledger', assembly_order: ['part.text'], part };
  writeFileSync(join(registries, 'ledger.json'), JSON.stringify(registry));
});

/** How many marks of the prompt there are, and which of the entries can be seen. */
const marked = () =>
  studio.window.executeScript<{ count: number; seen: string[] }>(`
    const view = document.querySelector('${PROMPT}').closest('.scroll').getBoundingClientRect();
    const ranges = [...(CSS.highlights.get('found-in-prompt') ?? [])];
    const isSeen = (range) => {
      const { top, bottom } = range.getBoundingClientRect();
      return bottom > view.top && top < view.bottom;
    };
    const entryOf = ({ startContainer, startOffset }) =>
      startContainer.data.slice(startOffset).slice(0, 12);
    return { count: ranges.length, seen: ranges.filter(isSeen).map(entryOf) };
  `);

const scrollTo = (share: number) =>
  studio.window.executeScript(`
    const scroller = document.querySelector('${PROMPT}').closest('.scroll');
    scroller.scrollTop = scroller.scrollHeight * ${String(share)};
  `);

test('the words in sight are marked at the start, in the middle and at the end', async () => {
  const { pointer, window } = studio;
  pointer.focus();
  pointer.key('ctrl+f');
  pointer.type('entry');
  // The first match scrolls into sight a moment after the last key.
  await eventually(async () => {
    const has = "return CSS.highlights.has('found-in-prompt-shown')";
    expect(await window.executeScript(has)).toBe(true);
  });
  for (const share of [0, 0.5, 1]) {
    await eventually(async () => {
      await scrollTo(share);
      const { count, seen } = await marked();
      expect(seen.length).toBeGreaterThan(10);
      expect(count).toBeLessThan(400);
      const numbers = seen.map((entry) => Number(/^Entry (\d+) /.exec(entry)?.[1]));
      const sorted = numbers.toSorted((a, b) => a - b);
      expect(sorted[0]).toBeGreaterThanOrEqual(ENTRIES * share * 0.9);
      // Each that can be seen, none left out.
      expect(sorted).toEqual(sorted.map((_, n) => (sorted[0] ?? NaN) + n));
    });
  }
});
