// Where typing goes beside variables in the prompt: into a value or the text beside it, and what splits
// and joins entries there.
import { fireEvent } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, test } from 'vitest';
import type { Segment } from '$lib/ipc';
import { selectIn, selectionIn } from '$lib/window/text-offsets';
import {
  field,
  input,
  note,
  openPrompt,
  openSpot,
  paste,
  sent,
  source,
} from '../../testing/open-text';
import { key } from '../../testing/studio';

const CALM: Segment[] = [
  { text: 'Calm ', source: source('context') },
  { text: 'here', source: source('context', { variable: 'place' }) },
  { text: '.', source: source('context'), start: 12 },
];

/** Puts the caret at an offset of the open text, as the browser does for a key or the pointer. */
async function moveTo(offset: number, by?: string): Promise<void> {
  if (by === undefined) fireEvent.pointerDown(field()!);
  else key(by);
  selectIn(field()!, { start: offset, end: offset });
  document.dispatchEvent(new Event('selectionchange'));
  await tick();
}

const edited = () =>
  [...field()!.querySelectorAll('[data-edited]')].map((each) => each.textContent);
const label = () => field()?.getAttribute('aria-label');
/** What the bar below the prompt says. */
const bar = () => document.querySelector('.provenance')?.textContent;

test('at the edges of a value an arrow steps in or out before it moves', async () => {
  const { fake } = await openPrompt(CALM, () => ({ edits: [], caret: 5 }));
  await openSpot('Calm');
  expect(label()).toBe('personas.calm.context, printed text');
  await moveTo(5, 'ArrowRight');
  expect(edited()).toEqual([]);
  key('ArrowRight');
  await expect.poll(edited).toEqual(['here']);
  expect(label()).toBe('personas variable place, printed text');
  expect(bar()).toMatch(/variable\s*place/);
  expect(selectionIn(field()!)).toEqual({ start: 5, end: 5 });
  input('insertText', 'x');
  await expect.poll(() => sent(fake)).toHaveLength(1);
  await expect.poll(edited).toEqual(['here']);
  key('ArrowLeft');
  await expect.poll(edited).toEqual([]);
  expect(bar()).not.toContain('variable');
  input('insertText', 'y');
  await expect.poll(() => sent(fake)).toHaveLength(2);
  expect(sent(fake)).toEqual([
    { kind: 'replace', segment: 1, start: 0, end: 0, text: 'x' },
    { kind: 'replace', segment: 0, start: 5, end: 5, text: 'y' },
  ]);
});

test('a caret stays in the text it came through, and a press puts it into the piece before', async () => {
  await openPrompt(CALM);
  await openSpot('Calm');
  await moveTo(9, 'ArrowRight');
  expect(edited()).toEqual(['here']);
  await moveTo(10, 'ArrowRight');
  await moveTo(9, 'ArrowLeft');
  expect(edited()).toEqual([]);
  fireEvent.pointerDown(field()!);
  await expect.poll(edited).toEqual(['here']);
  await moveTo(5);
  expect(edited()).toEqual([]);
});

test('beside a value without a letter of the text, what is typed goes to the text', async () => {
  const entry = (index: number) => source('tips', { entry: index });
  const middle: Segment[] = [
    { text: '- ', source: entry(0), bullet: true },
    { text: 'Ada', source: { ...entry(0), variable: 'guest' } },
    { text: 'Bo', source: { ...entry(0), variable: 'host' } },
  ];
  const { fake } = await openPrompt(middle, () => ({ edits: [], caret: 5 }));
  await openSpot('Ada');
  await moveTo(3, 'ArrowRight');
  key('ArrowRight');
  await expect.poll(edited).toEqual([]);
  input('insertText', ' ');
  key('Enter');
  const beside = { segment: 1, after: true };
  await expect
    .poll(() => sent(fake))
    .toEqual([
      { kind: 'beside', ...beside, text: ' ' },
      { kind: 'split_beside', ...beside, lines: '' },
    ]);
});

test('Enter at the edge of a value breaks the line beside it, Shift+Enter in it', async () => {
  const { fake } = await openPrompt(CALM, () => ({ edits: [], caret: 9 }));
  await openSpot('Calm');
  await moveTo(9);
  await expect.poll(edited).toEqual(['here']);
  key('Enter');
  await expect.poll(() => sent(fake)).toHaveLength(1);
  expect(edited()).toEqual([]);
  await moveTo(8);
  await moveTo(9);
  await expect.poll(edited).toEqual(['here']);
  key('Enter', { shiftKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(2);
  expect(sent(fake)).toEqual([
    { kind: 'replace', segment: 2, start: 0, end: 0, text: '\n' },
    { kind: 'replace', segment: 1, start: 4, end: 4, text: '\n' },
  ]);
});

test('Enter within a value, or over a part of it, breaks its line', async () => {
  const { fake } = await openPrompt(CALM, () => ({ edits: [], caret: 9 }));
  await openSpot('Calm');
  await moveTo(7);
  key('Enter');
  const replaced = { kind: 'replace', segment: 1, text: '\n' };
  await expect.poll(() => sent(fake)).toEqual([{ ...replaced, start: 2, end: 2 }]);
  selectIn(field()!, { start: 6, end: 8 });
  document.dispatchEvent(new Event('selectionchange'));
  key('Enter');
  await expect.poll(() => sent(fake)).toHaveLength(2);
  expect(sent(fake)[1]).toMatchObject({ kind: 'replace', text: '\n' });
  expect(note()).toBeUndefined();
});

test('white space that waits behind a value is drawn where it will go', async () => {
  await openPrompt(
    [
      { text: 'At ', source: source('context') },
      { text: 'sea', source: source('context', { variable: 'place' }) },
    ],
    () => {
      throw { code: 'prompt_whitespace', message: 'the prompt prints no further white space' };
    },
  );
  await openSpot('At ');
  await moveTo(6, 'ArrowRight');
  input('insertText', ' ');
  await expect.poll(() => field()?.textContent).toBe('At sea ');
  expect(edited()).toEqual(['sea ']);
  await moveTo(6, 'ArrowLeft');
  await moveTo(5, 'ArrowLeft');
  await moveTo(6, 'ArrowRight');
  key('ArrowRight');
  input('insertText', ' ');
  await expect.poll(() => field()?.textContent).toBe('At sea ');
  expect(field()?.querySelector('.variable')?.textContent).toBe('sea');
  expect(edited()).toEqual([]);
});

test('white space that waits between two values is drawn between them', async () => {
  const value = (text: string) => ({ text, source: source('context', { variable: text }) });
  await openPrompt([value('Ada'), value('Bo')], () => {
    throw { code: 'prompt_whitespace', message: 'the prompt prints no further white space' };
  });
  await openSpot('Ada');
  await moveTo(3, 'ArrowRight');
  key('ArrowRight');
  input('insertText', ' ');
  await expect.poll(() => field()?.textContent).toBe('Ada Bo');
  const values = [...field()!.querySelectorAll('.variable')];
  expect(values.map((each) => each.textContent)).toEqual(['Ada', 'Bo']);
});

test('Enter beside a variable without a value splits the entry there', async () => {
  const entry = source('tips', { entry: 0 });
  const middle: Segment[] = [
    { text: '- ', source: entry, bullet: true },
    { text: 'Ask ', source: entry, start: 0 },
    { text: '', source: { ...entry, variable: 'guest' } },
  ];
  const { fake } = await openPrompt(middle, () => ({ edits: [], caret: 6 }));
  await openSpot('Ask ');
  await moveTo(4);
  key('ArrowRight');
  await expect.poll(() => field()?.dataset.name).toBe('guest');
  key('ArrowRight');
  await expect.poll(() => field()?.dataset.name).toBe(undefined);
  key('Enter');
  paste('One.\nTwo.');
  const split = { kind: 'split_beside', segment: 2, after: true };
  await expect
    .poll(() => sent(fake))
    .toEqual([
      { ...split, lines: '' },
      { ...split, lines: 'One.\nTwo.' },
    ]);
});

test('Backspace and Delete beside a variable without a value join no entries', async () => {
  const entry = source('tips', { entry: 1 });
  const { fake } = await openPrompt([
    { text: '- ', source: source('tips', { entry: 0 }), bullet: true },
    { text: 'Wait.', source: source('tips', { entry: 0 }) },
    { text: '\n' },
    { text: '- ', source: entry, bullet: true },
    { text: 'Ask ', source: entry },
    { text: '', source: { ...entry, variable: 'guest' } },
    { text: ' now', source: entry },
  ]);
  await openSpot('now');
  key('Backspace');
  await expect.poll(note).toContain('Guest has no value');
  key('Escape');
  await expect.poll(field).toBe(null);
  await openSpot('Ask ');
  await moveTo(4);
  key('Delete');
  await expect.poll(note).toContain('Guest has no value');
  expect(sent(fake)).toEqual([]);
  await moveTo(0);
  key('Backspace');
  await expect.poll(() => sent(fake)).toEqual([{ kind: 'join', segment: 3 }]);
});

test('a value that lost its last letter is typed into again', async () => {
  const middle: Segment[] = [
    { text: 'At ', source: source('context') },
    { text: 'x', source: source('context', { variable: 'place' }) },
    { text: '.', source: source('context'), start: 10 },
  ];
  const { fake } = await openPrompt(middle, ({ edit }) => {
    if (edit.kind === 'replace') middle[1] = { ...middle[1]!, text: edit.text };
    return { edits: [], caret: 3 };
  });
  await openSpot('At ');
  selectIn(field()!, { start: 3, end: 4 });
  document.dispatchEvent(new Event('selectionchange'));
  await expect.poll(edited).toEqual(['x']);
  input('deleteContentBackward');
  await expect.poll(() => field()?.dataset.name).toBe('place');
  input('insertText', 'y');
  await expect.poll(() => sent(fake)).toHaveLength(2);
  expect(sent(fake)[1]).toMatchObject({ kind: 'replace', segment: 1, text: 'y' });
  await expect.poll(edited).toEqual(['y']);
});
