// The window over a fake service: what a person sees and presses, and what reaches the service.
import { fireEvent, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import type { JsonValue } from '$lib/ipc';
import { applyAll } from '$lib/document/edit';
import { guides, sections } from './testing/guides';
import { key, lastEdits, openStudio } from './testing/studio';

const card = (name: string) => document.querySelector<HTMLElement>(`[data-card="${name}"]`)!;

test('a card tells what is selected and what was rolled', async () => {
  await openStudio(guides());
  const personas = within(card('personas'));
  expect(personas.getByText('required, 2 items')).toBeTruthy();
  expect(personas.getAllByTitle('Rolled for this evaluation: brisk').length).toBeGreaterThan(0);
  expect(personas.getByRole('button', { name: /^Item of personas: / }).textContent).toContain(
    'calm',
  );
});

test('an item is chosen with the keyboard and goes on being rolled', async () => {
  const { fake, screen } = await openStudio(guides());
  const select = screen.getByRole('button', { name: /^Item of personas: / });
  await fireEvent.click(select);
  const option = await screen.findByRole('option', { name: 'brisk' });
  await fireEvent.keyDown(option, { key: 'Enter' });
  await expect
    .poll(() => fake.tree)
    .toMatchObject({
      state: { selections: { personas: 'brisk' }, section_random: { personas: true } },
    });
});

test('a key of the window is not taken for a letter of a list that is open', async () => {
  const { screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: /^Item of personas: / }));
  (await screen.findByRole('option', { name: 'brisk' })).focus();
  key('k', { ctrlKey: true });
  expect(await screen.findByRole('combobox', { name: 'Commands' })).toBeTruthy();
});

test('checkboxes of an optional section select in item order', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('checkbox', { name: 'long' }));
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  await expect
    .poll(() => fake.tree)
    .toMatchObject({ state: { selections: { notes: ['short', 'long'] } } });
});

test('a mode is chosen by the text of an entry, and K by its stepper', async () => {
  const { fake, screen } = await openStudio(guides());
  const menu = screen.getByRole('button', { name: /^Mode of personas tips: / });
  expect(menu.textContent).toContain('random · 1');
  await fireEvent.click(menu);
  await fireEvent.click(await screen.findByRole('button', { name: /^0\s*Go\./ }));
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([
      { kind: 'set', path: ['state', 'array_modes', 'personas', 'tips'], value: 'index:0' },
    ]);
});

test('an unused variable is marked, a missing one is reported', async () => {
  const { fake, screen } = await openStudio(guides());
  const place = screen.getByRole('textbox', { name: 'personas variable place' });
  expect(place.getAttribute('placeholder')).toBe('no value');
  expect(screen.queryByText('unused')).toBeNull();
  const unused = {
    code: 'variable_unused',
    severity: 'warning' as const,
    message: 'template variable "idle" is declared but no text uses it',
    pointer: '/personas/template_vars/1',
    also: [],
    data: { name: 'idle', section: 'personas' },
    line: null,
    column: null,
  };
  fake.emit({ kind: 'lint', document: 'guides.json', revision: 0, diagnostics: [unused] });
  await expect.poll(() => screen.queryAllByText('unused')).toHaveLength(1);
});

test('typing a variable is one burst, and emptying it takes it away', async () => {
  const { fake, screen } = await openStudio(guides());
  const place = screen.getByRole('textbox', { name: 'personas variable place' });
  await fireEvent.input(place, { target: { value: 'sea' } });
  await expect
    .poll(() => fake.tree)
    .toMatchObject({ state: { template_vars: { 'personas::place': 'sea' } } });
  await fireEvent.input(place, { target: { value: '' } });
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([{ kind: 'remove', path: ['state', 'template_vars', 'personas::place'] }]);
});

test('an injection says what it keeps and drops', async () => {
  await openStudio(guides());
  const injections = within(card('runtime_injections'));
  expect(injections.getByText('keeps')).toBeTruthy();
  expect(injections.getByText('drops 1')).toBeTruthy();
});

test('a filtered card closes, says by what, and opens all the same', async () => {
  const filtered = sections.map((each) =>
    each.section === 'notes' ? { ...each, filtered_by: ['alarm'] } : each,
  );
  const scene = guides();
  await openStudio({
    ...scene,
    preview: (tree) => ({
      ...scene.preview(tree),
      sections: { head: 0, middle: filtered, tail: 0 },
    }),
  });
  const notes = within(card('notes'));
  expect(notes.getByText('alarm')).toBeTruthy();
  expect(notes.queryByRole('checkbox')).toBeNull();
  await fireEvent.click(notes.getByRole('button', { name: 'Expand notes' }));
  expect(notes.getAllByRole('checkbox')).toHaveLength(2);
});

test('tokens say what became of them', async () => {
  const { screen } = await openStudio(guides());
  const order = within(screen.getByRole('list', { name: 'Assembly order' }));
  expect(order.getByText('dropped: none is checked')).toBeTruthy();
  expect(order.getAllByRole('listitem')).toHaveLength(4);
});

test('a token moves with Alt and an arrow, and the focus goes along', async () => {
  const { fake, screen } = await openStudio(guides());
  const order = within(screen.getByRole('list', { name: 'Assembly order' }));
  const notes = order.getByRole('button', { name: 'notes' });
  notes.focus();
  key('ArrowUp', { altKey: true });
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([{ kind: 'move', path: ['registry', 'assembly_order'], from: 2, to: 1 }]);
  await expect.poll(() => document.activeElement?.textContent).toBe('notes');
});

test('a token is added by completion', async () => {
  const { fake, screen } = await openStudio(guides());
  const field = screen.getByRole('combobox', { name: 'Add entry' });
  await fireEvent.focus(field);
  await fireEvent.input(field, { target: { value: 'personas.t' } });
  await fireEvent.keyDown(field, { key: 'ArrowDown' });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([{ kind: 'insert', path: ['registry', 'assembly_order', 4], value: 'personas.tips' }]);
});

test('registry text is never markup', async () => {
  const { screen } = await openStudio(guides());
  const prompt = screen.getByRole('group', { name: 'Evaluated prompt' });
  expect(prompt.textContent).toContain('<b>Go.</b>');
  expect(prompt.querySelector('b')).toBeNull();
});

test('pointing at a stretch tells where it is from, pressing it opens the field', async () => {
  const { screen } = await openStudio(guides());
  const spot = screen.getByRole('link', { name: '<b>Go.</b>' });
  await fireEvent.pointerOver(spot);
  expect(screen.getByText('tips[0]')).toBeTruthy();
  await fireEvent.click(spot, { ctrlKey: true });
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toBe('personas.brisk.tips entry 1');
});

test('an undeclared name is underlined where it is printed, and leads where its problem does', async () => {
  const scene = guides();
  // A heading is printed with its list, and authored in a separate field.
  const text = 'Brisk at {plce}:';
  const undeclared = [
    { start: 9, end: 15, closed: true, pointer: '/personas/items/1/pre_context' },
  ];
  const source = { token: 0, section: 'personas', item: 1, item_name: 'brisk', field: 'tips' };
  const path = ['registry', 'personas', 'items', 1, 'pre_context'];
  const tree = applyAll(scene.tree, [{ kind: 'set', path, value: text }]);
  const preview = (tree: JsonValue) => ({
    ...scene.preview(tree),
    segments: { head: 0, middle: [{ text, source, undeclared }], tail: 0 },
  });
  const { screen } = await openStudio({ ...scene, tree, preview });
  const mark = screen.getByTitle('{plce} is not declared in personas');
  expect(mark.textContent).toBe('{plce}');
  const spot = screen.getByRole('link', { name: /Brisk at/ });
  expect(spot.textContent).toBe(text);
  spot.focus();
  expect(await screen.findByText('{plce} not declared')).toBeTruthy();
  await fireEvent.click(mark, { ctrlKey: true });
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toBe('personas.brisk.pre_context');
});

test.each([
  ['its first field', 'calm', 'personas.calm.context'],
  ['its row when it has none', 'bare', 'Close bare'],
])('going to an item leads to %s', async (_what, item, focused) => {
  const scene = guides();
  const tree = structuredClone(scene.tree) as { registry: { personas: { items: object[] } } };
  tree.registry.personas.items.push({ id: 'bare' });
  const { screen } = await openStudio({ ...scene, tree: tree as never });
  key('k', { ctrlKey: true });
  const query = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(query, { target: { value: `@personas.${item}` } });
  await fireEvent.keyDown(query, { key: 'Enter' });
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe(focused);
});

test('in a narrow window a press on the prompt with Ctrl leads back to the deck', async () => {
  const { screen } = await openStudio(guides(), 900);
  screen.getByRole('radio', { name: 'Deck' }).focus();
  key('ArrowRight');
  await expect
    .poll(() => document.activeElement === screen.getByRole('radio', { name: 'Preview' }))
    .toBe(true);
  await fireEvent.click(screen.getByRole('link', { name: '<b>Go.</b>' }), { ctrlKey: true });
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toBe('personas.brisk.tips entry 1');
});

test('in a narrow window the switch begins the heads of the deck and of the preview', async () => {
  const { screen } = await openStudio(guides(), 900);
  const toggle = () => screen.getByRole('radio', { name: 'Deck' }).closest('[role="radiogroup"]');
  const isFirst = (head: string) =>
    document.querySelector(head)?.firstElementChild?.contains(toggle());
  expect(isFirst('[data-column="deck"] .col-head')).toBe(true);
  await fireEvent.click(screen.getByRole('radio', { name: 'Preview' }));
  await expect.poll(() => isFirst('[data-column="preview"] .head')).toBe(true);
});

test.each([
  ['closes without a name', '', false],
  ['keeps the name that was typed', 'rules', true],
])('the form of a new section that the preview takes the place of %s', async (_, typed, open) => {
  const { screen } = await openStudio(guides(), 900);
  await fireEvent.click(screen.getByRole('button', { name: 'Add section' }));
  const field = await screen.findByRole('textbox', { name: 'Section name' });
  await fireEvent.input(field, { target: { value: typed } });
  await fireEvent.click(screen.getByRole('radio', { name: 'Preview' }));
  await expect.poll(() => screen.queryByRole('textbox', { name: 'Section name' })).toBeNull();
  await fireEvent.click(screen.getByRole('radio', { name: 'Deck' }));
  await screen.findByRole('heading', { name: 'Deck' });
  const [again] = screen.queryAllByRole('textbox', { name: 'Section name' });
  expect((again as HTMLInputElement | undefined)?.value).toBe(open ? typed : undefined);
});

test('in a narrow window a tab that is asked for by name comes into sight with the focus', async () => {
  const { screen } = await openStudio(guides(), 900);
  key('k', { ctrlKey: true });
  const query = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(query, { target: { value: 'show json' } });
  await fireEvent.keyDown(query, { key: 'Enter' });
  await expect.poll(() => document.activeElement?.textContent).toBe('JSON');
  expect(document.activeElement?.getAttribute('aria-selected')).toBe('true');
});

test('with nothing to compare with, the tab offers what there could be', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('tab', { name: 'Compare' }));
  expect(screen.getByText('No snapshot to compare with')).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Take snapshot' }));
  await expect.poll(() => fake.calls.some(({ name }) => name === 'takeSnapshot')).toBe(true);
});

test('a rolled value is locked by its own button, all by one', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'Lock personas brisk' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Lock all 2' }));
  await expect
    .poll(() => fake.calls.filter((call) => call.name === 'lock').map((call) => call.args[1]))
    .toEqual([[{ kind: 'item', section: 'personas' }], null]);
});

test('an item is renamed and what refers to it follows', async () => {
  const scene = guides();
  const tree = structuredClone(scene.tree) as { registry: { assembly_order: string[] } };
  tree.registry.assembly_order.push('personas.calm');
  const { fake, screen } = await openStudio({ ...scene, tree: tree as never });
  await fireEvent.click(screen.getByRole('button', { name: 'personas actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit items' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Edit calm' }));
  const name = screen.getByRole('textbox', { name: 'Item name' });
  name.blur();
  await expect.poll(() => screen.queryByText('updates 1 reference')).toBeNull();
  name.focus();
  expect(await screen.findByText('updates 1 reference')).toBeTruthy();
  await fireEvent.input(name, { target: { value: 'still' } });
  await fireEvent.keyDown(name, { key: 'Enter' });
  await expect
    .poll(() => (fake.tree as typeof tree).registry.assembly_order.at(-1))
    .toBe('personas.still');
});

test('JSON that does not parse changes nothing and says why', async () => {
  const scene = guides();
  const tree = structuredClone(scene.tree) as { registry: { personas: { items: object[] } } };
  Object.assign(tree.registry.personas.items[0]!, { stage: { light: 1 } });
  const { fake, screen } = await openStudio({ ...scene, tree: tree as never });
  await fireEvent.click(screen.getByRole('button', { name: 'personas actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit items' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Edit calm' }));
  const field = screen.getByRole('textbox', { name: 'personas.calm.stage' });
  await fireEvent.input(field, { target: { value: '{"light":' } });
  expect(screen.getByRole('alert').textContent).toContain(
    'Not JSON yet: the text ends in the middle of the object that begins at line 1, column 1. The value stays {"light":1}.',
  );
  expect(lastEdits(fake)).toBeUndefined();
  await fireEvent.input(field, { target: { value: '{"light": 2}' } });
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([
      { kind: 'set', path: ['registry', 'personas', 'items', 0, 'stage'], value: { light: 2 } },
    ]);
});

test('deleting a section asks first and says what refers to it', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'personas actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete section' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(/2 assembly entries refer to it/)).toBeTruthy();
  await fireEvent.click(dialog.getByRole('button', { name: 'Delete section' }));
  await expect
    .poll(() => fake.tree)
    .toMatchObject({ registry: { assembly_order: ['notes', 'missing'] } });
});

test('the palette finds an action by letters and runs it', async () => {
  const { fake, screen } = await openStudio(guides());
  key('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(field, { target: { value: 'roll every' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => fake.calls.some((call) => call.name === 'roll')).toBe(true);
  expect(screen.queryByRole('combobox', { name: 'Commands' })).toBeNull();
});

test('the palette fixes a problem, as the link beside it does', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.emit({
    kind: 'lint',
    document: 'guides.json',
    revision: 0,
    diagnostics: [
      {
        code: 'section_not_rendered',
        severity: 'warning',
        message: 'no token renders "runtime_injections"',
        pointer: '/runtime_injections',
        also: [],
        data: {
          section: 'runtime_injections',
          insertion: 'runtime_injections',
          index: 1,
          order: '/assembly_order',
        },
        line: null,
        column: null,
      },
    ],
  });
  await screen.findByText('No entry prints runtime_injections');
  key('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(field, { target: { value: 'add entry runtime' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => lastEdits(fake)).toMatchObject([{ value: 'runtime_injections' }]);
});

test.each([
  [
    'use personas.brisk',
    { kind: 'set', path: ['state', 'selections', 'personas'], value: 'brisk' },
  ],
  ['use notes.long', { kind: 'set', path: ['state', 'selections', 'notes'], value: ['long'] }],
])('the palette selects an item: %s', async (letters, edit) => {
  const { fake, screen } = await openStudio(guides());
  key('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(field, { target: { value: letters } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => lastEdits(fake)).toMatchObject([edit]);
  // A selected item can be deselected where its section allows it.
  key('k', { ctrlKey: true });
  const again = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(again, { target: { value: letters } });
  expect(screen.queryByRole('option', { name: new RegExp(`^${letters}$`, 'i') })).toBeNull();
  await fireEvent.input(again, { target: { value: letters.replace('use', 'stop using') } });
  const left = screen.queryByRole('option', { name: /^Stop using notes.long$/ });
  expect(left === null).toBe(letters.includes('personas'));
});

test('the palette asks for a field of any item', async () => {
  const { screen } = await openStudio(guides());
  key('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(field, { target: { value: 'add field to notes.long' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  const asked = await screen.findByRole('dialog', { name: 'Add field' });
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Field name');
  await fireEvent.click(within(asked).getByRole('button', { name: /^context\b/ }));
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toBe('notes.long.context');
  // Asked again, it asks again.
  key('k', { ctrlKey: true });
  const again = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(again, { target: { value: 'add field to notes.long' } });
  await fireEvent.keyDown(again, { key: 'Enter' });
  expect(await screen.findByRole('dialog', { name: 'Add field' })).toBeTruthy();
});

test('the palette does not select an item without a name', async () => {
  const scene = guides();
  const path = ['registry', 'notes', 'items', 2];
  const tree = applyAll(scene.tree, [{ kind: 'insert', path, value: { text: 'Nameless.' } }]);
  const { screen } = await openStudio({ ...scene, tree });
  key('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(field, { target: { value: 'notes.#3' } });
  await screen.findByRole('option', { name: 'Duplicate notes.#3' });
  expect(screen.queryByRole('option', { name: 'Use notes.#3' })).toBeNull();
});

test.each([
  ['s', { ctrlKey: true }, 'save'],
  ['S', { ctrlKey: true, shiftKey: true }, 'takeSnapshot'],
  ['e', { ctrlKey: true }, 'modelJson'],
  ['r', { ctrlKey: true }, 'roll'],
  ['l', { ctrlKey: true }, 'lock'],
])('Ctrl %s asks for %s', async (name, modifiers, call) => {
  const { fake } = await openStudio(guides());
  key(name, modifiers);
  await expect.poll(() => fake.calls.some((each) => each.name === call)).toBe(true);
});

test('undo in a field of the deck is the deck’s, in a field of no document the field’s', async () => {
  const { fake, screen } = await openStudio(guides());
  const asked = () => fake.calls.filter((call) => call.name === 'undo').length;
  const handled: string[] = [];
  Object.assign(document, { execCommand: (command: string) => handled.push(command) > 0 });
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  await expect.poll(() => fake.revision).toBe(1);
  screen.getByRole('textbox', { name: 'personas variable place' }).focus();
  key('z', { ctrlKey: true });
  await expect.poll(asked).toBe(1);
  expect(handled).toEqual([]);
  const find = screen.getByRole('textbox', { name: 'Find in deck' });
  find.focus();
  await fireEvent.input(find, { target: { value: 'mood' } });
  key('z', { ctrlKey: true });
  key('Z', { ctrlKey: true, shiftKey: true });
  key('y', { ctrlKey: true });
  expect(handled).toEqual(['undo', 'redo', 'redo']);
  await new Promise((done) => setTimeout(done, 20));
  expect(asked()).toBe(1);
});

test('an edit that the service rejects is reported, and nothing disappears', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.failing.set('save', { code: 'disk_full', message: 'The disk is full.' });
  key('s', { ctrlKey: true });
  expect((await screen.findByText('The disk is full.')).textContent).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText(/^Saved guides\.json\./)).toBeTruthy();
});

test('the first save says what of the window is not in the file, the next ones do not', async () => {
  const { screen } = await openStudio(guides());
  key('s', { ctrlKey: true });
  const first = 'Saved guides.json. Kept in this studio, not in the file: modes of lists, Random.';
  expect(await screen.findByText(first)).toBeTruthy();
  key('s', { ctrlKey: true });
  expect(await screen.findByText('Saved guides.json.')).toBeTruthy();
});

test('a snapshot is taken, found, and deleted with an undo', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'Snapshots' }));
  const panel = within(screen.getByRole('dialog', { name: 'Snapshots' }));
  await fireEvent.click(panel.getByRole('button', { name: 'Take snapshot' }));
  await panel.findByRole('option', { name: /Taken now/ });
  await fireEvent.input(panel.getByRole('textbox', { name: 'Find a snapshot' }), {
    target: { value: 'zzz' },
  });
  expect(await panel.findByText('No snapshot matches “zzz”')).toBeTruthy();
  await fireEvent.input(panel.getByRole('textbox', { name: 'Find a snapshot' }), {
    target: { value: '' },
  });
  await fireEvent.click(await panel.findByRole('button', { name: 'Delete' }));
  await fireEvent.click(await screen.findByText('Undo'));
  await expect.poll(() => fake.snapshots.length).toBe(1);
});

test('a snapshot is compared with now again after every change', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.comparison = { settings: [], added: 5, removed: 3 };
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Snapshots' }));
  const panel = within(screen.getByRole('dialog', { name: 'Snapshots' }));
  await fireEvent.click(panel.getByRole('button', { name: 'Take snapshot' }));
  expect(await panel.findByText('0 settings, 8 words')).toBeTruthy();
  expect(panel.queryByText('No differences from now.')).toBeNull();
  expect(panel.getByText('No setting differs; Compare shows the text that does.')).toBeTruthy();
  fake.comparison = { settings: [], added: 0, removed: 0 };
  panel.getByRole('button', { name: 'Take snapshot' }).focus();
  key('z', { ctrlKey: true });
  expect(await panel.findByText('0 settings, 0 words')).toBeTruthy();
  expect(panel.getByText('No differences from now.')).toBeTruthy();
  fake.comparison = { settings: [], added: 0, removed: 0, edited: ['guides', 'assembly_order'] };
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  const differs = 'The deck differs in: section guides, assembly order.';
  expect(await panel.findByText(differs)).toBeTruthy();
  expect(panel.getByText('Settings and prompt are the same.')).toBeTruthy();
  expect(panel.queryByText('No differences from now.')).toBeNull();
});

test('axe finds nothing wrong in the window', async () => {
  await openStudio(guides());
  // Contrast needs real layout; it is checked in the real window.
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false } },
  });
  expect(
    violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(' | ')}`),
  ).toEqual([]);
});

test('a click on a variant uses it', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('tab', { name: 'Variants' }));
  const use = await screen.findAllByRole('button', { name: /^Use variant of seed/ });
  await fireEvent.click(use[0]!.closest('li')!);
  await expect.poll(() => fake.calls.some(({ name }) => name === 'useSeed')).toBe(true);
});
