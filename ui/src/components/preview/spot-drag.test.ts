// A selection from the open text of the prompt into another one while what was typed is on its way: a drag, and
// a press with Shift.
import { fireEvent } from '@testing-library/svelte';
import { afterEach, expect, test } from 'vitest';
import type { Segment } from '$lib/ipc';
import { at } from '$lib/document/edit';
import { guides } from '../../testing/guides';
import { field, input, openSpot, sent, source } from '../../testing/open-text';
import { key, openStudio } from '../../testing/studio';

const PATH = ['registry', 'personas', 'items', 0, 'context'];

/** A window whose prompt is a text and two tips; typed into the text, it is on its way until `make`. */
async function openTyped() {
  const scene = guides();
  const { fake } = await openStudio({
    ...scene,
    editPrompt: () => ({ edits: [{ kind: 'set', path: PATH, value: 'C!alm.' }], caret: 2 }),
    preview: (tree) => ({
      ...scene.preview(tree),
      rolled: [],
      segments: {
        head: 0,
        middle: [
          { text: at(tree, PATH) === 'C!alm.' ? 'C!alm.' : 'Calm.', source: source('context') },
          { text: '\n\n' },
          { text: '- ', source: source('tips', { entry: 0 }), bullet: true },
          { text: 'Breathe.', source: source('tips', { entry: 0 }) },
          { text: '\n' },
          { text: '- ', source: source('tips', { entry: 1 }), bullet: true },
          { text: 'Wait.', source: source('tips', { entry: 1 }) },
        ] satisfies Segment[],
        tail: 0,
      },
    }),
  });
  await openSpot('Calm.');
  getSelection()?.collapse(textOf('Calm.'), 1);
  document.dispatchEvent(new Event('selectionchange'));
  let make: () => void = () => undefined;
  fake.held.set('editPrompt', new Promise((resolve) => (make = resolve)));
  input('insertText', '!');
  await expect.poll(() => sent(fake)).toHaveLength(1);
  return { fake, make: () => make() };
}

/** The text that ends with some words. */
function textOf(words: string): Text {
  const holder = document.querySelector('[aria-label="Evaluated prompt"]') as HTMLElement;
  const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
  let node = walker.nextNode();
  while (node && !(node as Text).data.endsWith(words)) node = walker.nextNode();
  return node as Text;
}

/** Has the engine find a letter of such words where the pointer is; the element that it is over. */
function point(words: string, offset: number): HTMLElement {
  const node = textOf(words);
  const range = document.createRange();
  range.setStart(node, node.data.length - words.length + offset);
  Object.assign(document, { caretRangeFromPoint: () => range });
  return node.parentElement as HTMLElement;
}

afterEach(() => Reflect.deleteProperty(document, 'caretRangeFromPoint'));

const PRESS = { button: 0, buttons: 1, detail: 1 };

/** Presses the button at a letter; whether the browser may do what it does. */
async function press(words: string, offset: number, more = {}): Promise<boolean> {
  const target = point(words, offset);
  await fireEvent.pointerDown(target, { ...PRESS, ...more });
  return fireEvent.mouseDown(target, { ...PRESS, ...more });
}

const move = (words: string, offset: number) => fireEvent.pointerMove(point(words, offset), PRESS);

/** Releases the button at a letter, where a click follows. */
async function release(words: string, offset: number, more = {}): Promise<void> {
  const target = point(words, offset);
  await fireEvent.pointerUp(target, more);
  await fireEvent.click(target, more);
}

const SELECTED = /^m\.\s*- Breathe\.\n- Wai$/;

const selected = () => getSelection()?.toString();

test('a drag out of the text goes on from where it was pressed once what was typed is made', async () => {
  const { fake, make } = await openTyped();
  expect(await press('alm.', 2)).toBe(true);
  await move('alm.', 3);
  await move('Breathe.', 1);
  await move('Wait.', 3);
  expect(field()).not.toBe(null);
  make();
  await expect.poll(selected).toMatch(SELECTED);
  expect(field()).toBe(null);
  await move('Breathe.', 3);
  expect(selected()).toMatch(/^m\.\s*- Bre$/);
  await move('Wait.', 3);
  await fireEvent.pointerUp(point('Wait.', 3));
  expect(selected()).toMatch(SELECTED);
  key('Delete');
  await expect.poll(() => sent(fake)).toHaveLength(2);
  expect(sent(fake)[1]).toMatchObject({ segment: 0, start: 4, last: 6, end: 3, text: '' });
});

test('so does one that ends before', async () => {
  const { make } = await openTyped();
  await press('alm.', 2);
  await move('Wait.', 3);
  await release('Wait.', 3);
  expect(field()).not.toBe(null);
  make();
  await expect.poll(selected).toMatch(SELECTED);
  expect(field()).toBe(null);
  // What the pointer does then is no drag.
  await move('Breathe.', 3);
  expect(selected()).toMatch(SELECTED);
});

test('a press with Shift opens no other text meanwhile', async () => {
  const { make } = await openTyped();
  expect(await press('Wait.', 3, { shiftKey: true })).toBe(false);
  await release('Wait.', 3, { shiftKey: true });
  expect(field()).not.toBe(null);
  make();
  // From the caret, which is behind what was typed.
  await expect.poll(selected).toMatch(/^alm\.\s*- Breathe\.\n- Wai$/);
  expect(field()).toBe(null);
});

test('selected words that are dragged go nowhere else', async () => {
  const { make } = await openTyped();
  make();
  await expect.poll(() => field()?.textContent).toBe('C!alm.');
  getSelection()?.setBaseAndExtent(textOf('alm.'), 2, textOf('alm.'), 5);
  document.dispatchEvent(new Event('selectionchange'));
  await press('alm.', 1);
  await move('Wait.', 3);
  expect(selected()).toBe('alm');
  expect(field()?.textContent).toBe('C!alm.');
});
