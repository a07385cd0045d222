import { expect, test } from 'vitest';
import { draggable } from './drag';

const press = (element: HTMLElement, kind: string, button = 0, clientX = 0) => {
  const init = { bubbles: true, cancelable: true, button, clientX };
  const event =
    kind === 'Escape'
      ? new KeyboardEvent('keydown', { ...init, key: kind })
      : new (kind.startsWith('pointer') ? PointerEvent : MouseEvent)(kind, init);
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
  [
    'Esc ends it',
    ['pointerdown'],
    ['pointermove', 'Escape', 'pointermove', 'pointerup', 'pointermove'],
    ['begin', 'move', 'end false'],
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

test('what was dragged is not clicked, what was pressed is', async () => {
  const element = document.body.appendChild(document.createElement('div'));
  const stop = draggable(element, () => ({ move: () => undefined, end: () => undefined }));
  let clicks = 0;
  element.addEventListener('click', () => (clicks += 1));
  for (const [by, expected] of [
    [3, 1],
    [4, 1],
    [0, 2],
  ] as const) {
    press(element, 'pointerdown');
    press(element, 'pointermove', 0, by);
    press(element, 'pointerup', 0, by);
    press(element, 'click');
    expect(clicks).toBe(expected);
    await new Promise((resolve) => setTimeout(resolve));
  }
  // A drag whose release comes without a click leaves the next one alone.
  press(element, 'pointerdown');
  press(element, 'pointermove', 0, 9);
  press(element, 'pointerup', 0, 9);
  await new Promise((resolve) => setTimeout(resolve));
  press(element, 'click');
  expect(clicks).toBe(3);
  stop();
});
