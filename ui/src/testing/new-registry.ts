// The dialog New registry: what is pasted or dropped into it, and what it asks of the service.
import { fireEvent, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect } from 'vitest';
import { guides } from './guides';
import { openStudio } from './studio';

export type Studio = Awaited<ReturnType<typeof openStudio>>;

export const REGISTRY = '{"version": 2, "assembly_order": []}';
export const PROMPT = 'One.\nMore.\n\nTwo.\n\nThree.';
export const fileOf = (bytes: BlobPart, name = 'old.json') => new File([bytes], name);
export const argumentsOf = ({ fake }: Pick<Studio, 'fake'>, call: string) =>
  fake.calls.filter(({ name }) => name === call).map(({ args }) => args);
export const dialogOf = ({ screen }: Studio) =>
  screen.findByRole('dialog', { name: 'New registry' });
export const paste = (words: string, target: Element = document.body) =>
  fireEvent.paste(target, { clipboardData: { getData: () => words, files: [] } });
export const drop = (...files: File[]) =>
  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files } });

/** The dialog with a prompt of three parts. */
export async function openSplit() {
  const studio = await openStudio(guides());
  await paste(PROMPT);
  const dialog = await dialogOf(studio);
  await within(dialog).findByRole('separator', { name: 'Border above part_2' });
  return { ...studio, dialog };
}
/** No violation, or which elements have one. */
export async function expectAccessible(dialog: HTMLElement) {
  const { violations } = await axe.run(dialog);
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
  ).toEqual([]);
}
export const borders = (dialog: HTMLElement) =>
  within(dialog)
    .getAllByRole('separator')
    .map((border) => border.getAttribute('aria-valuenow'));
