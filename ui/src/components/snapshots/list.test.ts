// What a row of the list says about its snapshot, and the name of the last one in the top bar.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import type { SnapshotChanges, SnapshotSummary } from '$lib/ipc';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

const snapshot = (id: number, name: string, glance: string): SnapshotSummary => ({
  id,
  name,
  note: '',
  file: 'guides.json',
  taken_at: 0,
  kind: 'manual',
  pinned: null,
  route: null,
  seed: id,
  target: null,
  glance,
});

const rows = async (snapshots: SnapshotSummary[], snapshotChanges: SnapshotChanges[] = []) => {
  const { screen } = await openStudio({ ...guides(), snapshots, snapshotChanges });
  await fireEvent.click(screen.getByRole('button', { name: 'Snapshots' }));
  const panel = within(screen.getByRole('dialog', { name: 'Snapshots' }));
  return panel.findAllByRole('option');
};

test('a name and a note are saved however their form is left, unless they are given up', async () => {
  const { fake, screen } = await openStudio({
    ...guides(),
    snapshots: [snapshot(102, 'two', ''), snapshot(101, 'one', '')],
  });
  await fireEvent.click(screen.getByRole('button', { name: 'Snapshots' }));
  const panel = within(screen.getByRole('dialog', { name: 'Snapshots' }));
  const described = () =>
    fake.calls.filter(({ name }) => name === 'describeSnapshot').map(({ args }) => args);
  const write = async (name: string, note: string) => {
    await fireEvent.click(await panel.findByRole('button', { name: 'Rename' }));
    for (const [label, words] of [
      ['Snapshot name', name],
      ['Note', note],
    ] as const) {
      const field = await panel.findByRole('textbox', { name: label });
      await fireEvent.input(field, { target: { value: words } });
    }
  };
  await write('two dry', 'For the late crowd.');
  const [, other] = await panel.findAllByRole('option');
  await fireEvent.click(other!);
  await expect.poll(described).toEqual([[102, 'two dry', 'For the late crowd.']]);
  await write('one warm', '');
  await fireEvent.keyDown(panel.getByRole('textbox', { name: 'Snapshot name' }), { key: 'Escape' });
  await write('one loud', 'x');
  await fireEvent.click(panel.getByRole('button', { name: 'Close' }));
  await expect.poll(described).toHaveLength(2);
  expect(described()[1]).toEqual([101, 'one loud', 'x']);
});

test('a name given by the author leaves what was chosen in sight, however it begins', async () => {
  const [given, made, numbered] = await rows([
    snapshot(101, 'personas dry, for the late crowd', 'personas dry'),
    snapshot(102, 'personas dry', 'personas dry'),
    snapshot(103, 'personas dry (2)', 'personas dry'),
  ]);
  expect(given!.querySelector('.sub')!.textContent).toBe('personas dry');
  expect(made!.querySelector('.sub')!.textContent).toContain('seed 102');
  expect(numbered!.querySelector('.sub')!.textContent).toContain('seed 103');
});

test('a list that arrives when the window is gone reads no value of it', async () => {
  const warn = vi.spyOn(console, 'warn');
  const { fake, screen } = await openStudio({
    ...guides(),
    snapshots: [snapshot(101, 'personas dry', 'personas dry')],
  });
  await fireEvent.click(screen.getByRole('button', { name: 'Snapshots' }));
  await within(screen.getByRole('dialog', { name: 'Snapshots' })).findAllByRole('option');
  const calls = fake.calls.length;
  const filter = screen.getByRole('textbox', { name: 'Find a snapshot' }) as HTMLInputElement;
  filter.value = 'dry';
  filter.dispatchEvent(new InputEvent('input', { bubbles: true }));
  // Before the answer.
  screen.unmount();
  await new Promise((done) => setTimeout(done));
  expect(fake.calls.slice(calls).map(({ name }) => name)).toContain('snapshots');
  expect(warn).not.toHaveBeenCalled();
});

test('a row says what changed from the snapshot before: one by its name, several by their number', async () => {
  const place = (section: string | null, name: string) => ({ section, name });
  const [many, few, same, unknown, first] = await rows(
    [
      snapshot(105, 'calm', 'personas dry'),
      snapshot(104, 'personas dry (2)', 'personas dry'),
      snapshot(103, 'again', 'personas dry'),
      snapshot(102, 'large', 'personas dry'),
      snapshot(101, 'first', 'personas dry'),
    ],
    [
      {
        id: 105,
        since: 'loud',
        settings: [
          place('personas', 'item'),
          place('sentiment', 'item'),
          place('sentiment', 'slider'),
          place('sentiment', 'nudges'),
          place('base_context', '{venue}'),
          place(null, 'seed'),
        ],
        edited: [],
      },
      { id: 104, since: 'a', settings: [], edited: ['personas', 'assembly_order'] },
      { id: 103, since: 'a', settings: [], edited: [] },
      { id: 102, since: 'a', settings: [place(null, 'route')], edited: null },
    ],
  );
  const line = (row: HTMLElement | undefined) => row!.querySelector<HTMLElement>('.changed');
  expect(line(many)!.textContent).toBe(
    'Changed: 2 items, slider of sentiment, mode of sentiment nudges, variable venue, seed',
  );
  expect(line(many)!.title).toContain('from “loud”: item of personas, item of sentiment, slider');
  expect(line(few)!.textContent).toBe('Changed: 2 parts of the deck');
  expect(line(few)!.title).toContain('section personas, assembly order');
  expect(few!.querySelector('.sub'), 'no time beside what tells it apart').toBeNull();
  expect(line(same)!.textContent).toBe('Same as the one before');
  expect(line(unknown)!.textContent).toBe('Changed: the deck, route');
  expect(line(first)).toBeNull();
});

test('the number at the end of a name is never cut off in the top bar', async () => {
  const name = 'personas deadpan, sentiment positive at 7 (12)';
  const { screen } = await openStudio({
    ...guides(),
    snapshots: [{ ...snapshot(101, name, ''), pinned: 1 }],
  });
  await fireEvent.keyDown(document.body, { key: '1', ctrlKey: true });
  const button = await screen.findByRole('button', { name: `Snapshots: ${name} 1` });
  expect(button.querySelector('.number')!.textContent).toBe('(12)');
  // Only the start of the name has an ellipsis; see CutName.
  expect(button.querySelector('.end')!.textContent).toContain('(12)');
});

test('a key without a pinned snapshot leads to where one is pinned', async () => {
  const { screen } = await openStudio(guides());
  await fireEvent.keyDown(document.body, { key: '1', ctrlKey: true });
  const words = 'No snapshot is pinned to key 1. Pin one in Snapshots (Ctrl+Shift+O).';
  const notice = (await screen.findByText(words)).closest<HTMLElement>('.notice')!;
  await fireEvent.click(within(notice).getByRole('button', { name: 'Snapshots' }));
  expect(await screen.findByRole('dialog', { name: 'Snapshots' })).toBeTruthy();
});

test('the focus is on the selected row after a deletion was undone, and its notice goes', async () => {
  const all = ['one', 'two', 'three'].map((name, index) => snapshot(103 - index, name, name));
  const { screen } = await openStudio({ ...guides(), snapshots: all });
  await fireEvent.click(screen.getByRole('button', { name: 'Snapshots' }));
  const panel = within(screen.getByRole('dialog', { name: 'Snapshots' }));
  const chosen = () => panel.getByRole('option', { selected: true });
  const focused = () => document.activeElement?.querySelector('.name')?.textContent;
  (await panel.findAllByRole('option'))[0]!.focus();
  key('ArrowDown');
  await expect.poll(focused).toBe('two');
  key('Delete');
  await expect.poll(focused).toBe('three');
  expect(await screen.findByText('Deleted snapshot “two”.')).toBeTruthy();
  key('z', { ctrlKey: true });
  await expect.poll(() => chosen().textContent).toContain('two');
  await expect.poll(() => document.activeElement).toBe(chosen());
  await expect.poll(() => screen.queryByText('Deleted snapshot “two”.')).toBeNull();
});

test('Ctrl+Z brings back what was deleted last, and F2 renames', async () => {
  const all = [snapshot(102, 'dry', 'personas dry'), snapshot(101, 'first', 'personas dry')];
  const { fake, screen } = await openStudio({ ...guides(), snapshots: all });
  await fireEvent.click(screen.getByRole('button', { name: 'Snapshots' }));
  const panel = within(screen.getByRole('dialog', { name: 'Snapshots' }));
  const names = () => panel.queryAllByRole('option').map((row) => row.textContent);
  const [first] = await panel.findAllByRole('option');
  first!.focus();
  key('Delete');
  await expect.poll(() => names().length).toBe(1);
  key('z', { ctrlKey: true });
  await expect.poll(() => names().length).toBe(2);
  expect(fake.calls.some(({ name }) => name === 'undo')).toBe(false);
  // What was deleted before the list was opened again is not brought back by it.
  panel.getAllByRole('option')[0]!.focus();
  key('Delete');
  await expect.poll(() => names().length).toBe(1);
  key('Escape');
  await fireEvent.click(screen.getByRole('button', { name: 'Snapshots' }));
  const again = within(screen.getByRole('dialog', { name: 'Snapshots' }));
  (await again.findAllByRole('option'))[0]!.focus();
  key('z', { ctrlKey: true });
  await expect.poll(() => fake.calls.some(({ name }) => name === 'undo')).toBe(true);
  const row = again.getAllByRole('option')[0]!;
  row.focus();
  key('F2');
  const field = await again.findByRole<HTMLInputElement>('textbox', { name: 'Snapshot name' });
  expect(field.value).toBe('first');
  await fireEvent.input(field, { target: { value: 'other' } });
  field.focus();
  key('Escape');
  await expect.poll(() => again.queryByRole('textbox', { name: 'Snapshot name' })).toBeNull();
  expect(document.activeElement).toBe(row);
});

/** The panel with one snapshot, after another was deleted and the panel was opened anew. */
async function openDeleted(others: SnapshotSummary[]) {
  const gone = snapshot(101, 'Opening night', 'personas dry');
  const { fake, screen } = await openStudio({ ...guides(), snapshots: others });
  fake.deletedSnapshots = [{ ...gone, deleted_at: 1 }];
  const panel = () => within(screen.getByRole('dialog', { name: 'Snapshots' }));
  return { fake, screen, panel };
}

test('the deleted ones are behind a line at the end of the list, each with Restore', async () => {
  const { fake, screen, panel } = await openDeleted([snapshot(102, 'Second act', 'calm')]);
  await fireEvent.click(screen.getByRole('button', { name: 'Snapshots' }));
  const line = await panel().findByRole('button', { name: 'Deleted (1)' });
  expect(panel().queryByRole('button', { name: 'Restore Opening night' })).toBeNull();
  await fireEvent.click(line);
  const restore = panel().getByRole('button', { name: 'Restore Opening night' });
  restore.focus();
  await fireEvent.click(restore);
  expect(await screen.findByText('Restored snapshot “Opening night”.')).toBeTruthy();
  expect(fake.deletedSnapshots).toEqual([]);
  const chosen = () => panel().getByRole('option', { selected: true }).textContent;
  await expect.poll(chosen).toContain('Opening night');
  await expect.poll(() => panel().getByText(/^No deleted snapshots/)).toBeTruthy();
});

test('the palette leads to them, also where no snapshot is left', async () => {
  const { screen, panel } = await openDeleted([]);
  key('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(field, { target: { value: 'deleted' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(await panel().findByRole('button', { name: 'Restore Opening night' })).toBeTruthy();
  const line = panel().getByRole('button', { name: 'Deleted (1)' });
  await expect.poll(() => document.activeElement).toBe(line);
});
