// The controls of a card that come and go with what is rolled, and what is added to a card.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { JsonValue } from '$lib/ipc';
import { at, type JsonObject } from '$lib/document/edit';
import { sectionColor } from '$lib/state/section-color.svelte';
import { guides, sections } from '../../testing/guides';
import { openStudio } from '../../testing/studio';

const card = (name: string) =>
  within(document.querySelector<HTMLElement>(`[data-card="${name}"]`)!);

/** The scene, evaluated as the state says: what is locked is not rolled any more. */
function lockable() {
  const scene = guides();
  const preview = (tree: JsonValue) => {
    const rolls = at(tree, ['state', 'section_random', 'personas']) === true;
    const middle = sections.map((each) =>
      each.section === 'personas' && !rolls
        ? { ...each, used: each.selected, origin: 'selection' as const }
        : each,
    );
    return { ...scene.preview(tree), sections: { head: 0, middle, tail: 0 } };
  };
  return { ...scene, preview };
}

test('a lock that is pressed stays as a closed one, and pressed again it rolls again', async () => {
  const { fake } = await openStudio(lockable());
  const lock = card('personas').getByRole('button', { name: 'Lock personas brisk' });
  expect(lock.getAttribute('aria-pressed')).toBe('false');
  lock.focus();
  await fireEvent.click(lock);
  await expect.poll(() => at(fake.tree, ['state', 'section_random', 'personas'])).not.toBe(true);
  const closed = await card('personas').findByRole('button', { name: /^Unlock personas/ });
  expect(closed).toBe(lock);
  expect(closed.getAttribute('aria-pressed')).toBe('true');
  await fireEvent.click(closed);
  await expect.poll(() => at(fake.tree, ['state', 'section_random', 'personas'])).toBe(true);
});

test('the items can be edited while they are rolled', async () => {
  await openStudio(guides());
  expect(card('personas').getByRole('button', { name: 'Edit items of personas' })).toBeTruthy();
});

test.each([
  ['an optional section selects it beside the others', 'notes', ['short', 'item']],
  ['an injection that names no section yet is left out', 'runtime_injections', undefined],
  ['a required section keeps its selection', 'personas', undefined],
])('an item that is added: %s', async (_what, name, selected) => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  await fireEvent.click(screen.getByRole('button', { name: `${name} actions` }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: 'Add item' }));
  await expect.poll(() => JSON.stringify(at(fake.tree, ['registry', name]))).toContain('"item"');
  expect(at(fake.tree, ['state', 'selections', name])).toEqual(selected);
});

test.each([
  ['Enter', 'voices'],
  ['Escape', 'personas'],
])('after %s in the name of a section its card has the focus', async (name, expected) => {
  const { screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'personas actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename section' }));
  const field = await screen.findByRole('textbox', { name: 'Rename section' });
  await fireEvent.input(field, { target: { value: 'voices' } });
  await fireEvent.keyDown(field, { key: name });
  await expect.poll(() => document.activeElement?.getAttribute('data-card')).toBe(expected);
});

test.each([
  ['personas', 'The rolls of voices change with its name: each seed rolls it anew.'],
  ['notes', null],
])('a new name of the section %s says whether its rolls change', async (section, words) => {
  const { screen, fake } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: `${section} actions` }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: 'Rename section' }));
  const field = await screen.findByRole('textbox', { name: 'Rename section' });
  await fireEvent.input(field, { target: { value: 'voices' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => fake.calls.filter(({ name }) => name === 'apply')).toHaveLength(1);
  if (words === null) expect(screen.queryByText(/rolls of voices/)).toBeNull();
  else expect(await screen.findByText(words)).toBeTruthy();
});

test.each([
  ['personas', 'The rolls of personas change with the name calmer'],
  ['notes', null],
])('a new name of an item of %s says whether rolls change', async (section, words) => {
  const { screen, fake } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: `Edit items of ${section}` }));
  const edit = card(section).queryByRole('button', { name: 'Edit short' });
  if (edit) await fireEvent.click(edit);
  const field = screen.getByRole('textbox', { name: 'Item name' });
  field.focus();
  await fireEvent.input(field, { target: { value: 'calmer' } });
  await fireEvent.blur(field);
  await expect.poll(() => JSON.stringify(fake.tree)).toContain('"calmer"');
  if (words === null) expect(screen.queryByText(/^The rolls of/)).toBeNull();
  else expect(await screen.findByText(new RegExp(`^${words}`))).toBeTruthy();
});

test('a variable is renamed at its name, and the focus stays with it', async () => {
  const { fake, screen } = await openStudio(guides());
  const names = ['registry', 'personas', 'template_vars'];
  await fireEvent.click(screen.getByRole('button', { name: 'Rename variable place' }));
  const field = await screen.findByRole('textbox', { name: 'Rename variable place' });
  await fireEvent.input(field, { target: { value: ' channel ' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => at(fake.tree, names)).toEqual(['channel', 'idle']);
  const value = await screen.findByRole('textbox', { name: 'personas variable channel' });
  await expect.poll(() => document.activeElement).toBe(value);
});

test('a value with a line break is shown on lines, and keeps it when a letter is typed', async () => {
  const scene = guides();
  const state = { template_vars: { 'personas::place': 'the desk\nby the door' } };
  const tree = { ...(scene.tree as JsonObject), state };
  const { fake, screen } = await openStudio({ ...scene, tree });
  const field = screen.getByRole('textbox', { name: 'personas variable place' });
  expect((field as HTMLTextAreaElement).value).toBe('the desk\nby the door');
  await fireEvent.input(field, { target: { value: 'the desk\nby the doors' } });
  await expect
    .poll(() => at(fake.tree, ['state', 'template_vars', 'personas::place']))
    .toBe('the desk\nby the doors');
});

test('a value is set for the variables of that name in other sections', async () => {
  const scene = guides();
  const tree = structuredClone(scene.tree) as { registry: Record<string, JsonObject> };
  tree.registry.notes!.template_vars = ['place', 'day'];
  const { fake, screen } = await openStudio({ ...scene, tree: tree as never });
  const offer = () => screen.queryByRole('button', { name: /^Set place in/ });
  expect(offer()).toBeNull();
  const field = screen.getByRole('textbox', { name: 'notes variable place' });
  await fireEvent.input(field, { target: { value: 'sea' } });
  await expect
    .poll(() => offer()?.getAttribute('aria-label'))
    .toBe('Set place in personas as well');
  await fireEvent.click(offer()!);
  await expect
    .poll(() => at(fake.tree, ['state', 'template_vars']))
    .toEqual({
      'notes::place': 'sea',
      'personas::place': 'sea',
    });
  await expect.poll(offer).toBeNull();
});

test('a name that a variable cannot have stays in the field with the reason', async () => {
  const { screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'Rename variable place' }));
  const field = await screen.findByRole('textbox', { name: 'Rename variable place' });
  await fireEvent.input(field, { target: { value: 'idle' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect((await screen.findByRole('alert')).textContent).toContain('The name idle is taken');
  await fireEvent.keyDown(field, { key: 'Escape' });
  await expect.poll(() => screen.queryByRole('alert')).toBeNull();
});

test('a section that is made optional keeps its selected item in use', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'personas actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: 'Make optional' }));
  await expect.poll(() => at(fake.tree, ['registry', 'personas', 'required'])).toBe(false);
  expect(at(fake.tree, ['registry', 'personas', 'selected'])).toEqual(['calm']);
});

test('a section is duplicated from its menu, with a color of its own', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'personas actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: 'Duplicate section' }));
  const registry = () => at(fake.tree, ['registry', 'personas_2']);
  await expect.poll(registry).toEqual(at(fake.tree, ['registry', 'personas']));
  expect(sectionColor('personas_2')).toBeDefined();
  expect(card('personas_2').getByRole('button', { name: 'personas_2 actions' })).toBeTruthy();
});

test.each([
  ['paste', 'in\r\nthe hall', 'in\nthe hall'],
  ['Enter', undefined, '\n'],
])('the value of a variable takes line breaks: %s', async (_how, pasted, typed) => {
  const { fake, screen } = await openStudio(guides());
  const field = () =>
    screen.getByRole('textbox', { name: 'personas variable place' }) as
      HTMLInputElement | HTMLTextAreaElement;
  field().focus();
  await fireEvent.input(field(), { target: { value: 'Here, now' } });
  field().setSelectionRange(5, 6);
  if (pasted === undefined) await fireEvent.keyDown(field(), { key: 'Enter' });
  else await fireEvent.paste(field(), { clipboardData: { getData: () => pasted } });
  const value = `Here,${typed}now`;
  await expect.poll(() => field().value).toBe(value);
  expect(at(fake.tree, ['state', 'template_vars', 'personas::place'])).toBe(value);
  // The caret stays behind what was put in, in the field of several lines.
  expect(document.activeElement).toBe(field());
  expect(field().tagName).toBe('TEXTAREA');
  expect(field().selectionStart).toBe(5 + typed.length);
});
