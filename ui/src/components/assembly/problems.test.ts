// The list of problems: one fault in several orders is one row, fixed in all of them; what is wrong
// is marked on the tokens that print it.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { DiagnosticNote } from '$lib/ipc';
import type { JsonObject } from '$lib/document/edit';
import { guides } from '../../testing/guides';
import { lastEdits, openStudio } from '../../testing/studio';

const note = (more: Partial<DiagnosticNote>): DiagnosticNote => ({
  code: 'unknown_section',
  severity: 'error',
  message: 'said in full',
  pointer: '/assembly_order/3',
  also: [],
  data: { token: 'missing', section: 'missing' },
  line: null,
  column: null,
  ...more,
});

async function open(diagnostics: DiagnosticNote[], route: string | null = null) {
  const scene = guides();
  const tree = structuredClone(scene.tree) as { registry: JsonObject; route: string | null };
  tree.registry.routes = {
    short: { assembly_order: ['missing', 'notes', 'missing'] },
  };
  tree.route = route;
  const opened = await openStudio({ ...scene, tree: tree as never });
  opened.fake.emit({ kind: 'lint', document: 'guides.json', revision: 0, diagnostics });
  const problems = within(opened.screen.getByRole('region', { name: 'Problems' }));
  const row = (index: number) =>
    document.querySelectorAll<HTMLElement>('[data-order][data-state]')[index]!;
  return { ...opened, problems, row };
}

const also = ['/routes/short/assembly_order/0', '/routes/short/assembly_order/2'];

test('a token that is wrong in several orders is one row that names them and fixes all', async () => {
  const { fake, problems } = await open([note({ also })]);
  expect(await problems.findAllByText('There is no section missing')).toHaveLength(1);
  expect(problems.getByText(/assembly_order\[3\].*, also in route short$/)).toBeTruthy();
  await fireEvent.click(problems.getByRole('button', { name: /^Remove entry/ }));
  const order = ['registry', 'routes', 'short', 'assembly_order'];
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([
      { kind: 'remove', path: ['registry', 'assembly_order', 3] },
      { kind: 'remove', path: [...order, 2] },
      { kind: 'remove', path: [...order, 0] },
    ]);
});

test('the tokens of the route in use are marked for a fault that is reported for another order', async () => {
  const { row } = await open([note({ also })], 'short');
  await expect.poll(() => row(0).dataset.state).toBe('error');
  expect(row(2).dataset.state).toBe('error');
});

test('a token that prints an undeclared name is marked with the reason', async () => {
  const undeclared = note({
    code: 'variable_undeclared',
    message: '{plaice} in personas.brisk is not declared',
    pointer: '/personas/items/1/context',
  });
  const { row, problems } = await open([undeclared]);
  await expect.poll(() => row(0).dataset.state).toBe('error');
  expect(row(1).dataset.state).toBe('rendered');
  expect(problems.getByText('Error')).toBeTruthy();
});

test('what is wrong with an item that is not in use marks no token', async () => {
  const unused = note({ code: 'variable_undeclared', pointer: '/personas/items/0/context' });
  const { row, problems } = await open([unused]);
  await problems.findByText('Said in full');
  expect(row(0).dataset.state).toBe('rendered');
});

/** Opens a deck with a text of Jinja and these diagnostics of it. */
async function openTemplate(diagnostics: DiagnosticNote[]) {
  const scene = guides();
  const tree = structuredClone(scene.tree) as {
    registry: { personas: { items: { context: string }[] } };
  };
  const text = 'Dear custmer,\n{{ custmer }} and {{ shop.nme | upper }}.';
  tree.registry.personas.items[0]!.context = text;
  const opened = await openStudio({ ...scene, tree: tree as never });
  opened.fake.emit({ kind: 'lint', document: 'guides.json', revision: 0, diagnostics });
  const problems = within(opened.screen.getByRole('region', { name: 'Problems' }));
  return { ...opened, problems, text };
}

const ofText = (more: Partial<DiagnosticNote>) =>
  note({ pointer: '/personas/items/0/context', severity: 'warning', ...more });

test('a name that an argument has almost is changed to it, and set in the call', async () => {
  const { fake, problems } = await openTemplate([
    ofText({
      code: 'argument_unset',
      data: { name: 'custmer', argument: 'custmer', suggestion: 'customer' },
    }),
    ofText({
      code: 'expression_gap',
      message: 'shop.nme has no value',
      data: { name: 'shop.nme', argument: 'shop', suggestion: 'name', replacement: 'shop.name' },
    }),
  ]);
  await fireEvent.click(await problems.findByRole('button', { name: 'Change to customer' }));
  expect(problems.getByRole('button', { name: 'Set custmer' })).toBeTruthy();
  const path = ['registry', 'personas', 'items', 0, 'context'];
  const value = 'Dear custmer,\n{{ customer }} and {{ shop.nme | upper }}.';
  await expect.poll(() => lastEdits(fake)).toEqual([{ kind: 'set', path, value }]);
  await fireEvent.click(problems.getByRole('button', { name: 'Change to shop.name' }));
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([{ kind: 'set', path, value: value.replace('nme |', 'name |') }]);
});

test('the row of an error of a template leads to the expression, and offers its argument', async () => {
  const { problems, text } = await openTemplate([
    ofText({
      code: 'prompt_template',
      severity: 'error',
      message: 'the prompt is not rendered: unknown method',
      data: { found: '{{ shop.nme | upper }}', argument: 'shop' },
    }),
  ]);
  await fireEvent.click(await problems.findByRole('button', { name: /^The prompt is not/ }));
  const field = () => document.activeElement as HTMLTextAreaElement;
  await expect.poll(() => field().value).toBe(text);
  expect(field().selectionStart).toBe(text.indexOf('shop'));
  expect(field().selectionEnd).toBe(field().selectionStart);
  expect(problems.getByRole('button', { name: 'Set shop' })).toBeTruthy();
});
