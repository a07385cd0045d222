// The Checks tab: verdicts, the way to a failing roll, golden review, kept checks, keys, damage.
import { fireEvent, render, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import type { CheckFailure, JsonValue } from '$lib/ipc';
import { at } from '$lib/document/edit';
import App from '../../App.svelte';
import '../../deferred';
import { FakeBackend } from '../../testing/fake-backend';
import { HOLDS, type ChecksScene } from '../../testing/fake-checks';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

const failure = (more: Partial<CheckFailure>): CheckFailure => ({
  expectation: 'not_contains',
  pointer: '/checks/0/expect/0',
  seed: 42,
  expected: 'no "Two"',
  found: '"One. Two."',
  sources: [{ token: 0, section: 'guides', item: 0, item_name: 'calm', field: 'context' }],
  golden: null,
  ...more,
});

const failed = (more: Partial<CheckFailure>) => ({
  outcome: 'failed' as const,
  failures: [failure(more)],
  faults: [],
});

const golden = (index: number): Partial<CheckFailure> => ({
  expectation: 'text',
  pointer: `/checks/${index}/expect/0`,
  seed: 7,
  golden: {
    pointer: `/checks/${index}/expect/0/text`,
    new: 'One new text.',
    parts: [
      { kind: 'same', text: 'One ' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'same', text: ' text.' },
    ],
  },
});

/** A failing check, a golden text to review, a check that cannot run, and one that holds. */
function scene(): ChecksScene {
  const text = { given: { seed: 7 }, expect: [{ text: 'One old text.' }] };
  return {
    tree: {
      version: 1,
      checks: [
        { name: 'says nothing twice', given: { rolls: 200 }, expect: [{ not_contains: 'Two' }] },
        { name: 'opening night', ...text },
        { name: 'typo', expect: [{ contain: 'One' }] },
        { name: 'begins well', given: { rolls: 20 }, expect: [{ starts_with: 'One' }] },
      ],
      notes: 'mine',
    },
    verdicts: (tree) => {
      const list = at(tree, ['checks']) as JsonValue[];
      return list.map((check, index) => {
        const name = at(check, ['name']);
        if (name === 'says nothing twice' && at(check, ['expect', 0, 'not_contains']) === 'Two')
          return failed({});
        if (at(check, ['expect', 0, 'text']) === 'One old text.') return failed(golden(index));
        if (name === 'typo') {
          const fault = {
            pointer: '/checks/2/expect/0/contain',
            message: '"contain" is not an expectation; did you mean "contains"?',
            line: 12,
            column: 34,
          };
          return { outcome: 'invalid' as const, failures: [], faults: [fault] };
        }
        return HOLDS;
      });
    },
  };
}

async function open(checks: ChecksScene | null = scene(), innerWidth = 1440) {
  const opened = await openStudio({ ...guides(), ...(checks ? { checks } : {}) }, innerWidth);
  const { screen, fake } = opened;
  await expect.poll(() => fake.calls.some(({ name }) => name === 'openChecks')).toBe(true);
  await fireEvent.click(screen.getByRole('tab', { name: /^Checks/ }));
  const row = (name: string) =>
    screen.getByRole('button', {
      name: new RegExp(`(fails|cannot run|review|holds|running) ${name}`),
    });
  if (checks)
    await expect.poll(() => document.querySelectorAll('[data-group="running"]').length).toBe(0);
  if (checks) await expect.poll(() => document.querySelectorAll('[data-check]').length).not.toBe(0);
  const runs = () => fake.calls.filter(({ name }) => name === 'runChecks').length;
  const named = () =>
    [...document.querySelectorAll('[data-check] .name')].map((each) => each.textContent);
  return { ...opened, row, runs, named };
}

test('failures come first, the tab and the status bar count them', async () => {
  const { screen, named, row } = await open();
  await expect.poll(named).toEqual(['says nothing twice', 'typo', 'opening night', 'begins well']);
  screen.getByText('4 checks: 1 holds, 1 fails, 1 cannot run, 1 waits for review');
  expect(screen.getByRole('tab', { name: /^Checks/ }).textContent).toBe('Checks3');
  screen.getByRole('button', { name: '1 of 4 checks fails, 1 cannot run' });
  expect(row('typo').textContent).toContain('Line 12, column 34: "contain" is not');
  expect(row('says nothing twice').textContent).toContain('not_contains: "One. Two."');
});

test('the checks run where the deck has the place of the preview', async () => {
  const { screen, fake } = await openStudio({ ...guides(), checks: scene() }, 800);
  expect(screen.queryByRole('tab', { name: /^Checks/ })).toBeNull();
  await screen.findByRole('button', { name: '1 of 4 checks fails, 1 cannot run' });
  expect(fake.calls.some(({ name }) => name === 'runChecks')).toBe(true);
});

test('a failing check says what was there and where from, and Enter opens its roll', async () => {
  const { fake, screen, row } = await open();
  const failing = row('says nothing twice');
  await fireEvent.click(failing);
  expect(failing.getAttribute('aria-expanded')).toBe('true');
  const detail = within(screen.getByRole('region', { name: 'Check says nothing twice' }));
  detail.getByText('no "Two"');
  detail.getByText('42');
  await fireEvent.click(detail.getByRole('button', { name: 'Go to guides.calm.context' }));
  failing.focus();
  key('Enter');
  const opened = () => fake.calls.findLast(({ name }) => name === 'openCheckRoll')?.args.slice(1);
  await expect.poll(opened).toEqual([0, 42]);
  await expect
    .poll(() => screen.getByRole('tab', { name: 'Prompt' }).getAttribute('aria-selected'))
    .toBe('true');
  await screen.findByText('Opened seed 42 with the state of the check.');
});

test('a golden text is reviewed side by side, accepted and undone, or rejected', async () => {
  const { fake, screen, row } = await open();
  await fireEvent.click(row('opening night'));
  const review = () => screen.getByRole('region', { name: 'Golden text of opening night' });
  const side = (which: string) => review().querySelector(`[data-side="${which}"]`)?.textContent;
  expect([side('old'), side('new')]).toEqual(['One old text.', 'One new text.']);
  expect(review().textContent).toContain('what the check recorded as right');
  expect(review().querySelector('del')?.textContent).toBe('old');
  await fireEvent.click(
    screen.getByRole('button', { name: 'Accept the new text of opening night' }),
  );
  await expect
    .poll(() => at(fake.checks.tree, ['checks', 1, 'expect', 0, 'text']))
    .toBe('One new text.');
  expect(at(fake.checks.tree, ['notes'])).toBe('mine');
  await expect.poll(() => row('opening night').dataset.group).toBe('holds');
  row('opening night').focus();
  key('z', { ctrlKey: true });
  await expect.poll(() => row('opening night').dataset.group).toBe('review');
  expect(fake.calls.some(({ name }) => name === 'undo')).toBe(false);
  await fireEvent.click(
    screen.getByRole('button', { name: 'Reject the new text of opening night' }),
  );
  await expect.poll(() => row('opening night').dataset.group).toBe('fails');
  expect([side('old'), side('new')], 'the difference is shown on').toEqual([
    'One old text.',
    'One new text.',
  ]);
  expect(screen.queryByRole('button', { name: /^Reject the new text/ })).toBeNull();
});

test('each group says what its checks have in common', async () => {
  const { screen } = await open();
  const list = screen.getByRole('group', { name: 'List of checks' });
  expect([...list.querySelectorAll('.group-head')].map((each) => each.textContent.trim())).toEqual([
    'Fails 1 something expected was not found',
    'Cannot run 1 something in it cannot be used; its field says what',
    'To review 1 a golden text differs: accept or reject the new one',
    'Holds 1 everything expected was found',
  ]);
});

test('the headings count by the verdicts, and the check that stays in its place is called open', async () => {
  const { fake, screen, row } = await open();
  const headings = () =>
    screen.getByRole('group', { name: 'List of checks' }).querySelectorAll('h3.group');
  const heads = () => [...headings()].map((each) => each.textContent.trim());
  await fireEvent.click(row('opening night'));
  expect(heads()).toEqual(['Fails 1', 'Cannot run 1', 'To review 1', 'Holds 1']);
  await fireEvent.click(
    screen.getByRole('button', { name: 'Accept the new text of opening night' }),
  );
  await expect.poll(() => row('opening night').dataset.group).toBe('holds');
  expect(heads()).toEqual(['Fails 1', 'Cannot run 1', 'Open', 'Holds 1']);
  expect(fake.checks.tree).toBeTruthy();
  // Among others it is not what their heading says.
  await fireEvent.click(row('begins well'));
  await fireEvent.click(row('opening night'));
  expect(heads()).toEqual(['Fails 1', 'Cannot run 1', 'Holds 2']);
  row('opening night').focus();
  key('z', { ctrlKey: true });
  await expect.poll(() => row('opening night').dataset.group).toBe('review');
  expect(heads()).toEqual(['Fails 1', 'Cannot run 1', 'Holds 1']);
  expect(screen.getByText(/^without the open check/)).toBeTruthy();
});

test('Ctrl+S in the checks saves the deck as well, and the status bar knows the checks', async () => {
  const { fake, screen, row } = await open();
  await fireEvent.click(row('opening night'));
  await fireEvent.click(
    screen.getByRole('button', { name: 'Accept the new text of opening night' }),
  );
  await screen.findByText('Checks modified');
  row('opening night').focus();
  key('s', { ctrlKey: true });
  await expect.poll(() => fake.calls.some(({ name }) => name === 'save')).toBe(true);
  expect(fake.checks.saved).toBe(fake.checks.tree);
  await expect.poll(() => screen.queryByText('Checks modified')).toBeNull();
});

test('all golden texts are accepted as one step', async () => {
  const two = scene();
  const list = at(two.tree, ['checks']) as JsonValue[];
  const { fake, screen } = await open({
    ...two,
    tree: { version: 1, checks: [list[1] ?? null, list[1] ?? null] },
  });
  await fireEvent.click(await screen.findByRole('button', { name: 'Accept all 2' }));
  await expect
    .poll(() => at(fake.checks.tree, ['checks', 1, 'expect', 0, 'text']))
    .toBe('One new text.');
  const groups = fake.calls.filter(({ name }) => name === 'applyChecks');
  expect(groups.length).toBe(1);
});

test('arrows, F2 and Delete work on the list, and a removal can be undone', async () => {
  const { fake, screen, row, named } = await open();
  row('says nothing twice').focus();
  key('ArrowDown');
  expect(document.activeElement).toBe(row('typo'));
  key('End');
  expect(document.activeElement).toBe(row('begins well'));
  key('F2');
  const field = await screen.findByRole('textbox', { name: 'Name' });
  await fireEvent.input(field, { target: { value: 'starts well' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => at(fake.checks.tree, ['checks', 3, 'name'])).toBe('starts well');
  await expect.poll(() => document.activeElement).toBe(row('starts well'));
  key('Delete');
  await expect.poll(named).toEqual(['says nothing twice', 'typo', 'opening night']);
  expect(document.activeElement?.hasAttribute('data-check')).toBe(true);
  await screen.findByText('Deleted check “starts well”.');
  await fireEvent.click(screen.getByText('Undo'));
  await expect.poll(() => named().length).toBe(4);
});

test('the prompt, a roll and a snapshot are kept as checks', async () => {
  const { fake, screen } = await open(null);
  screen.getByText('No checks yet');
  const added = () =>
    fake.calls.flatMap(({ name, args }) => (name === 'keepCheck' ? [args[1]] : []));
  await fireEvent.click(screen.getByRole('tab', { name: 'Prompt' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Keep the prompt as check' }));
  await expect.poll(added).toEqual([{ from: 'prompt', seed: 7 }]);
  await screen.findByText('Kept as check “prompt of seed 7”.');
  await fireEvent.click(screen.getByRole('tab', { name: 'Variants' }));
  await fireEvent.click(await screen.findByRole('button', { name: 'Keep seed 9 as check' }));
  await expect.poll(() => added().at(-1)).toEqual({ from: 'prompt', seed: 9 });
  await fireEvent.click(screen.getAllByRole('button', { name: 'Show' })[0] as HTMLElement);
  await expect
    .poll(() => screen.getByRole('tab', { name: /^Checks/ }).getAttribute('aria-selected'))
    .toBe('true');
});

test('checks run after an edit of the registry and not after a roll; the newest wins', async () => {
  const { fake, screen, runs } = await open();
  await expect.poll(runs).toBe(1);
  await fireEvent.click(screen.getByRole('button', { name: 'Roll' }));
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(runs()).toBe(1);
  fake.revision += 1;
  fake.emit({
    kind: 'reloaded',
    change: {
      document: 'guides.json',
      base: fake.revision - 1,
      edits: [{ kind: 'set', path: ['registry', 'title'], value: 'Another' }],
      status: fake.status,
      preview: { ...guides().preview(fake.tree), number: 99, base: null },
    },
  });
  await expect.poll(runs).toBe(2);
});

test('a file that follows a renamed section is open from then on, and saved with the registry', async () => {
  const fake = new FakeBackend({ ...guides(), checks: scene() });
  const screen = render(App, { backend: fake.backend });
  await screen.findByRole('tab', { name: /^Checks/ });
  fake.emit({
    kind: 'checks_followed',
    change: {
      document: 'guides.checks.json',
      base: 0,
      edits: [{ kind: 'set', path: ['notes'], value: 'followed' }],
      status: { revision: 1, modified: true, undo: null, redo: null },
    },
  });
  await screen.findByText(/The checks follow: 1 name in them changed as well/);
  await expect.poll(() => fake.calls.some(({ name }) => name === 'openChecks')).toBe(true);
});

test('a damaged file is an error with its place, and is read again when it changes', async () => {
  const fake = new FakeBackend({ ...guides(), checks: scene() });
  const message = 'guides.checks.json: line 2, column 14: expected a value';
  fake.failing.set('openChecks', { code: 'bad_json', message });
  const screen = render(App, { backend: fake.backend });
  await fireEvent.click(await screen.findByRole('tab', { name: 'Checks' }));
  await screen.findByText('The file of checks cannot be read');
  screen.getByText(/line 2, column 14/);
  expect(screen.queryByRole('button', { name: 'Add check' })).toBeNull();
  fake.emit({ kind: 'workspace_changed' });
  await expect.poll(() => document.querySelectorAll('[data-check]').length).toBe(4);
  expect(screen.queryByText('The file of checks cannot be read')).toBeNull();
});

test('a change of the file is loaded, and one beside unsaved edits waits for a decision', async () => {
  const { fake, screen } = await open();
  fake.checks.conflict = {
    seen_at: 0,
    disk: 'changed',
    problem: null,
    rows: [
      {
        key: 'checks',
        section: false,
        mine: 'edited',
        disk: 'edited',
        proposal: 'mine',
        both: true,
      },
    ],
    equal: 0,
  };
  fake.emit({
    kind: 'conflicted',
    document: 'guides.checks.json',
    conflict: fake.checks.conflict,
  });
  await screen.findByText(/The version on disk is kept as a copy beside it/);
  await fireEvent.click(screen.getByRole('tab', { name: 'Prompt' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Checks changed on disk' }));
  await fireEvent.click(await screen.findByRole('button', { name: 'Apply' }));
  const asked = () => fake.calls.findLast(({ name }) => name === 'resolveChecks')?.args[1];
  await expect.poll(asked).toEqual({ checks: 'mine' });
  await expect.poll(() => screen.queryByRole('button', { name: 'Apply' })).toBeNull();
});

test('the tab has no faults of accessibility', async () => {
  const { screen } = await open();
  await screen.findByText('4 checks: 1 holds, 1 fails, 1 cannot run, 1 waits for review');
  const panel = document.querySelector('[data-checks]') as HTMLElement;
  const { violations } = await axe.run(panel, { rules: { 'color-contrast': { enabled: false } } });
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
});
