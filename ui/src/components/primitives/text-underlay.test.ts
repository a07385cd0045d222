// The copy of a text behind its field: equal to the text, and only what was edited is drawn again.
import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import TextUnderlay from './TextUnderlay.svelte';

const TEXT = Array.from({ length: 200 }, (_, n) => `Line ${String(n)} of {venue}.\n`).join('');

const open = (props: { value: string; wrong?: string[]; caret?: number }) => {
  const { container, rerender } = render(TextUnderlay, props);
  const copy = container.querySelector('.underlay') as HTMLElement;
  return { copy, rerender };
};

test('it holds the text and a mark under each wrong word', () => {
  const { copy } = open({ value: TEXT, wrong: ['{venue}'] });
  expect(copy.textContent).toBe(`${TEXT}\u200b`);
  expect(copy.querySelectorAll('.undeclared-name')).toHaveLength(200);
});

test('an edit leaves the lines of all other chunks as they are', async () => {
  const { copy, rerender } = open({ value: TEXT });
  const before = [...copy.children];
  expect(before.length).toBeGreaterThan(5);
  const texts = before.map((each) => each.textContent);
  await rerender({ value: TEXT.replace('Line 100 ', 'Line one hundred ') });
  expect([...copy.children]).toEqual(before);
  const changed = before.filter((each, index) => each.textContent !== texts[index]);
  expect(changed).toHaveLength(1);
});

test.each([0, 17, TEXT.indexOf('Line 150'), TEXT.length])('the caret is drawn at %i', (caret) => {
  const { copy } = open({ value: TEXT, caret });
  const drawn = copy.querySelector('.caret') as HTMLElement;
  const range = document.createRange();
  range.setStart(copy, 0);
  range.setEndBefore(drawn);
  expect(range.toString()).toBe(TEXT.slice(0, caret));
  expect(copy.querySelectorAll('.caret')).toHaveLength(1);
});
