// The names that are refused, and the words beside the field that was typed in.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';
import { nameFrom, nameProblem, variableNameFrom } from './names';

test.each([
  ['my_rules-2', undefined],
  ['größe🎲', undefined],
  ['', 'Enter a name.'],
  ['a\u00a0b', 'A name cannot contain whitespace.'],
  ['my rules. [new]', 'A name cannot contain whitespace.'],
  ['a].b', 'A name cannot contain “]”, which separates the parts of an entry.'],
])('%j', (name, words) => {
  expect(nameProblem(name)).toBe(words);
});

test.each([
  ['very formal', 'very_formal'],
  ['  the\u00a0 old\tmill ', 'the_old_mill'],
  ['first', 'first'],
  ['\u0085', ''],
])('the words %j make the name %j', (typed, name) => {
  expect(nameFrom(typed)).toBe(name);
});

test.each([
  ['guest name', 'guest_name'],
  [' {guest} ', 'guest'],
  ['mood 2!', 'mood_2!'],
])('the words %j make the name %j of a variable', (typed, name) => {
  expect(variableNameFrom(typed)).toBe(name);
});

test('before Enter, a field says which name the words make', async () => {
  const { screen } = await openStudio(guides());
  const expectFault = async (field: HTMLElement, typed: string, words: string) => {
    await fireEvent.input(field, { target: { value: typed } });
    const status = () =>
      [...document.querySelectorAll('[role=status]')]
        .map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim() ?? '')
        .filter((each) => each.startsWith('becomes'))
        .join();
    await expect.poll(status).toBe(words);
  };
  await fireEvent.click(screen.getByRole('button', { name: 'personas actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: /^Rename/ }));
  const section = await screen.findByRole('textbox', { name: /^Rename/ });
  await expectFault(section, 'mood 2!', 'becomes mood_2!');
  await expectFault(section, 'mood_2', '');
  await fireEvent.keyDown(section, { key: 'Escape' });
  await fireEvent.click(screen.getByRole('button', { name: 'Rename variable place' }));
  const variable = await screen.findByRole('textbox', { name: 'Rename variable place' });
  await expectFault(variable, 'guest name', 'becomes guest_name');
  await fireEvent.keyDown(variable, { key: 'Escape' });
  await fireEvent.click(screen.getByRole('button', { name: 'Add variable to personas' }));
  const added = await screen.findByRole('textbox', { name: 'Variable name' });
  await expectFault(added, '{guest name}', 'becomes guest_name');
  await fireEvent.keyDown(added, { key: 'Escape' });
  await fireEvent.click(screen.getByRole('button', { name: 'Edit items of personas' }));
  const item = screen.getByRole('textbox', { name: 'Item name' });
  await expectFault(item, 'very calm', 'becomes very_calm');
  await fireEvent.keyDown(item, { key: 'Escape' });
  await fireEvent.click(screen.getByRole('button', { name: 'Add section' }));
  await expectFault(
    await screen.findByRole('textbox', { name: 'Section name' }),
    'my rules',
    'becomes my_rules',
  );
});

test('a name that another program wrote stays while no other one is typed', async () => {
  const scene = { ...guides() };
  scene.tree = structuredClone(scene.tree);
  const { registry } = scene.tree as unknown as { registry: Record<string, unknown> };
  const personas = registry.personas as { items: { id: string }[]; template_vars: string[] };
  personas.items[0]!.id = 'very calm';
  personas.template_vars[0] = 'the place';
  const { fake, screen } = await openStudio(scene);
  await fireEvent.click(screen.getByRole('button', { name: 'Edit items of personas' }));
  const item = screen.getByRole('textbox', { name: 'Item name' }) as HTMLInputElement;
  item.focus();
  await fireEvent.blur(item);
  await fireEvent.click(screen.getByRole('button', { name: 'Rename variable the place' }));
  const variable = await screen.findByRole('textbox', { name: 'Rename variable the place' });
  variable.focus();
  key('Enter');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(fake.calls.filter(({ name }) => /^(apply|renameVariable)$/.test(name))).toEqual([]);
});

test('words that are typed as a name of a section make one', async () => {
  const { fake, screen } = await openStudio(guides());
  const sections = () => Object.keys((fake.tree as { registry: object }).registry);
  fake.sectionIndex = 1;
  await fireEvent.click(screen.getByRole('button', { name: 'Add section' }));
  const added = await screen.findByRole('textbox', { name: 'Section name' });
  await fireEvent.input(added, { target: { value: 'my rules' } });
  await fireEvent.submit(added.closest('form')!);
  await expect.poll(sections).toContain('my_rules');
  const asked = fake.calls.filter(({ name }) => name === 'sectionIndex');
  expect(asked.map(({ args }) => args.slice(0, 2))).toEqual([['guides.json', 'my_rules']]);
  expect((fake.tree as { registry: { assembly_order: string[] } }).registry.assembly_order).toEqual(
    ['personas.context', 'my_rules', 'personas.tips', 'notes', 'missing'],
  );
  await fireEvent.click(screen.getByRole('button', { name: 'my_rules actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: /^Rename/ }));
  const field = await screen.findByRole('textbox', { name: /^Rename/ });
  await fireEvent.input(field, { target: { value: 'house rules' } });
  field.focus();
  key('Enter');
  await expect.poll(sections).toContain('house_rules');
});

test('an item is renamed by words, and a name it cannot have stays to be mended', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'Edit items of personas' }));
  const field = screen.getByRole('textbox', { name: 'Item name' }) as HTMLInputElement;
  field.focus();
  await fireEvent.input(field, { target: { value: 'calm.er' } });
  await fireEvent.blur(field);
  expect(field.value).toBe('calm.er');
  expect(screen.getByText(/cannot contain “\.”/)).toBeTruthy();
  expect(fake.calls.filter(({ name }) => name === 'apply')).toEqual([]);
  await fireEvent.input(field, { target: { value: 'very calm' } });
  await fireEvent.blur(field);
  await expect.poll(() => JSON.stringify(fake.tree)).toContain('"very_calm"');
  expect(field.value).toBe('very_calm');
});

test('an added item is asked for its text, not for its name', async () => {
  const { screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'Edit items of personas' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Add item to personas' }));
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toBe('personas.item.context');
});

test('a section is renamed to nothing that no token can name, and the field says why', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'personas actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: /^Rename/ }));
  const field = await screen.findByRole('textbox', { name: /^Rename/ });
  for (const [typed, words] of [
    ['a.b', /cannot contain “\.”/],
    ['notes', /A section or key named notes/],
  ] as const) {
    await fireEvent.input(field, { target: { value: typed } });
    expect(await screen.findByText(words)).toBeTruthy();
    field.focus();
    key('Enter');
  }
  expect(fake.calls.filter(({ name }) => name === 'apply')).toEqual([]);
});

test('a new section needs a name that a token can name', async () => {
  const { screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'Add section' }));
  const field = await screen.findByRole('textbox', { name: 'Section name' });
  await fireEvent.input(field, { target: { value: 'a[b' } });
  expect(await screen.findByText(/cannot contain “\[”/)).toBeTruthy();
});
