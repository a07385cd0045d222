// Shift+Tab after a press. That the focus moves on shows in the window alone (tests/e2e/tab-order).
import { fireEvent } from '@testing-library/svelte';
import { afterEach, expect, test } from 'vitest';
import { freeBackTab } from './back-tab';

const free = freeBackTab(document);
afterEach(free);

test('a pressed control takes the focus anew for Shift+Tab, once, and a field never', async () => {
  document.body.innerHTML = '<button><b>Prompt</b></button><input />';
  const [button, field] = [document.querySelector('button')!, document.querySelector('input')!];
  const taken: string[] = [];
  document.addEventListener('focusin', ({ target }) => taken.push((target as Element).localName));
  const back = (shiftKey: boolean) =>
    fireEvent.keyDown(document.activeElement!, { code: 'Tab', shiftKey });

  await fireEvent.mouseDown(button.firstChild as Element);
  button.focus();
  await back(false);
  expect(taken).toEqual(['button']);
  await back(true);
  expect(taken).toEqual(['button', 'button']);
  expect(document.activeElement).toBe(button);
  await back(true);
  expect(taken, 'a focus that came by a key is searched from itself').toHaveLength(2);

  await fireEvent.mouseDown(field);
  field.focus();
  await back(true);
  expect(taken).toEqual(['button', 'button', 'input']);
});
