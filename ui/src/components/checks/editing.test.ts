// The form of a check: every part of it is edited, undone, and has its fault in its place.
import { fireEvent, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import type { CheckFault, JsonValue } from '$lib/ipc';
import { EXPECTATION_KINDS } from '$lib/ipc/generated/check-kinds';
import { at } from '$lib/document/edit';
import '../../deferred';
import { HOLDS, type FakeVerdict } from '../../testing/fake-checks';
import { guides } from '../../testing/guides';
import { key, openRegistry, openStudio } from '../../testing/studio';

const ONE: JsonValue = { name: 'one', given: { seed: 7 }, expect: [{ contains: 'One' }], own: 1 };

/** The checks of a file in the form, with the faults that a reader finds in them. */
async function open(
  checks: JsonValue[],
  faultsOf: (tree: JsonValue) => CheckFault[] = () => [],
  others: string[] = [],
) {
  const verdicts = (tree: JsonValue): FakeVerdict[] =>
    (at(tree, ['checks']) as JsonValue[]).map((_, index) => {
      const faults = faultsOf(tree).filter(({ pointer }) => pointer.startsWith(`/checks/${index}`));
      return faults.length === 0 ? HOLDS : { outcome: 'invalid', failures: [], faults };
    });
  const scene = { tree: { version: 1, checks }, verdicts };
  const { screen, fake } = await openStudio({ ...guides(), others, checks: scene }, 1440);
  await expect.poll(() => fake.calls.some(({ name }) => name === 'openChecks')).toBe(true);
  await fireEvent.click(screen.getByRole('tab', { name: /^Checks/ }));
  await expect.poll(() => document.querySelectorAll('[data-check]').length).toBe(checks.length);
  await fireEvent.click(document.querySelector('[data-check="0"]') as HTMLElement);
  const saved = (...path: (string | number)[]) => at(fake.checks.tree, ['checks', ...path]);
  const form = () => within(document.querySelector('.fields') as HTMLElement);
  const row = (index: number) =>
    within(document.querySelector(`[data-expectation="${index}"]`) as HTMLElement);
  const type = (field: HTMLElement, value: string) => fireEvent.input(field, { target: { value } });
  const choose = async (button: HTMLElement, option: string) => {
    await fireEvent.click(button);
    await fireEvent.click(await screen.findByRole('option', { name: option }));
  };
  const options = async (button: HTMLElement) => {
    await fireEvent.click(button);
    const found = (await screen.findAllByRole('option')).map((each) => each.textContent.trim());
    await fireEvent.keyDown(document.activeElement ?? button, { key: 'Escape' });
    return found;
  };
  const kind = (index: number) => row(index).getByRole('button', { name: /Kind of expectation/ });
  return { screen, fake, saved, form, row, type, choose, options, kind };
}

test('a new check takes the focus in its name and is edited in the same form', async () => {
  const { screen, saved, form, type } = await open([ONE]);
  await fireEvent.click(screen.getByRole('button', { name: 'Add check' }));
  await expect
    .poll(() => saved(1))
    .toMatchObject({
      name: 'new check',
      given: { rolls: 200, seed: 7, state: { section_random: { personas: true } } },
      expect: [{ contains: '' }],
    });
  await expect
    .poll(() => document.activeElement)
    .toBe(form().getByRole('textbox', { name: 'Name' }));
  await type(document.activeElement as HTMLElement, 'greets');
  await expect.poll(() => saved(1, 'name')).toBe('greets');
  await fireEvent.click(screen.getByRole('button', { name: 'Add check' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Add check' }));
  await expect.poll(() => saved(3, 'name')).toBe('new check 2');
});

/** The fault of an expectation without text. */
const faultsOfEmpty = (tree: JsonValue): CheckFault[] =>
  (at(tree, ['checks']) as JsonValue[]).flatMap((check, index) =>
    at(check, ['expect', 0, 'contains']) === ''
      ? [
          {
            pointer: `/checks/${index}/expect/0/contains`,
            message: '`contains` needs at least one character',
            line: 40,
            column: 23,
          },
        ]
      : [],
  );

test('a new check is at fault once the field of its expectation was left', async () => {
  const { screen, row } = await open([ONE], faultsOfEmpty);
  await fireEvent.click(screen.getByRole('button', { name: 'Add check' }));
  const group = () => document.querySelector<HTMLElement>('[data-check="1"]')?.dataset.group;
  await expect.poll(group).toBe('empty');
  screen.getByText(/, 1 to fill in$/);
  expect(screen.queryByText(/needs at least one character/)).toBeNull();
  const value = row(0).getByRole('textbox', { name: 'Value' });
  value.focus();
  await fireEvent.blur(value);
  await fireEvent.focusOut(value);
  await expect.poll(group).toBe('broken');
  expect(screen.getAllByText(/needs at least one character/).length).toBeGreaterThan(0);
});

const groups = () =>
  [...document.querySelectorAll<HTMLElement>('[data-check]')].map(
    ({ dataset }) => `${dataset.check} ${dataset.group}`,
  );

test('a new check still waits to be filled in when the deck is opened again', async () => {
  const { screen, fake } = await open([ONE], faultsOfEmpty, ['b.json']);
  await fireEvent.click(screen.getByRole('button', { name: 'Add check' }));
  await expect.poll(groups).toEqual(['1 empty', '0 holds']);
  await openRegistry(screen, 'b.json');
  await openRegistry(screen, 'guides.json');
  await fireEvent.click(screen.getByRole('tab', { name: /^Checks/ }));
  await expect.poll(groups).toEqual(['1 empty', '0 holds']);
  expect(fake.views.get('guides.json')?.unsent).toEqual({
    'checks/unfilled': '/checks/1/expect/0',
  });
});

test('a check that is deleted leaves the others in their groups, and the next row is chosen', async () => {
  const { screen } = await open([{ name: 'bad', expect: [{ contains: '' }] }, ONE], faultsOfEmpty);
  const add = () => fireEvent.click(screen.getByRole('button', { name: 'Add check' }));
  await add();
  await add();
  await expect.poll(groups).toEqual(['0 broken', '2 empty', '3 empty', '1 holds']);
  const at = (index: number) => document.querySelector<HTMLElement>(`[data-check="${index}"]`)!;
  await fireEvent.click(at(2));
  at(2).focus();
  key('Delete');
  await expect.poll(groups).toEqual(['0 broken', '2 empty', '1 holds']);
  await expect.poll(() => document.activeElement).toBe(at(2));
  expect(at(2).getAttribute('aria-current') ?? at(2).getAttribute('aria-expanded')).toBe('true');
  // A broken check in front of them goes: the next row is of another group.
  await fireEvent.click(at(0));
  at(0).focus();
  key('Delete');
  await expect.poll(groups).toEqual(['1 empty', '0 holds']);
  await expect.poll(() => document.activeElement).toBe(at(1));
});

test('checks that say nothing yet are not counted as holding', async () => {
  const { screen } = await open([ONE], faultsOfEmpty);
  document.querySelector<HTMLElement>('[data-check="0"]')?.focus();
  key('Delete');
  await expect.poll(() => document.querySelectorAll('[data-check]').length).toBe(0);
  await fireEvent.click(screen.getAllByRole('button', { name: 'Add check' })[0]!);
  expect(await screen.findByText('1 check: 1 to fill in')).toBeTruthy();
  expect(screen.getByRole('button', { name: '1 check to fill in' })).toBeTruthy();
  expect(screen.queryByText(/0 (checks )?hold/)).toBeNull();
});

test('the kinds on offer are those that the core accepts for the check', async () => {
  const of = (subject: 'prompt' | 'rolls' | 'answer') =>
    EXPECTATION_KINDS.filter((each) => each.of.includes(subject)).map((each) => each.key);
  const { form, kind, options, choose, saved } = await open([ONE]);
  expect(await options(kind(0))).toEqual(of('prompt'));
  const what = () => form().getByRole('button', { name: /Subject of the check/ });
  await choose(what(), 'rolls');
  await expect.poll(() => saved(0, 'given')).toEqual({ seed: 7, rolls: 200 });
  expect(await options(kind(0))).toEqual(of('rolls'));
  await choose(what(), 'an answer');
  await expect
    .poll(() => saved(0))
    .toEqual({
      name: 'one',
      expect: [{ contains: 'One' }],
      own: 1,
      answer: '',
    });
  expect(await options(kind(0))).toEqual(of('answer'));
});

test.each(EXPECTATION_KINDS)(
  '$key has a control for its value',
  async ({ key: name, form, of }) => {
    const promptFields = of.includes('prompt')
      ? ONE
      : { name: 'one', answer: 'Hi', expect: [{ contains: 'a' }] };
    const start = {
      ...(promptFields as object),
      expect: [name === 'contains' ? { matches: '' } : { contains: '' }],
    };
    const { row, kind, choose, saved, type, screen } = await open([start as unknown as JsonValue]);
    await choose(kind(0), name);
    const value = () =>
      row(0).getByRole(/target|share/.test(form) ? 'combobox' : 'textbox', { name: 'Value' });
    const typed = (text: string) => type(value(), text);
    const written = () => saved(0, 'expect', 0);
    switch (form) {
      case 'text':
      case 'pattern':
      case 'golden':
        await typed('a\nb');
        await expect.poll(written).toEqual({ [name]: 'a\nb' });
        break;
      case 'reason':
        await expect.poll(written).toEqual({ [name]: true });
        await typed('too long');
        await expect.poll(written).toEqual({ [name]: 'too long' });
        await typed('');
        await expect.poll(written).toEqual({ [name]: true });
        break;
      case 'flag':
        await expect.poll(written).toEqual({ [name]: true });
        break;
      case 'target':
        await typed('personas');
        await expect.poll(written).toEqual({ [name]: 'personas' });
        break;
      case 'share':
        await typed('calm');
        await fireEvent.click(await screen.findByRole('option', { name: /personas\.calm/ }));
        await type(row(0).getByRole('textbox', { name: 'Minimum share in %' }), '12.5');
        await type(row(0).getByRole('textbox', { name: 'Maximum share in %' }), '');
        await expect.poll(written).toEqual({ share: 'personas.calm', min: 0.125 });
        break;
      case 'characters':
      case 'tokens':
        await typed('80x');
        expect(row(0).getByRole('alert').textContent).toContain('Write a number.');
        await typed('80');
        await expect.poll(() => at(written(), [name])).toBe(80);
        expect(row(0).queryByRole('alert')).toBeNull();
        // Whether it can be used is the reader's to say.
        await typed('-3');
        await expect.poll(() => at(written(), [name])).toBe(-3);
        if (form === 'characters') break;
        await choose(row(0).getByRole('button', { name: /Tokenizer/ }), 'estimate');
        await expect.poll(() => at(written(), ['tokenizer'])).toBe('estimate');
        break;
      case 'problems':
        await choose(row(0).getByRole('button', { name: /Allowed code/ }), 'duplicate_id');
        await expect.poll(written).toEqual({ no_problems: true, allow: ['duplicate_id'] });
        await fireEvent.click(row(0).getByRole('button', { name: 'Stop allowing duplicate_id' }));
        await expect.poll(written).toEqual({ no_problems: true });
        break;
    }
  },
);

test('expectations are added and removed, with the focus among them, and undone', async () => {
  const { screen, saved, kind, fake } = await open([ONE]);
  const add = screen.getByRole('button', { name: 'Expectation' });
  await fireEvent.click(add);
  await expect.poll(() => saved(0, 'expect')).toEqual([{ contains: 'One' }, { contains: '' }]);
  await expect.poll(() => document.activeElement).toBe(kind(1));
  const remove = () => screen.getAllByRole('button', { name: 'Remove expectation contains' });
  await fireEvent.click(remove()[0] as HTMLElement);
  await expect.poll(() => saved(0, 'expect')).toEqual([{ contains: '' }]);
  await expect.poll(() => document.activeElement).toBe(remove()[0]);
  await fireEvent.click(remove()[0] as HTMLElement);
  await expect.poll(() => saved(0, 'expect')).toEqual([]);
  await expect.poll(() => document.activeElement).toBe(add);
  key('z', { ctrlKey: true });
  await expect.poll(() => saved(0, 'expect')).toEqual([{ contains: '' }]);
  expect(fake.calls.some(({ name }) => name === 'undo')).toBe(false);
});

test('seed, rolls, route, variables and state are edited', async () => {
  const { screen, saved, form, type, choose } = await open([
    { name: 'one', given: { rolls: 20 }, expect: [{ contains: 'One' }] },
  ]);
  const field = (name: string) => form().getByRole('textbox', { name });
  await type(field('Rolls'), '1000');
  await type(field('First seed'), '42');
  await expect.poll(() => saved(0, 'given')).toEqual({ rolls: 1000, seed: 42 });
  // A number that would become another is not written.
  await type(field('First seed'), '9007199254740993');
  form().getByText(/^This would become 9007199254740992: whole numbers are exact up to /);
  expect((field('First seed') as HTMLInputElement).value).toBe('9007199254740993');
  await type(field('First seed'), '42');
  await expect.poll(() => saved(0, 'given')).toEqual({ rolls: 1000, seed: 42 });
  // The field stays while the number is on its way to another.
  await type(field('Rolls'), '1');
  await type(field('First seed'), '');
  await expect.poll(() => saved(0, 'given')).toEqual({ rolls: 1 });
  await choose(form().getByRole('button', { name: /^Variable/ }), 'personas::place');
  await type(field('Text of personas::place'), 'the bar');
  await expect.poll(() => saved(0, 'given', 'variables')).toEqual({ 'personas::place': 'the bar' });
  await fireEvent.click(screen.getByRole('button', { name: 'Remove variable personas::place' }));
  await expect.poll(() => saved(0, 'given')).toEqual({ rolls: 1 });
  await fireEvent.click(screen.getByRole('button', { name: 'Edit as JSON' }));
  await type(field('State as JSON'), '{"selections": ');
  form().getByText(/^Not JSON yet: .* column 1\. It stays without a value\.$/);
  // What cannot be read yet is there again when the field is.
  await fireEvent.click(screen.getByRole('button', { name: 'Close the JSON' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Edit as JSON' }));
  expect((field('State as JSON') as HTMLTextAreaElement).value).toBe('{"selections": ');
  await type(field('State as JSON'), '{"selections": {"personas": "calm"}}');
  await expect.poll(() => saved(0, 'given', 'state')).toEqual({ selections: { personas: 'calm' } });
  form().getByText('selections 1');
  // A snapshot is a state with its route and seed.
  await type(
    field('State as JSON'),
    '{"registry": {}, "state": {"sliders": {"notes": 3}}, "route": "r", "seed": 5}',
  );
  await expect
    .poll(() => saved(0, 'given'))
    .toEqual({ rolls: 1, state: { sliders: { notes: 3 } }, route: 'r', seed: 5 });
  await fireEvent.blur(field('State as JSON'));
  await expect
    .poll(() => (field('State as JSON') as HTMLTextAreaElement).value)
    .toBe('{\n  "sliders": {\n    "notes": 3\n  }\n}');
  await fireEvent.click(screen.getByRole('button', { name: 'Remove the state' }));
  await expect.poll(() => saved(0, 'given')).toEqual({ rolls: 1, route: 'r', seed: 5 });
});

test('each fault is shown at its field while it is typed, and disappears with it', async () => {
  const fault = (pointer: string, message: string): CheckFault => ({
    pointer,
    message,
    line: 1,
    column: 1,
  });
  const { form, row, type, screen } = await open(
    [
      { name: ' ', given: { rolls: 5, seed: -1 }, expect: [{ matches: 'a' }, { contain: 'b' }] },
      ONE,
    ],
    (tree) => [
      ...(at(tree, ['checks', 0, 'name']) === ' ' ? [fault('/checks/0/name', 'no name')] : []),
      fault('/checks/0/given/seed', 'bad seed'),
      ...(at(tree, ['checks', 0, 'expect', 0, 'matches']) === '('
        ? [fault('/checks/0/expect/0/matches', 'does not compile')]
        : []),
      fault('/checks/0/expect/1/contain', 'did you mean "contains"?'),
    ],
  );
  await form().findByText('no name');
  form().getByText('bad seed');
  expect(row(0).queryByRole('alert')).toBeNull();
  row(1).getByText('did you mean "contains"?');
  const pattern = row(0).getByRole('textbox', { name: 'Value' });
  pattern.focus();
  await type(pattern, '(');
  await row(0).findByText('does not compile');
  expect(pattern.getAttribute('aria-invalid')).toBe('true');
  screen.getByRole('button', { name: /holds one/ });
  await type(pattern, '(a)');
  await expect.poll(() => row(0).queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(pattern);
  await type(form().getByRole('textbox', { name: 'Name' }), 'named');
  await expect.poll(() => form().queryByText('no name')).toBeNull();
});

test('a field keeps the focus while its check moves to another group', async () => {
  const { row, type } = await open([ONE, { name: 'two', expect: [{ matches: 'a' }] }], (tree) =>
    at(tree, ['checks', 1, 'expect', 0, 'matches']) === '('
      ? [{ pointer: '/checks/1/expect/0/matches', message: 'bad', line: 1, column: 1 }]
      : [],
  );
  await fireEvent.click(document.querySelector('[data-check="1"]') as HTMLElement);
  const pattern = row(0).getByRole('textbox', { name: 'Value' });
  pattern.focus();
  await type(pattern, '(');
  const order = () =>
    [...document.querySelectorAll<HTMLElement>('[data-check]')].map((each) => each.dataset.check);
  await expect.poll(order).toEqual(['1', '0']);
  expect(document.activeElement).toBe(pattern);
});

test('a misspelled key becomes a kind and keeps its value; keys of one’s own stay', async () => {
  const { kind, choose, saved } = await open([
    { name: 'one', expect: [{ contain: 'One' }, { contains: 'a', why: 'mine' }] },
  ]);
  await choose(kind(0), 'contains');
  await expect.poll(() => saved(0, 'expect', 0)).toEqual({ contains: 'One' });
  await choose(kind(1), 'not_matches');
  await expect.poll(() => saved(0, 'expect', 1)).toEqual({ not_matches: 'a', why: 'mine' });
});

test('the form has no faults of accessibility', async () => {
  await open([
    {
      name: 'all',
      given: { rolls: 3, variables: { 'personas::place': 'a' }, state: { selections: {} } },
      expect: EXPECTATION_KINDS.filter(({ of }) => of.includes('rolls')).map(({ key: name }) => ({
        [name]: 'a',
      })),
    },
  ]);
  const panel = document.querySelector('[data-checks]') as HTMLElement;
  const { violations } = await axe.run(panel, { rules: { 'color-contrast': { enabled: false } } });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
});
