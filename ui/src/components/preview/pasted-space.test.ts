// White space at the end of what is pasted or written at once: it waits for words where the prompt cannot
// hold it.
import { expect, test } from 'vitest';
import type { PromptEditRequest, Segment } from '$lib/ipc';
import { selectIn, selectionIn } from '$lib/window/text-offsets';
import { guides } from '../../testing/guides';
import { field, input, openSpot, paste, sent, source } from '../../testing/open-text';
import { openStudio } from '../../testing/studio';

/** A window whose prompt ends with a text, without white space at its end as the core prints it. */
async function openWith(words: string) {
  let printed = words;
  const segments = (): Segment[] => [
    { text: 'Calm.', source: source('context') },
    { text: '\n\n' },
    { text: printed, source: source('tips') },
  ];
  const scene = guides();
  const { fake } = await openStudio({
    ...scene,
    editPrompt: ({ edit, pasted }: PromptEditRequest) => {
      const refused = { code: 'prompt_whitespace', message: 'no white space' };
      if (edit.kind !== 'replace') throw new Error(edit.kind);
      const after = printed.slice(edit.end);
      const isLost = after === '' && edit.text !== edit.text.trimEnd();
      if (isLost && (!pasted || edit.text.trim() === '')) throw refused;
      const text = isLost ? edit.text.trimEnd() : edit.text;
      printed = printed.slice(0, edit.start) + text + after;
      return {
        edits: [],
        caret: 7 + edit.start + text.length,
        fewer_blank_lines: text.includes('\n\n\n'),
      };
    },
    preview: (tree) => ({
      ...scene.preview(tree),
      rolled: [],
      segments: { head: 0, middle: segments(), tail: 0 },
    }),
  });
  await openSpot(words);
  selectIn(field()!, { start: words.length, end: words.length });
  document.dispatchEvent(new Event('selectionchange'));
  return { fake, printed: () => printed };
}

test.each([
  ['a line', ' simple\n'],
  ['a line with spaces', ' simple  \n'],
  ['words and a space', ' simple '],
])('behind %s that is pasted its end waits, and is typed with what follows', async (_, words) => {
  const { printed } = await openWith('Wait.');
  paste(words);
  await expect.poll(() => field()?.textContent).toBe(`Wait.${words}`);
  expect(printed()).toBe('Wait. simple');
  expect(selectionIn(field()!)).toMatchObject({ start: 5 + words.length });
  input('insertText', 'C');
  await expect.poll(printed).toBe(`Wait.${words}C`);
  input('insertText', 'A');
  await expect.poll(printed).toBe(`Wait.${words}CA`);
});

test('blank lines that a paste lost are said until the caret moves', async () => {
  const { printed } = await openWith('Wait.');
  const said = () => document.querySelector('.provenance')?.textContent;
  paste(' one\n\n\ntwo');
  await expect.poll(said).toContain('at most one blank line in a row');
  expect(printed()).toContain('two');
  selectIn(field()!, { start: 1, end: 1 });
  document.dispatchEvent(new Event('selectionchange'));
  await expect.poll(said).not.toContain('at most one blank line');
  paste('x');
  await expect.poll(printed).toContain('Wxait.');
  expect(said()).not.toContain('at most one blank line');
});

test('a second paste follows the end of the first one', async () => {
  const { printed } = await openWith('Wait.');
  paste(' one\n');
  paste('two\n');
  await expect.poll(() => field()?.textContent).toBe('Wait. one\ntwo\n');
  expect(printed()).toBe('Wait. one\ntwo');
});

test('the end of what is pasted elsewhere in a text is there at once', async () => {
  const { fake, printed } = await openWith('Wait.');
  selectIn(field()!, { start: 2, end: 2 });
  document.dispatchEvent(new Event('selectionchange'));
  paste('one\n');
  await expect.poll(printed).toBe('Waone\nit.');
  input('insertText', 'x');
  await expect.poll(printed).toBe('Waone\nxit.');
  expect(sent(fake)).toHaveLength(2);
});

test('it is gone when the caret leaves it', async () => {
  const { printed } = await openWith('Wait.');
  paste(' one\n');
  await expect.poll(() => field()?.textContent).toBe('Wait. one\n');
  selectIn(field()!, { start: 1, end: 1 });
  document.dispatchEvent(new Event('selectionchange'));
  await expect.poll(() => field()?.textContent).toBe('Wait. one');
  expect(printed()).toBe('Wait. one');
});

test('a space behind a word that an input method writes waits', async () => {
  const { printed } = await openWith('Wait.');
  input('insertReplacementText', 'now ');
  await expect.poll(printed).toBe('Wait.now');
  expect(field()?.textContent).toBe('Wait.now ');
  input('insertText', 'C');
  await expect.poll(printed).toBe('Wait.now C');
});
