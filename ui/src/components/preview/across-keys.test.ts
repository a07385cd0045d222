// A selection over several texts of the prompt: what keys and the clipboard send for it, and why not.
import { expect, test } from 'vitest';
import type { Segment } from '$lib/ipc';
import { selectionIn } from '$lib/window/text-offsets';
import { field, note, openPrompt, sent, source, type Answer } from '../../testing/open-text';
import { key } from '../../testing/studio';

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
  let held = words;
  const clipboardData = {
    getData: () => held,
    setData: (_: string, text: string) => (held = text),
  };
  const event = new Event(kind, { bubbles: true, cancelable: true });
  target.dispatchEvent(Object.assign(event, { clipboardData }));
  return held;
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

test('a refusal of a key or of a cut says why, and the selection stays', async () => {
  const { fake, link } = await openSelected(() => {
    throw { code: 'prompt_slider', message: '8 is made by the slider of mood; set it there' };
  });
  key('Delete');
  await expect.poll(note).toContain('8 is made by the slider of mood');
  expect(field()).toBeNull();
  expect(getSelection()!.toString()).toContain('Breathe.');
  key('Shift');
  key('ArrowUp', { shiftKey: true });
  await expect.poll(note).toBeUndefined();
  clipboard('cut', link);
  await expect.poll(note).toContain('8 is made by the slider of mood');
  expect(sent(fake)).toHaveLength(2);
});
