import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepDraggedSelection } from './dragged-selection';

let stop = (): void => undefined;

beforeEach(() => (stop = keepDraggedSelection(document)));
afterEach(() => {
  stop();
  document.body.innerHTML = '';
});

const say = (target: Element, kind: string) =>
  target.dispatchEvent(new Event(kind, { bubbles: true }));

test('what was dragged is selected again when it is dropped, and not after the drag', () => {
  document.body.innerHTML = '<textarea></textarea><p></p>';
  const [field, place] = [document.querySelector('textarea')!, document.querySelector('p')!];
  field.value = 'Hello my friends.';
  field.setSelectionRange(0, 5);
  say(field, 'dragstart');
  field.setSelectionRange(1, 17);
  say(place, 'drop');
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 5]);
  say(field, 'dragend');
  field.setSelectionRange(2, 3);
  say(place, 'drop');
  expect([field.selectionStart, field.selectionEnd]).toEqual([2, 3]);
});
