import { afterEach, beforeEach, expect, test } from 'vitest';
import { exactDrop, keepDraggedText } from './exact-drag';

let stop = (): void => undefined;

beforeEach(() => (stop = keepDraggedText(document)));
afterEach(() => {
  stop();
  document.body.innerHTML = '';
});

function field(value: string, start: number, end: number): HTMLTextAreaElement {
  const area = document.createElement('textarea');
  document.body.append(area);
  area.value = value;
  area.setSelectionRange(start, end);
  return area;
}

const say = (target: Element, kind: string) =>
  target.dispatchEvent(new Event(kind, { bubbles: true }));

test('words of the page are dropped with their no-break spaces, until the drag is over', () => {
  const area = field('1 10\u00a0km 2', 2, 7);
  say(area, 'dragstart');
  expect(exactDrop('10 km')).toBe('10\u00a0km');
  expect(exactDrop('other words')).toBe('other words');
  say(area, 'dragend');
  expect(exactDrop('10 km')).toBe('10 km');
});

test('so they are where the browser drops them into a field', () => {
  say(field('10\u00a0km', 0, 5), 'dragstart');
  const area = field('10 km, only away', 0, 0);
  let taken = '';
  area.addEventListener('input', () => (taken = area.value));
  const drop = { inputType: 'insertFromDrop', bubbles: true };
  area.dispatchEvent(new InputEvent('beforeinput', drop));
  area.value = '10 km, only 10 kmaway';
  area.dispatchEvent(new InputEvent('input', drop));
  expect(taken).toBe('10 km, only 10\u00a0kmaway');
});
