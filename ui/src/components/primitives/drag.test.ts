import { expect, test } from 'vitest';
import { draggable } from './drag';

const press = (element: HTMLElement, kind: string, button = 0) => {
  const Kind = kind.startsWith('pointer') ? PointerEvent : MouseEvent;
  const event = new Kind(kind, { bubbles: true, cancelable: true, button });
  element.dispatchEvent(event);
  return event.defaultPrevented;
};

test.each([
  [
    'a press tells both ways',
    ['pointerdown', 'mousedown'],
    ['pointermove', 'pointerup', 'mouseup'],
    ['begin', 'move', 'end true'],
  ],
  [
    'after a context menu it tells one',
    ['mousedown'],
    ['pointermove', 'mouseup'],
    ['begin', 'move', 'end true'],
  ],
  ['the system ends it', ['pointerdown'], ['pointercancel', 'pointermove'], ['begin', 'end false']],
])('%s, and one drag comes of it', (_what, presses, rest, expected) => {
  const element = document.body.appendChild(document.createElement('div'));
  const seen: string[] = [];
  const stop = draggable(element, () => {
    seen.push('begin');
    return { move: () => seen.push('move'), end: (dropped) => seen.push(`end ${String(dropped)}`) };
  });
  expect(presses.map((kind) => press(element, kind))).toEqual(presses.map(() => true));
  for (const kind of rest) press(document.body, kind);
  expect(seen).toEqual(expected);
  stop();
});

test('other buttons and presses that begin nothing keep what they do', () => {
  const element = document.body.appendChild(document.createElement('div'));
  const stop = draggable(element, () => undefined);
  expect(press(element, 'pointerdown', 2)).toBe(false);
  expect(press(element, 'mousedown')).toBe(false);
  stop();
});
