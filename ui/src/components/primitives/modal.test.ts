import { afterEach, beforeEach, expect, test } from 'vitest';
import { modal } from './modal';

beforeEach(() => {
  document.body.innerHTML = `
    <main data-column="deck"><button aria-label="card" aria-expanded="false"></button></main>
    <button aria-label="opener"></button>`;
});
afterEach(() => {
  document.body.innerHTML = '';
});

const opener = () => document.querySelector<HTMLElement>('[aria-label="opener"]')!;
const focused = () => document.activeElement?.getAttribute('aria-label');

/** Opens a dialog; what is given back takes it away as the page does. */
function open(): () => void {
  const dialog = document.createElement('dialog');
  dialog.innerHTML = '<button data-autofocus aria-label="inside"></button>';
  document.body.append(dialog);
  const leave = modal(dialog);
  expect(focused()).toBe('inside');
  return () => {
    if (leave) leave();
    dialog.remove();
  };
}

test('the focus goes back to where a dialog was opened from', () => {
  opener().focus();
  open()();
  expect(focused()).toBe('opener');
});

test('a dialog that takes the place of another goes back to the same', () => {
  opener().focus();
  const first = open();
  const second = open();
  first();
  second();
  expect(focused()).toBe('opener');
});

test('where that is gone, it goes to the deck', () => {
  opener().focus();
  const close = open();
  opener().remove();
  close();
  expect(focused()).toBe('card');
});
