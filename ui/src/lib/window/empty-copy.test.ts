import { afterEach, expect, test } from 'vitest';
import { keepClipboard } from './empty-copy';

let end: () => void = () => undefined;
afterEach(() => end());

/** Whether a key is left to the browser while this is selected. */
const isLeft = (key: string, selected: Node | undefined, at: Element = document.body) => {
  end = keepClipboard(document);
  if (selected) getSelection()?.selectAllChildren(selected);
  else getSelection()?.removeAllRanges();
  const event = new KeyboardEvent('keydown', {
    ...{ key, ctrlKey: true, bubbles: true, cancelable: true },
  });
  at.dispatchEvent(event);
  end();
  return !event.defaultPrevented;
};

test('a copy of nothing is no copy', () => {
  document.body.innerHTML = '<p>words</p><div>\n</div><input>';
  const [words, gap, field] = [...document.body.children] as [Element, Element, HTMLInputElement];
  expect(isLeft('c', words)).toBe(true);
  expect(isLeft('c', gap)).toBe(false);
  expect(isLeft('X', undefined)).toBe(false);
  expect(isLeft('v', undefined)).toBe(true);
  field.focus();
  expect(isLeft('c', undefined, field)).toBe(true);
});
