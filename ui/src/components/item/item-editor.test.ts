// The editor of an item: what is wrong in a text is marked in it, and a field that can be added says
// what it is for.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { JsonObject } from '$lib/document/edit';
import { guides } from '../../testing/guides';
import { lastEdits, openStudio } from '../../testing/studio';

/** Opens the items of `personas`, the first of them changed. */
async function openItem(item: JsonObject, more: JsonObject = {}) {
  const scene = guides();
  const tree = structuredClone(scene.tree) as { registry: Record<string, JsonObject> };
  Object.assign((tree.registry.personas!.items as JsonObject[])[0]!, item);
  Object.assign(tree.registry.notes!, more);
  const opened = await openStudio({ ...scene, tree: tree as never });
  await fireEvent.click(opened.screen.getByRole('button', { name: 'Edit items of personas' }));
  const card = document.querySelector<HTMLElement>('[data-card="personas"]')!;
  const expand = within(card).queryByRole('button', { name: /^Expand .*calm/ });
  if (expand) await fireEvent.click(expand);
  return { ...opened, card };
}

const undeclared = (field: string) => ({
  code: 'variable_undeclared',
  severity: 'error' as const,
  message: '{plaice} in personas.calm is not declared',
  pointer: `/personas/items/0/${field}`,
  also: [],
  data: { name: 'plaice', section: 'personas', suggestion: 'place' },
  line: null,
  column: null,
});

test.each([
  ['a text', 'context', { context: 'At {plaice}, {place}, {plaice}.' }, ['{plaice}', '{plaice}']],
  ['an entry of a list', 'tips/0', { tips: ['Go to {plaice}.'] }, ['{plaice}']],
  [
    'a fragment',
    'fragments/0/text',
    { fragments: [{ if_var: 'place', text: 'See {plaice}.' }] },
    ['{plaice}'],
  ],
])('an undeclared name is underlined in %s', async (_what, field, item, words) => {
  const { fake, card } = await openItem(item as JsonObject);
  expect(card.querySelectorAll('.wrong')).toHaveLength(0);
  fake.emit({
    kind: 'lint',
    document: 'guides.json',
    revision: 0,
    diagnostics: [undeclared(field)],
  });
  await expect
    .poll(() => [...card.querySelectorAll('.wrong')].map(({ textContent }) => textContent))
    .toEqual(words);
});

test('a variable that is not closed is underlined, and closed by its fix', async () => {
  const context = 'At {place, {place} and {placed.';
  const { fake, card } = await openItem({ context });
  const found = {
    ...undeclared('context'),
    code: 'variable_not_closed',
    severity: 'warning' as const,
    data: { name: 'place', section: 'personas' },
  };
  fake.emit({ kind: 'lint', document: 'guides.json', revision: 0, diagnostics: [found] });
  await expect
    .poll(() => [...card.querySelectorAll('.wrong')].map(({ textContent }) => textContent))
    .toEqual(['{place']);
  expect(within(card).getByText('{place in personas is not closed')).toBeTruthy();
  await fireEvent.click(within(card).getByRole('button', { name: 'Replace with {place}' }));
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([
      {
        kind: 'set',
        path: ['registry', 'personas', 'items', 0, 'context'],
        value: 'At {place}, {place} and {placed.',
      },
    ]);
});

test('each known field that can be added says what it is for', async () => {
  const { screen, card } = await openItem({});
  await fireEvent.click(within(card).getByRole('button', { name: 'Field' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add field' });
  const rows = [...dialog.querySelectorAll<HTMLElement>('.known')];
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) expect(row.textContent).toMatch(/^\s*\w+ .{12,}/);
});

test('the label of the checked items is not the name of the list `items` below it', async () => {
  const items = [{ id: 'short', text: 'Short.', items: ['One.', 'Two.'] }];
  await openItem({}, { items });
  const card = document.querySelector<HTMLElement>('[data-card="notes"]')!;
  const labels = [...card.querySelectorAll('.lab')].map(({ textContent }) =>
    textContent.toLowerCase(),
  );
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels).toContain('items');
});
