// A choice side by side under the keyboard: where each key leads, and what is left alone.
import { render } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import Segmented from './Segmented.svelte';
import { key } from '../../testing/studio';

const options = ['all', 'differences', 'none'].map((value) => ({ value, label: value }));

function choice(value: string) {
  const taken: string[] = [];
  const { getByRole, getAllByRole, rerender } = render(Segmented, {
    label: 'Rows',
    value,
    options,
    onchange: (to: string) => {
      taken.push(to);
      void rerender({ value: to });
    },
  });
  getByRole('radio', { checked: true }).focus();
  const reached = () => getAllByRole('radio').filter((each) => each.tabIndex === 0);
  return { taken, reached };
}

test.each([
  ['ArrowRight', 'all', 'differences'],
  ['ArrowDown', 'all', 'differences'],
  ['ArrowRight', 'none', 'all'],
  ['ArrowLeft', 'none', 'differences'],
  ['ArrowUp', 'all', 'none'],
  ['Home', 'none', 'all'],
  ['End', 'all', 'none'],
])('%s from %s takes %s', async (name, from, to) => {
  const { taken, reached } = choice(from);
  key(name);
  expect(taken).toEqual([to]);
  await expect.poll(() => reached().map((each) => each.textContent)).toEqual([to]);
  expect(document.activeElement).toBe(reached()[0]);
});

test.each([
  ['Home', {}, 'all'],
  ['ArrowDown', { altKey: true }, 'all'],
  ['ArrowRight', { ctrlKey: true }, 'all'],
  ['x', {}, 'all'],
])('%s with %o takes nothing else than %s', (name, modifiers, from) => {
  const { taken } = choice(from);
  key(name, modifiers);
  expect(taken).toEqual([]);
  expect(document.activeElement?.textContent).toBe(from);
});
