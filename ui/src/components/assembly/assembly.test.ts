// The tokens of the assembly under mouse and keyboard: their menus, their completion, their fields.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { JsonObject } from '$lib/document/edit';
import { completions } from '$lib/document/token';
import { guides } from '../../testing/guides';
import { key, lastEdits, openStudio } from '../../testing/studio';

const order = ['registry', 'assembly_order'];

test.each([
  ['Remove entry', [{ kind: 'remove', path: [...order, 1] }]],
  ['Move down', [{ kind: 'move', path: order, from: 1, to: 2 }]],
  ['Move up', [{ kind: 'move', path: order, from: 1, to: 0 }]],
])('the menu of a token stays while a press moves the focus in it: %s', async (entry, edits) => {
  const { fake, screen } = await openStudio(guides());
  const button = screen.getByRole('button', { name: 'Entry personas.tips actions' });
  await fireEvent.click(button);
  const menu = await screen.findByRole('menu', { name: 'Entry personas.tips actions' });
  const taken = within(menu).getByRole('menuitem', { name: new RegExp(`^${entry}`) });
  // The row is left for a moment: the focus goes over only after that.
  await fireEvent.focusOut(within(menu).getAllByRole('menuitem')[0]!);
  await fireEvent.pointerLeave(button.closest('li')!);
  expect(taken.isConnected).toBe(true);
  await fireEvent.click(taken);
  await expect.poll(() => lastEdits(fake)).toEqual(edits);
  expect(document.activeElement).not.toBe(document.body);
});

test('the field of an entry is gone once another entry is in its place', async () => {
  const { fake, screen } = await openStudio(guides());
  const list = within(screen.getByRole('list', { name: 'Assembly order' }));
  const first = list.getAllByRole('listitem')[0]!;
  await fireEvent.click(
    within(first).getByRole('button', { name: 'Entry personas.context actions' }),
  );
  await fireEvent.click(await screen.findByRole('menuitem', { name: /^Remove entry/ }));
  await expect.poll(() => fake.revision).toBe(1);
  const second = list.getAllByRole('listitem')[0]!;
  const name = second.querySelector<HTMLElement>('[data-token]')!;
  await fireEvent.keyDown(name, { key: 'F2' });
  expect(within(second).getByRole('combobox')).toBeTruthy();
  key('z', { ctrlKey: true });
  await expect.poll(() => list.queryByRole('combobox')).toBeNull();
});

test('the menus of tokens are one stop of Tab, and an arrow leads to each from its name', async () => {
  const { screen } = await openStudio(guides());
  const list = within(screen.getByRole('list', { name: 'Assembly order' }));
  const menus = list.getAllByRole('button', { name: /^Entry .* actions$/ });
  expect(menus).toHaveLength(4);
  key('Tab');
  expect(menus.map((menu) => menu.tabIndex)).toEqual([0, -1, -1, -1]);
  const [name] = list.getAllByRole('button');
  name!.focus();
  await fireEvent.keyDown(name!, { key: 'ArrowDown' });
  key('Tab');
  expect(menus.map((menu) => menu.tabIndex)).toEqual([-1, 0, -1, -1]);
  name!.focus();
  await fireEvent.keyDown(name!, { key: 'ArrowRight' });
  expect(document.activeElement).toBe(menus[0]);
  await fireEvent.keyDown(menus[0]!, { key: 'ArrowDown' });
  expect(document.activeElement).toBe(menus[1]);
  await fireEvent.keyDown(menus[1]!, { key: 'ArrowLeft' });
  expect(document.activeElement).toBe(list.getAllByRole('button')[2]);
});

test('the entries are one stop of Tab, moved along by arrows, Home and End', async () => {
  const { screen } = await openStudio(guides());
  const list = screen.getByRole('list', { name: 'Assembly order' });
  const names = () => [...list.querySelectorAll<HTMLElement>('[data-token]')];
  const stops = () => names().map(({ tabIndex }) => tabIndex);
  const at = () => names().indexOf(document.activeElement as HTMLElement);
  expect(stops()).toEqual([0, -1, -1, -1]);
  names()[0]!.focus();
  for (const [name, to] of [
    ['End', 3],
    ['ArrowDown', 3],
    ['ArrowUp', 2],
    ['Home', 0],
    ['ArrowDown', 1],
  ] as const) {
    key(name);
    await expect.poll(at).toBe(to);
  }
  await expect.poll(stops).toEqual([-1, 0, -1, -1]);
  key('End');
  await expect.poll(at).toBe(3);
  key('Delete');
  await expect.poll(stops).toEqual([-1, -1, 0]);
  await expect.poll(at).toBe(2);
});

test('a variable has its tools within reach of the keyboard, pointed at or not', async () => {
  const { screen } = await openStudio(guides());
  const place = screen.getByRole('textbox', { name: 'personas variable place' });
  await fireEvent.input(place, { target: { value: 'sea' } });
  const tool = await screen.findByRole('button', { name: 'Set as the default of place' });
  expect(getComputedStyle(tool.parentElement!).display).not.toBe('none');
});

test('Enter takes the first completion of the typed text', async () => {
  const { fake, screen } = await openStudio(guides());
  const field = screen.getByRole('combobox', { name: 'Add entry' });
  await fireEvent.focus(field);
  await fireEvent.input(field, { target: { value: 'personas.ti' } });
  expect((await screen.findByRole('option', { selected: true })).textContent).toContain(
    'personas.tips',
  );
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([{ kind: 'insert', path: [...order, 4], value: 'personas.tips' }]);
  // Shift+Tab leads to the tools of what was added.
  await expect.poll(() => document.querySelectorAll('[data-token]')).toHaveLength(5);
  key('Tab', { shiftKey: true });
  const menus = screen.getAllByRole('button', { name: /^Entry .* actions$/ });
  expect(menus.map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, -1, -1, 0]);
});

test('a bracket is completed by what the core says can match', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.lookUps = ['personas[guides.tip]', 'personas[guides.id]', 'notes[guides.id]'];
  const field = screen.getByRole('combobox', { name: 'Add entry' });
  await fireEvent.focus(field);
  await fireEvent.input(field, { target: { value: 'personas[' } });
  const options = async () =>
    (await screen.findAllByRole('option')).map(
      (option) => option.querySelector('.mono')?.textContent,
    );
  // `personas[personas]` and all others that only the names of sections allow are not there.
  await expect.poll(options).toEqual(['personas[guides.tip]', 'personas[guides.id]']);
  await fireEvent.input(field, { target: { value: 'personas[.id' } });
  expect(await options()).toEqual(['personas[guides.id]']);
  const asked = () => fake.calls.filter(({ name }) => name === 'lookUps').map(({ args }) => args);
  expect(asked()).toEqual([['guides.json', 'personas[']]);
  await fireEvent.keyDown(field, { key: 'ArrowDown' });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([{ kind: 'insert', path: [...order, 4], value: 'personas[guides.id]' }]);
});

test('Enter takes the typed text if nothing completes it', async () => {
  const { fake, screen } = await openStudio(guides());
  const field = screen.getByRole('combobox', { name: 'Add entry' });
  await fireEvent.focus(field);
  // A part of names, and the beginning of none.
  await fireEvent.input(field, { target: { value: 'injections' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([{ kind: 'insert', path: [...order, 4], value: 'injections' }]);
});

test('leaving the field of a token by a key leads back to the token', async () => {
  const { screen } = await openStudio(guides());
  const token = screen.getByRole('button', { name: 'personas.tips' });
  token.focus();
  await fireEvent.keyDown(token, { key: 'F2' });
  const field = await screen.findByRole('combobox', { name: 'Edit entry personas.tips' });
  await fireEvent.keyDown(field, { key: 'Escape' });
  await fireEvent.keyDown(field, { key: 'Escape' });
  await expect.poll(() => document.activeElement?.textContent).toBe('personas.tips');
});

test.each<[string, JsonObject, boolean, string[]]>([
  [
    'the scale sentence before a field that begins alike',
    {},
    true,
    ['mood.scale', 'mood.scale_words'],
  ],
  [
    'once, where an item has a field of that name',
    { scale: 'x' },
    true,
    ['mood.scale', 'mood.scale_words'],
  ],
  ['not without a slider', {}, false, ['mood.scale_words']],
])('completion offers %s', (_what, item, slider, tokens) => {
  const registry = { mood: { items: [{ id: 'up', scale_words: 'joy', ...item }] } };
  const found = completions(registry as JsonObject, 'mood.sc', { hasSlider: () => slider }).map(
    ({ token }) => token,
  );
  expect(found.toSorted()).toEqual(tokens);
  expect(found[0]).toBe(tokens[0]);
});
