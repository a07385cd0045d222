// A text on its card and its print in the preview: pointing at either lights both.
import { fireEvent } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import type { UnprintedText } from '$lib/ipc';
import { guides } from '../../testing/guides';
import { openStudio } from '../../testing/studio';

const waiting: UnprintedText = {
  section: 'personas',
  item: { index: 1, name: 'brisk' },
  field: 'note',
  reason: 'not_in_assembly',
  words: 'in no entry',
};

async function open() {
  const scene = guides();
  const tree = structuredClone(scene.tree) as {
    registry: { personas: { items: Record<string, unknown>[] } };
  };
  tree.registry.personas.items[1]!.note = 'Unseen.';
  const evaluated = scene.preview(scene.tree);
  const opened = await openStudio({
    ...scene,
    tree: tree as never,
    preview: () => ({ ...evaluated, unprinted: { head: 0, middle: [waiting], tail: 0 } }),
  });
  const { screen } = opened;
  await fireEvent.click(screen.getByRole('button', { name: 'Edit items of personas' }));
  await fireEvent.click(await screen.findByRole('button', { name: 'Edit brisk' }));
  const field = (name: string) => screen.findByLabelText(name, { selector: 'textarea' });
  return {
    ...opened,
    context: await field('personas.brisk.context'),
    tip: await field('personas.brisk.tips entry 1'),
    note: await field('personas.brisk.note'),
  };
}

const lit = () => [...document.querySelectorAll('[data-lit]')].map((each) => each.textContent);
const bar = () =>
  [...(document.querySelector('.provenance')?.children ?? [])]
    .map((part) => part.textContent?.trim())
    .filter(Boolean)
    .join(' ');
const status = () => document.querySelector('[data-column="deck"] p[role="status"]')?.textContent;

test('a text that is pointed at on its card lights its print, with the line below', async () => {
  const { tip, context, note } = await open();
  await fireEvent.pointerOver(tip);
  await expect.poll(lit).toEqual(['<b>Go.</b>']);
  expect(bar()).toBe('personas.tips item brisk field tips[0] line 2');
  await fireEvent.pointerOver(context);
  await expect.poll(lit).toEqual(['Brisk.']);
  expect(bar()).toBe('personas.context item brisk field context line 1');
  await fireEvent.pointerOver(note);
  await expect.poll(lit).toEqual([]);
  await fireEvent.pointerLeave(document.querySelector('[data-column="deck"] .scroll')!);
  await expect.poll(bar).toBe('Point at the text to see its source');
});

test('the row of an entry lights its print, wherever in the row the pointer is', async () => {
  const { tip } = await open();
  const grip = tip.closest('[data-order]')?.querySelector('[data-grip]');
  await fireEvent.pointerOver(grip!);
  await expect.poll(lit).toEqual(['<b>Go.</b>']);
});

test('the focus does the same, and screen readers hear where the text prints', async () => {
  const { context, tip, note } = await open();
  context.focus();
  await expect.poll(status).toBe('prints, line 1');
  expect(lit()).toEqual(['Brisk.']);
  tip.focus();
  await expect.poll(status).toBe('prints, line 2');
  note.focus();
  await expect.poll(status).toBe('No entry prints this');
  expect(lit()).toEqual([]);
  note.blur();
  await expect.poll(status).toBe('');
});

test('the print of a text that takes the focus comes into sight, once', async () => {
  const { context, fake } = await open();
  const scrolled: (string | null)[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function note(this: Element) {
    scrolled.push(this.textContent);
  });
  context.focus();
  await expect.poll(() => scrolled).toEqual(['Brisk.']);
  await fireEvent.input(context, { target: { value: 'Brisker.' } });
  await expect.poll(() => fake.calls.some(({ name }) => name === 'apply')).toBe(true);
  expect(scrolled).toEqual(['Brisk.']);
});

test('a print that is pointed at lights its field', async () => {
  const { context } = await open();
  const spot = document.querySelector('[data-spot="0/0"]')!;
  await fireEvent.pointerOver(spot);
  await expect.poll(() => context.dataset.lit).toBe('');
  expect(bar()).toContain('field context line 1');
  await fireEvent.pointerLeave(document.querySelector('.prompt')!);
  await expect.poll(() => context.dataset.lit).toBeUndefined();
});

test('a print of an entry that is pointed at lights the row of the entry too', async () => {
  const { tip } = await open();
  const row = tip.closest<HTMLElement>('[data-text-row]')!;
  const spots = [...document.querySelectorAll('[data-spot]')];
  await fireEvent.pointerOver(spots.find((each) => each.textContent === '<b>Go.</b>')!);
  await expect.poll(() => row.dataset.litRow).toBe('');
  await fireEvent.pointerLeave(document.querySelector('.prompt')!);
  await expect.poll(() => row.dataset.litRow).toBeUndefined();
});
