// The cards of the registry's own settings over a fake service.
import { fireEvent, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { lastEdits, openStudio } from '../../testing/studio';

interface Tree {
  registry: Record<string, unknown>;
}

const card = (id: string) => document.querySelector<HTMLElement>(`[data-card="${id}"]`)!;

/** Opens the window with the registry's own keys changed, and one card of the settings. */
async function openCard(name: string, more: object, route: string | null = null) {
  const scene = guides();
  const tree = structuredClone(scene.tree) as { registry: object; route: string | null };
  Object.assign(tree.registry, more);
  tree.route = route;
  const opened = await openStudio({ ...scene, tree: tree as never });
  await fireEvent.click(opened.screen.getByRole('button', { name: `Expand ${name}` }));
  return opened;
}

test('a field says what it is for and what holds while nothing is typed', async () => {
  const { screen } = await openCard('Generation', {});
  const field = screen.getByRole('textbox', { name: 'generation.max_tokens' });
  expect(field.getAttribute('placeholder')).toBe('default: 256');
  expect(screen.getByText('Maximum tokens in the answer.')).toBeTruthy();
});

test('what can not be read changes nothing and says why, what can be read is set', async () => {
  const { fake, screen } = await openCard('Generation', {});
  const field = screen.getByRole('textbox', { name: 'generation.temperature' });
  await fireEvent.input(field, { target: { value: 'warm' } });
  expect(within(card('#generation')).getByRole('alert').textContent).toContain('must be a number');
  expect(lastEdits(fake)).toBeUndefined();
  await fireEvent.input(field, { target: { value: '0.4' } });
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([{ kind: 'set', path: ['registry', 'generation', 'temperature'], value: 0.4 }]);
});

test('a value that can not be read is kept while its card is closed, and counts as unsaved', async () => {
  const { fake, screen } = await openCard('Generation', { routes: { short: {} } });
  const field = (name: string) =>
    within(document.body).getByRole<HTMLInputElement>('textbox', { name: `generation.${name}` });
  const type = (name: string, value: string) => fireEvent.input(field(name), { target: { value } });
  await type('max_tokens', '-5');
  expect(screen.getByText('Modified')).toBeTruthy();
  // The beginning of 2.5 can be read; nothing of it is left.
  await type('timeout_ms', '2');
  await expect.poll(() => fake.tree).toMatchObject({ registry: { generation: {} } });
  await type('timeout_ms', '2.5');
  await expect
    .poll(() => Object.keys((fake.tree as unknown as Tree).registry))
    .not.toContain('generation');
  await fireEvent.keyDown(window, { key: 's', ctrlKey: true });
  const notice = /^Saved without generation\.max_tokens and generation\.timeout_ms: /;
  expect(await screen.findByText(notice)).toBeTruthy();
  expect(screen.queryByText(/already up to date/)).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: 'Collapse Generation' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Expand Generation' }));
  expect(field('max_tokens').value).toBe('-5');
  expect(field('timeout_ms').value).toBe('2.5');
  await type('timeout_ms', '');
  await type('max_tokens', '');
  await expect.poll(() => screen.queryByText(notice)).toBeNull();
  await type('max_tokens', 'abc');
  // The fields of a route are others.
  const lines = within(card('#routes'));
  await fireEvent.click(screen.getByRole('button', { name: 'Expand Routes' }));
  await fireEvent.click(lines.getByRole('button', { name: 'Use route short' }));
  await expect.poll(() => field('max_tokens').value).toBe('');
  // With the route goes what was typed for it.
  await type('top_k', 'x');
  await fireEvent.click(lines.getByRole('button', { name: 'Delete route short' }));
  await expect.poll(() => field('max_tokens').value).toBe('abc');
  await fireEvent.keyDown(window, { key: 's', ctrlKey: true });
  expect(await screen.findByText(/^Saved without generation\.max_tokens: /)).toBeTruthy();
});

test('what can not be read is a problem that leads to its field, as the refusal to save does', async () => {
  const { screen } = await openCard('Generation', {});
  const field = screen.getByRole('textbox', { name: 'generation.temperature' });
  const type = (value: string) => fireEvent.input(field, { target: { value } });
  await type('0,8');
  const reason = 'Write 0.8, with a decimal point.';
  expect(within(card('#generation')).getByRole('alert').textContent).toContain(reason);
  const problems = within(screen.getByRole('region', { name: 'Problems' }));
  const listed = await problems.findByRole('button', { name: /^Write 0\.8/ });
  expect(screen.getByText(/1 error/)).toBeTruthy();
  field.blur();
  await fireEvent.click(listed);
  await expect.poll(() => document.activeElement).toBe(field);
  field.blur();
  await fireEvent.keyDown(window, { key: 's', ctrlKey: true });
  await screen.findByText(/^Saved without generation\.temperature/);
  await fireEvent.click(screen.getByRole('button', { name: 'Show' }));
  await expect.poll(() => document.activeElement).toBe(field);
  await type('0.8');
  await expect.poll(() => problems.queryByText(new RegExp(reason))).toBeNull();
});

test('the differences from the file name what is not valid yet', async () => {
  const { screen } = await openCard('Generation', {});
  const field = screen.getByRole('textbox', { name: 'generation.timeout_ms' });
  await fireEvent.input(field, { target: { value: '0x2' } });
  await fireEvent.click(screen.getByRole('tab', { name: 'JSON' }));
  await fireEvent.click(await screen.findByRole('radio', { name: 'Diff to file' }));
  expect(
    await screen.findByText(/except what is not valid yet .*: generation\.timeout_ms\./),
  ).toBeTruthy();
});

test('an empty object of settings stays where one was', async () => {
  const { fake, screen } = await openCard('Generation', { generation: {} });
  const field = screen.getByRole('textbox', { name: 'generation.retries' });
  await fireEvent.input(field, { target: { value: '2' } });
  await fireEvent.input(field, { target: { value: '' } });
  await expect.poll(() => fake.revision).toBeGreaterThan(0);
  await expect.poll(() => (fake.tree as unknown as Tree).registry.generation).toEqual({});
});

test('with a route in use the card writes the route and shows what it keeps', async () => {
  const { fake, screen } = await openCard(
    'Output policy',
    { output_policy: { max_length: 320 }, routes: { short: {} } },
    'short',
  );
  const field = screen.getByRole('textbox', { name: 'output_policy.max_length' });
  expect(field.getAttribute('placeholder')).toBe('inherits 320');
  await fireEvent.input(field, { target: { value: '90' } });
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([
      {
        kind: 'set',
        path: ['registry', 'routes', 'short', 'output_policy', 'max_length'],
        value: 90,
      },
    ]);
});

test('the error of a pattern is shown under its row', async () => {
  const { fake } = await openCard('Output policy', { output_policy: { strip_patterns: ['('] } });
  fake.emit({
    kind: 'lint',
    document: 'guides.json',
    revision: 0,
    diagnostics: [
      {
        code: 'pattern',
        severity: 'error',
        message: 'the pattern does not compile: missing )',
        pointer: '/output_policy/strip_patterns/0',
        also: [],
        data: { reason: 'missing )' },
        line: null,
        column: null,
      },
    ],
  });
  await expect
    .poll(() => within(card('#output_policy')).queryByRole('alert')?.textContent.trim())
    .toBe('Pattern does not compile: missing )');
  expect(within(card('#output_policy')).getByText('1 error')).toBeTruthy();
});

test('the policy is tried on a text as it is typed', async () => {
  const { fake, screen } = await openCard('Output policy', {});
  const box = screen.getByRole('textbox', { name: 'Test on a text' });
  await fireEvent.input(box, { target: { value: '  Good evening. ' } });
  expect(await screen.findByText('accepted')).toBeTruthy();
  expect(screen.getByRole('group', { name: 'Cleaned text' }).textContent).toBe('Good evening.');
  await fireEvent.input(box, { target: { value: 'Speaking as an AI' } });
  expect(await screen.findByText('rejected')).toBeTruthy();
  expect(screen.getByText('it matches a forbidden pattern')).toBeTruthy();
  expect(fake.calls.some((call) => call.name === 'tryPolicy')).toBe(true);
});

test('Enter in the name of a route leaves the focus there', async () => {
  const { fake, screen } = await openCard('Routes', { routes: { one: {}, two: {} } });
  await fireEvent.click(screen.getByRole('button', { name: 'Edit route one' }));
  const name = screen.getByRole('textbox', { name: 'Route name' });
  name.focus();
  await fireEvent.input(name, { target: { value: 'short' } });
  await fireEvent.keyDown(name, { key: 'Enter' });
  await expect.poll(() => fake.tree).toMatchObject({ registry: { routes: { short: {} } } });
  await tick();
  expect(document.activeElement).toBe(name);
  expect((name as HTMLInputElement).value).toBe('short');
});

test('a route is added, renamed and deleted, and its order is compared with the default one', async () => {
  const { fake, screen } = await openCard('Routes', {});
  await fireEvent.click(screen.getByRole('button', { name: 'Add route' }));
  expect(await screen.findByText('Same entries in the same order.')).toBeTruthy();
  const name = screen.getByRole('textbox', { name: 'Route name' });
  await expect.poll(() => document.activeElement).toBe(name);
  expect(screen.getByText('2 routes')).toBeTruthy();
  await fireEvent.keyDown(name, { key: 'Enter' });
  expect(screen.getByText('2 routes')).toBeTruthy();
  await fireEvent.input(name, { target: { value: 'default' } });
  await fireEvent.keyDown(name, { key: 'Enter' });
  expect(
    await screen.findByText('default is the name of what is used without a route.'),
  ).toBeTruthy();
  await fireEvent.input(name, { target: { value: 'short' } });
  await fireEvent.keyDown(name, { key: 'Enter' });
  await expect.poll(() => fake.tree).toMatchObject({ registry: { routes: { short: {} } } });
  await fireEvent.click(screen.getByRole('button', { name: 'Use route short' }));
  await expect.poll(() => fake.tree).toMatchObject({ route: 'short' });
  await fireEvent.click(screen.getByRole('button', { name: 'Delete route short' }));
  await expect.poll(() => fake.tree).toMatchObject({ registry: { routes: {} }, route: null });
});
