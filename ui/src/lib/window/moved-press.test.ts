// A button that its own press moves is clicked all the same.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clickMovedButtons } from './moved-press';

let stop: () => void;
let button: HTMLButtonElement;
let top: number;
const clicked = vi.fn<() => void>();

beforeEach(() => {
  document.body.innerHTML = '<div id="above"></div><button>Add</button>';
  button = document.querySelector('button')!;
  top = 100;
  button.getBoundingClientRect = () => new DOMRect(10, top, 80, 24);
  clicked.mockReset();
  button.addEventListener('click', clicked);
  stop = clickMovedButtons(document);
});
afterEach(() => stop());

const at = (type: string, target: Element, clientX = 20, clientY = 110) =>
  target.dispatchEvent(new MouseEvent(type, { bubbles: true, button: 0, clientX, clientY }));
const above = () => document.querySelector('#above')!;

test('a button that moved down between press and release is clicked once', () => {
  at('pointerdown', button);
  top = 120;
  at('pointerup', above());
  expect(clicked).toHaveBeenCalledTimes(1);
  at('pointerup', above());
  expect(clicked).toHaveBeenCalledTimes(1);
});

test('one that stayed is left to the browser, also when the pointer went off it', () => {
  at('pointerdown', button);
  at('pointerup', button);
  at('pointerdown', button);
  at('pointerup', above(), 20, 90);
  expect(clicked).not.toHaveBeenCalled();
});

test('a pointer that was dragged away, and a button that is gone, click nothing', () => {
  at('pointerdown', button);
  top = 120;
  at('pointerup', above(), 20, 90);
  at('pointerdown', button);
  top = 140;
  button.remove();
  at('pointerup', above());
  expect(clicked).not.toHaveBeenCalled();
});
