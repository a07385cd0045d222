// What a key focuses after a press is marked; what the pointer focuses is not.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { showKeyFocus } from './key-focus';

let stop: () => void;
let buttons: HTMLButtonElement[];

beforeEach(() => {
  document.body.innerHTML = '<button>a</button><button>b</button>';
  buttons = [...document.querySelectorAll('button')];
  // As WebKit answers after a press.
  for (const button of buttons) Object.assign(button, { matches: () => false });
  stop = showKeyFocus(document);
});
afterEach(() => stop());

const marked = () =>
  [...document.querySelectorAll('[data-key-focus]')].map(({ textContent }) => textContent);
const press = () => document.dispatchEvent(new Event('pointerdown'));
const key = (name: string) =>
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));

test('an arrow key marks what it moves the focus to, and a press takes the mark away', () => {
  press();
  buttons[0]?.focus();
  expect(marked()).toEqual([]);
  key('ArrowDown');
  expect(marked()).toEqual(['a']);
  buttons[1]?.focus();
  expect(marked()).toEqual(['b']);
  press();
  expect(marked()).toEqual([]);
});

test('a key held for a press, and a character, mark nothing', () => {
  press();
  buttons[0]?.focus();
  key('Control');
  key('a');
  expect(marked()).toEqual([]);
});

test('the mark goes with the focus', () => {
  press();
  buttons[0]?.focus();
  key('End');
  buttons[0]?.blur();
  expect(marked()).toEqual([]);
});
