// A selection over several texts of the prompt: what keys and the clipboard send for it, and why not.
import { expect, test, vi } from 'vitest';
import type { Segment } from '$lib/ipc';
import { at } from '$lib/document/edit';
import { selectionIn } from '$lib/window/text-offsets';
import { guides } from '../../testing/guides';
import { field, note, openPrompt, sent, source, type Answer } from '../../testing/open-text';
import { key, openStudio } from '../../testing/studio';

const prompt: Segment[] = [
  { text: 'Calm.', source: source('context') },
  { text: '\n\n' },
  { text: '- ', source: source('tips', { entry: 0 }), bullet: true },
  { text: 'Breathe.', source: source('tips', { entry: 0 }) },
  { text: '\n' },
  { text: '- ', source: source('tips', { entry: 1 }), bullet: true },
  { text: 'Wait.', source: source('tips', { entry: 1 }) },
];

const textOf = (words: string): Text => {
  const holder = document.querySelector('[aria-label="Evaluated prompt"]') as HTMLElement;
  const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
  let node = walker.nextNode();
  while (node && (node as Text).data !== words) node = walker.nextNode();
  return node as Text;
};

/** Selects from within one text to within another, with the focus in the last. */
function select(from: string, start: number, to: string, end: number): HTMLElement {
  const [first, last] = [textOf(from), textOf(to)];
  const link = last.parentElement!.closest<HTMLElement>('[role=link]')!;
  link.focus();
  getSelection()!.setBaseAndExtent(first, start, last, end);
  return link;
}

async function openSelected(answer: Answer = () => ({ edits: [], caret: 2 })) {
  const { fake } = await openPrompt(prompt, answer);
  return { fake, link: select('Calm.', 2, 'Wait.', 3) };
}

const passage = (text: string) => ({
  kind: 'replace_passage',
  segment: 0,
  start: 2,
  last: 6,
  end: 3,
  text,
});

/** An event of the clipboard at an element; what is put there. */
function clipboard(kind: 'cut' | 'paste', target: HTMLElement, words = ''): string {
  let clipboardText = words;
  const clipboardData = {
    getData: () => clipboardText,
    setData: (_: string, text: string) => (clipboardText = text),
  };
  const event = new Event(kind, { bubbles: true, cancelable: true });
  target.dispatchEvent(Object.assign(event, { clipboardData }));
  return clipboardText;
}

test.each(['Delete', 'Backspace'])('%s deletes the selection', async (name) => {
  const { fake } = await openSelected();
  key(name);
  await expect.poll(() => sent(fake)).toEqual([passage('')]);
  await expect.poll(() => field()?.textContent).toBe('Calm.');
  expect(selectionIn(field()!)).toEqual({ start: 2, end: 2 });
});

test('letters are typed over the selection, those after the first into the text it leaves', async () => {
  const { fake } = await openSelected();
  key('a');
  key('b');
  await expect.poll(() => sent(fake)).toHaveLength(2);
  expect(sent(fake)).toEqual([
    passage('a'),
    { kind: 'replace', segment: 0, start: 2, end: 2, text: 'b' },
  ]);
});

test('a key that extends a selection extends what is left of one that is being deleted', async () => {
  const { fake } = await openSelected();
  const modify = vi.fn(() => expect(field()?.contains(getSelection()!.focusNode)).toBe(true));
  // Happy-dom has none.
  Object.assign(getSelection()!, { modify });
  key('Delete');
  key('ArrowRight', { shiftKey: true });
  await expect.poll(() => field()?.textContent).toBe('Calm.');
  await expect.poll(() => modify.mock.calls).toEqual([['extend', 'right', 'character']]);
  expect(sent(fake)).toEqual([passage('')]);
});

test('a key that the browser does not know is of no input method', async () => {
  const { link } = await openSelected();
  key('Unidentified');
  await Promise.resolve();
  expect(note()).toBeUndefined();
  const event = { key: 'Unidentified', keyCode: 229, bubbles: true, cancelable: true };
  link.dispatchEvent(Object.assign(new KeyboardEvent('keydown', event), { keyCode: 229 }));
  await expect.poll(note).toContain('of an input method');
});

test('an input method over the selection writes nothing, and why is said', async () => {
  const { fake, link } = await openSelected();
  const event = { key: 'n', isComposing: true, bubbles: true, cancelable: true };
  link.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
  link.dispatchEvent(new KeyboardEvent('keydown', event));
  link.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '你' }));
  await expect.poll(note).toContain('of an input method');
  key('Process');
  expect(sent(fake)).toEqual([]);
  expect(getSelection()?.toString()).toContain('Breathe.');
});

test('a space over the selection deletes it and waits for words', async () => {
  const { fake } = await openSelected(({ edit }) => {
    if (edit.kind === 'replace') throw { code: 'prompt_whitespace', message: 'no white space' };
    return { edits: [], caret: 5 };
  });
  key(' ');
  await expect.poll(() => field()?.textContent).toBe('Calm. ');
  expect(sent(fake)[0]).toEqual(passage(''));
});

test('Enter deletes the selection and splits the entry it leaves', async () => {
  const { fake } = await openPrompt(prompt, () => ({ edits: [], caret: 11 }));
  select('Breathe.', 2, 'Wait.', 3);
  key('Enter');
  await expect.poll(() => sent(fake).map(({ kind }) => kind)).toEqual(['replace_passage', 'split']);
});

test('what is cut is what is copied, and is deleted', async () => {
  const { fake, link } = await openSelected();
  expect(clipboard('cut', link)).toBe('lm.\n\n- Breathe.\n- Wai');
  await expect.poll(() => sent(fake)).toEqual([passage('')]);
});

test('a paste takes the place of the selection, lines after it is deleted', async () => {
  const { fake, link } = await openSelected();
  clipboard('paste', link, 'words');
  await expect.poll(() => sent(fake)).toEqual([passage('words')]);
  await expect.poll(() => field()?.textContent).toBe('Calm.');
  key('Escape');
  await expect.poll(field).toBeNull();
  clipboard('paste', select('Calm.', 2, 'Wait.', 3), 'two\nlines');
  await expect.poll(() => sent(fake).length).toBe(3);
  expect(sent(fake).slice(1)).toEqual([
    passage(''),
    { kind: 'replace', segment: 0, start: 2, end: 2, text: 'two\nlines' },
  ]);
});

test('a space behind words that are pasted over the selection waits for more of them', async () => {
  const { fake, link } = await openSelected();
  clipboard('paste', link, 'words ');
  await expect.poll(() => sent(fake)).toEqual([passage('words ')]);
  await expect.poll(() => field()?.textContent).toBe('Ca lm.');
  expect(selectionIn(field()!)).toMatchObject({ start: 3, end: 3 });
});

test('a refusal of a key or of a cut says why, and the selection stays', async () => {
  const { fake, link } = await openSelected(() => {
    throw { code: 'prompt_slider', message: '8 is made by the slider of mood; set it there' };
  });
  key('Delete');
  await expect.poll(note).toContain('8 is made by the slider of mood');
  expect(field()).toBeNull();
  expect(getSelection()!.toString()).toContain('Breathe.');
  key('Shift');
  // Happy-dom has none.
  Object.assign(getSelection()!, { modify: () => undefined });
  key('ArrowUp', { shiftKey: true });
  await expect.poll(note).toBeUndefined();
  clipboard('cut', link);
  await expect.poll(note).toContain('8 is made by the slider of mood');
  expect(sent(fake)).toHaveLength(2);
});

/** Drops words on an element, at an offset of a text. */
function drop(words: string, target: HTMLElement, node: Text, offset: number): void {
  const point = document.createRange();
  point.setStart(node, offset);
  Object.assign(document, { caretRangeFromPoint: () => point });
  const event = new Event('drop', { bubbles: true, cancelable: true });
  const dataTransfer = { getData: () => words, files: [], types: ['text/plain'] };
  target.dispatchEvent(Object.assign(event, { dataTransfer, clientX: 0, clientY: 0 }));
  Reflect.deleteProperty(document, 'caretRangeFromPoint');
}

test('what is dropped on the selection takes its place', async () => {
  const { fake, link } = await openSelected();
  drop('word', link, textOf('Wait.'), 1);
  await expect.poll(() => sent(fake)).toEqual([passage('word')]);
});

test('what is dropped beside it is put where it is dropped', async () => {
  const { fake, link } = await openSelected();
  drop('word', link, textOf('Wait.'), 4);
  await expect.poll(() => sent(fake)).toHaveLength(1);
  expect(sent(fake)[0]).toMatchObject({ kind: 'replace', segment: 6, start: 4, text: 'word' });
});

test('an undo selects it again', async () => {
  let words = 'Calm.';
  const middle = () => [{ ...(prompt[0] as Segment), text: words }, ...prompt.slice(1)];
  const scene = guides();
  const path = ['registry', 'personas', 'items', 0, 'context'];
  const { fake } = await openStudio({
    ...scene,
    editPrompt: () => ({ edits: [{ kind: 'set', path, value: 'Ca' }], caret: 2 }),
    preview: (tree) => {
      words = at(tree, path) as string;
      return {
        ...scene.preview(tree),
        rolled: [],
        segments: { head: 0, middle: middle(), tail: 0 },
      };
    },
  });
  select(words, 2, 'Wait.', 3);
  key('Delete');
  await expect.poll(() => field()?.textContent).toBe('Ca');
  key('z', { ctrlKey: true });
  await expect.poll(() => field()).toBe(null);
  await expect.poll(() => getSelection()?.toString()).toMatch(/^lm .*- Breathe\.\n- Wai$/);
  expect(fake.calls.filter(({ name }) => name === 'undo')).toHaveLength(1);
});
