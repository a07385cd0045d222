// While a button that adds an entry is pointed at, the window shows where the entry would print.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { DiagnosticNote, UnprintedText } from '$lib/ipc';
import { guides } from '../../testing/guides';
import { openStudio } from '../../testing/studio';

const missing: UnprintedText = {
  section: 'personas',
  item: { index: 0, name: 'calm' },
  field: 'note',
  reason: 'not_in_assembly',
  words: 'in no entry',
  token: 'personas.note',
  index: 1,
};

async function open() {
  const scene = guides();
  const evaluated = scene.preview(scene.tree);
  const opened = await openStudio({
    ...scene,
    preview: () => ({ ...evaluated, unprinted: { head: 0, middle: [missing], tail: 0 } }),
  });
  const rows = await opened.screen.findByRole('region', { name: 'Not in this prompt' });
  const add = () => within(rows).getByRole('button', { name: 'Add personas.note to the prompt' });
  return { ...opened, add };
}

const order = () =>
  [...document.querySelectorAll('[aria-label="Assembly order"] > li')].map((row) =>
    row.textContent?.replace(/\s+/g, ' ').trim(),
  );
const line = () => document.querySelector('.prompt .insertion');
const bar = () =>
  [...(document.querySelector('.provenance')?.children ?? [])]
    .map((part) => part.textContent?.trim())
    .filter(Boolean)
    .join(' ');

test('the entry has a row in the assembly, a line in the prompt and words below it', async () => {
  const { fake, add } = await open();
  // Two pieces of text precede it: the first entry, and the line break after it.
  fake.insertionEffect = { before: 2, after: 0 };
  await fireEvent.pointerEnter(add());
  await expect.poll(() => order()[1]).toBe('personas.note +17');
  expect(fake.calls.filter(({ name }) => name === 'tryInsertion').at(-1)?.args).toEqual([
    'guides.json',
    'personas.note',
    1,
  ]);
  expect(line()?.textContent?.trim()).toBe('3 lines, 17 tokens');
  expect(line()?.previousElementSibling?.textContent).toContain('Brisk.');
  expect(line()?.nextElementSibling?.textContent).toContain('<b>Go.</b>');
  expect(bar()).toBe(
    'personas.note would print after personas.context 3 lines, 17 tokens Undo takes it out again',
  );
  // A picture of it only: the prompt that is copied and read holds no more than before.
  expect(line()?.getAttribute('aria-hidden')).toBe('true');

  await fireEvent.pointerLeave(add());
  await expect.poll(() => order()[1]).not.toContain('personas.note');
  expect(line()).toBeNull();
  expect(bar()).toBe('Point at the text to see its source');
});

test.each([
  [{ before: 0, after: null }, 'would print first'],
  [{ before: 3, after: 1 }, 'would print after personas.tips'],
  [{ before: 3, after: 1, lines: 0, tokens: 0 }, 'would print nothing in this evaluation'],
])('the first place, the last place and no text: %j', async (effect, words) => {
  const { fake, add } = await open();
  fake.insertionEffect = effect;
  await fireEvent.focus(add());
  await expect.poll(bar).toContain(words);
  const blocks = [...document.querySelectorAll('.prompt > *')];
  expect(blocks.findIndex((each) => each === line())).toBe(effect.before === 0 ? 0 : 2);
});

test('an answer that comes after the pointer left shows nothing', async () => {
  const { fake, add } = await open();
  await fireEvent.pointerEnter(add());
  await fireEvent.pointerLeave(add());
  await expect.poll(() => fake.calls.some(({ name }) => name === 'tryInsertion')).toBe(true);
  await new Promise((resolve) => setTimeout(resolve));
  expect(line()).toBeNull();
});

test('an answer about another preview is not shown', async () => {
  const { fake, add } = await open();
  fake.insertionEffect = { preview: 99 };
  await fireEvent.pointerEnter(add());
  await expect.poll(() => fake.calls.some(({ name }) => name === 'tryInsertion')).toBe(true);
  await new Promise((resolve) => setTimeout(resolve));
  expect(line()).toBeNull();
});

test('what is added is shown no longer, though the pointer did not leave', async () => {
  const { add } = await open();
  await fireEvent.pointerEnter(add());
  await expect.poll(() => order()[1]).toBe('personas.note +17');
  await fireEvent.click(add());
  await expect.poll(() => order()[1]).not.toContain('+17');
});

test('a problem that an entry mends shows it as well, in the order in use', async () => {
  const { fake, screen } = await open();
  const note = (order: string, insertion: string): DiagnosticNote => ({
    code: 'text_not_in_assembly',
    severity: 'warning',
    message: 'said in full',
    pointer: '/personas/items/0/note',
    also: [],
    data: { section: 'personas', field: 'note', insertion, index: 1, order },
    line: null,
    column: null,
  });
  fake.emit({
    kind: 'lint',
    document: 'guides.json',
    revision: 0,
    diagnostics: [
      note('/assembly_order', 'personas.note'),
      note('/routes/other/assembly_order', 'personas.more'),
    ],
  });
  const problems = within(screen.getByRole('region', { name: 'Problems' }));
  const [first, other] = await problems.findAllByRole('button', { name: 'Add to prompt' });
  await fireEvent.pointerEnter(other!);
  await fireEvent.pointerLeave(other!);
  await fireEvent.pointerEnter(first!);
  await expect.poll(() => order()[1]).toBe('personas.note +17');
  const asked = fake.calls.filter(({ name }) => name === 'tryInsertion');
  expect(asked.map(({ args }) => args[1])).toEqual(['personas.note']);
});
