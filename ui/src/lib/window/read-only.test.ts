import { expect, test } from 'vitest';
import { isReadOnlyText } from './read-only';

test('an editor in a shadow root among texts that are read is none of them', () => {
  document.body.innerHTML = '<section data-read-only><div tabindex="0"></div></section>';
  const text = document.querySelector('div')!;
  expect(isReadOnlyText(text)).toBe(true);
  text.attachShadow({ mode: 'open' });
  expect(isReadOnlyText(text)).toBe(false);
});
