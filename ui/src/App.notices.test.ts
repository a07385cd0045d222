// What the window says unasked: offers that stay true, why nothing was saved, drafts that came back.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { Conflict, SnapshotSummary } from '$lib/ipc';
import { guides } from './testing/guides';
import { key, openRegistry, openStudio } from './testing/studio';

const conflict: Conflict = {
  seen_at: 0,
  disk: 'changed',
  problem: null,
  rows: [
    {
      key: 'personas',
      section: true,
      mine: 'edited',
      disk: 'edited',
      proposal: 'mine',
      both: true,
    },
  ],
  equal: 2,
};

const snapshot = (id: number, name: string, pinned: number): SnapshotSummary => ({
  id,
  name,
  note: '',
  file: 'guides.json',
  taken_at: 0,
  kind: 'manual',
  pinned,
  route: null,
  seed: id,
  target: null,
  glance: '',
});

test('only the newest of two switches can be undone', async () => {
  const snapshots = [snapshot(101, 'Calm night', 1), snapshot(102, 'Loud night', 2)];
  const { screen } = await openStudio({ ...guides(), snapshots });
  const notice = async (words: string) =>
    within((await screen.findByText(words)).closest<HTMLElement>('.notice')!);
  key('1', { ctrlKey: true });
  expect(
    (await notice('Switched to “Calm night”.')).getByRole('button', { name: 'Undo' }),
  ).toBeTruthy();
  key('2', { ctrlKey: true });
  expect(
    (await notice('Switched to “Loud night”.')).getByRole('button', { name: 'Undo' }),
  ).toBeTruthy();
  expect(
    (await notice('Switched to “Calm night”.')).queryByRole('button', { name: 'Undo' }),
  ).toBeNull();
});

test('Escape puts the newest notice away, after what it ends first', async () => {
  const { fake, screen } = await openStudio(guides());
  for (const message of ['The first fault', 'The second fault']) {
    fake.failing.set('roll', { code: 'io', message });
    key('r', { ctrlKey: true });
    await screen.findByText(new RegExp(message));
  }
  const faults = () => screen.queryAllByText(/ fault/).map(({ textContent }) => textContent);
  key('k', { ctrlKey: true });
  const dialog = await screen.findByRole('dialog');
  key('Escape');
  expect(faults()).toHaveLength(2);
  // The browser closes a dialog by Esc; here nothing does.
  await fireEvent(dialog, new Event('close'));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  key('Escape');
  await expect.poll(faults).toEqual(['The first fault']);
  key('Escape');
  await expect.poll(faults).toEqual([]);
});

test('notices lie over the middle column, and in a narrow window in the status bar', async () => {
  const places = () => {
    const { style } = document.documentElement;
    return ['start', 'room'].map((name) => style.getPropertyValue(`--notices-${name}`));
  };
  const { unmount } = (await openStudio(guides())).screen;
  expect(places()).toEqual(['264px', '568px']);
  const isFolded = () => document.querySelector('[data-notices]')!.classList.contains('folded');
  key('s', { ctrlKey: true, shiftKey: true });
  await expect.poll(() => document.querySelectorAll('.notice').length).toBe(1);
  expect(isFolded()).toBe(false);
  unmount();
  expect(places()).toEqual(['', '']);
  await openStudio(guides(), 1000);
  key('s', { ctrlKey: true, shiftKey: true });
  await expect.poll(isFolded).toBe(true);
});

test('a change made after a switch withdraws the offer to undo the switch', async () => {
  const { screen } = await openStudio({ ...guides(), snapshots: [snapshot(101, 'Calm', 1)] });
  key('1', { ctrlKey: true });
  await screen.findByText('Switched to “Calm”.');
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  await expect.poll(() => screen.queryAllByText('Undo')).toEqual([]);
});

test('saving over a change on disk reports it and goes to the choices', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  await expect.poll(() => fake.revision).toBe(1);
  fake.conflict = conflict;
  key('s', { ctrlKey: true });
  expect(await screen.findByText(/^Not saved: guides\.json changed on disk/)).toBeTruthy();
  expect(await screen.findByText(/Snapshots keep both versions\./)).toBeTruthy();
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toBe('Changed on disk');
});

test('a change on disk of every part says nothing of others', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  await expect.poll(() => fake.revision).toBe(1);
  fake.conflict = { ...conflict, equal: 0 };
  key('s', { ctrlKey: true });
  expect(await screen.findByText('Snapshots keep both versions.')).toBeTruthy();
});

test('the choice of one version for every part ends the conflict and says so', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  await expect.poll(() => fake.revision).toBe(1);
  fake.conflict = conflict;
  key('s', { ctrlKey: true });
  await fireEvent.click(await screen.findByRole('button', { name: 'All mine' }));
  expect(await screen.findByText(/^Kept all of yours; saving writes it over/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull();
  const [resolved] = fake.calls.filter(({ name }) => name === 'resolve');
  expect(resolved?.args[1]).toEqual({ personas: 'mine' });
});

test('a failed save is tried again for its own registry, and its fault is over when it succeeds', async () => {
  const { fake, screen } = await openStudio({ ...guides(), others: ['other.json'] });
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  await expect.poll(() => fake.revision).toBe(1);
  fake.failing.set('save', { code: 'io', message: 'cannot write guides.json' });
  key('s', { ctrlKey: true });
  const retry = await screen.findByRole('button', { name: 'Retry' });
  await openRegistry(screen, 'other.json');
  fake.failing.delete('save');
  await fireEvent.click(retry);
  const saves = () => fake.calls.filter(({ name }) => name === 'save').map(({ args }) => args[0]);
  await expect.poll(saves).toEqual(['guides.json', 'guides.json']);
  expect(screen.queryByText(/cannot write guides\.json/i)).toBeNull();
});

test('a fault of a registry goes when another one is opened', async () => {
  const { fake, screen } = await openStudio({ ...guides(), others: ['other.json'] });
  fake.failing.set('roll', { code: 'io', message: 'The first fault' });
  key('r', { ctrlKey: true });
  await screen.findByText('The first fault');
  await openRegistry(screen, 'other.json');
  await expect.poll(() => screen.queryByText('The first fault')).toBeNull();
});

test('a draft is announced once, not each time its registry is returned to', async () => {
  const { fake, screen } = await openStudio({ ...guides(), others: ['other.json'] });
  fake.draft = { saved_at: 0, other_window: null, incomplete: false };
  const announced = () => screen.queryAllByText(/Restored your unsaved edits of/).length;
  const open = (file: string) => openRegistry(screen, file);
  await open('other.json');
  expect(announced()).toBe(1);
  await fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await open('guides.json');
  await open('other.json');
  expect(announced()).toBe(0);
});

test('a draft that is restored names the snapshot of what another window had not saved', async () => {
  const { fake, screen } = await openStudio({ ...guides(), others: ['other.json'] });
  fake.draft = { saved_at: 0, other_window: 'Unsaved work of another window', incomplete: false };
  await openRegistry(screen, 'other.json');
  expect(
    await screen.findByText(/is in Snapshots, as “Unsaved work of another window”/),
  ).toBeTruthy();
});

test('a draft that lost its last edits says so', async () => {
  const { fake, screen } = await openStudio({ ...guides(), others: ['other.json'] });
  fake.draft = { saved_at: 0, other_window: null, incomplete: true };
  await openRegistry(screen, 'other.json');
  expect(await screen.findByText(/the last unsaved edits of other.json are lost/)).toBeTruthy();
});

test('an export names the values it leaves out', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.omitted = ['personas::place'];
  key('e', { ctrlKey: true });
  expect(
    await screen.findByText(
      'Model JSON copied to the clipboard. The value of personas::place is not part of the export, as callers set it; give it a default to export one.',
    ),
  ).toBeTruthy();
  fake.omitted = ['personas::place', 'personas::hour'];
  key('e', { ctrlKey: true });
  expect(await screen.findByText(/The values of personas::place, personas::hour are/)).toBeTruthy();
});

test('a store that another program holds is reported', async () => {
  const { fake, screen } = await openStudio(guides());
  const message = 'Another program is using the store; waiting for it, 30 seconds at most';
  fake.emit({ kind: 'store_waiting', message });
  expect(await screen.findByText(message)).toBeTruthy();
});

test('work in the background that failed is reported', async () => {
  const { fake, screen } = await openStudio(guides());
  const problem = { code: 'panicked', message: 'analysis failed inside Promptdeck' };
  fake.emit({ kind: 'failed', problem });
  expect(await screen.findByText('Analysis failed inside Promptdeck')).toBeTruthy();
});

const damaged: Conflict = {
  seen_at: 0,
  disk: 'damaged',
  problem: { code: 'syntax', message: 'guides.json: line 4, column 5: expected `,`' },
  rows: [],
  equal: 0,
};

test('a damaged file is overwritten on purpose only, and the copy of it is named', async () => {
  const { fake, screen } = await openStudio(guides());
  fake.conflict = damaged;
  fake.emit({ kind: 'conflicted', document: 'guides.json', conflict: damaged });
  const card = within(await screen.findByRole('region', { name: 'Changed on disk' }));
  card.getByText(/^guides\.json was damaged on disk at /);
  card.getByText(/line 4, column 5/);
  expect(card.queryByText(/Only your version is left|identical/)).toBeNull();
  expect(screen.queryByText('Saved')).toBeNull();
  key('s', { ctrlKey: true });
  expect(await screen.findByText(/^Not saved: guides\.json is damaged on disk/)).toBeTruthy();
  fake.kept = 'guides.damaged-1.json';
  await fireEvent.click(card.getByRole('button', { name: 'Overwrite' }));
  expect(
    await screen.findByText(
      /^Saved guides\.json\. The damaged file is kept as guides\.damaged-1\.json\./,
    ),
  ).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Changed on disk' })).toBeNull();
  screen.getByText('Saved');
});

test('a deleted file is written again at once', async () => {
  const { fake, screen } = await openStudio(guides());
  const conflict: Conflict = { ...damaged, disk: 'deleted' };
  fake.conflict = conflict;
  fake.emit({ kind: 'conflicted', document: 'guides.json', conflict });
  const card = within(await screen.findByRole('region', { name: 'Changed on disk' }));
  await fireEvent.click(card.getByRole('button', { name: 'Write again' }));
  const saves = () => fake.calls.filter(({ name }) => name === 'save').length;
  await expect.poll(saves).toBe(1);
  expect(screen.queryByRole('region', { name: 'Changed on disk' })).toBeNull();
});

test('a file that cannot be read has nothing to choose', async () => {
  const { fake, screen } = await openStudio(guides());
  const conflict: Conflict = { ...damaged, disk: 'unreadable' };
  fake.emit({ kind: 'conflicted', document: 'guides.json', conflict });
  const card = within(await screen.findByRole('region', { name: 'Changed on disk' }));
  card.getByText(/^guides\.json can no longer be read/);
  expect(card.queryAllByRole('button')).toEqual([]);
  fake.emit({ kind: 'conflict_over', document: 'guides.json' });
  await expect.poll(() => screen.queryByRole('region', { name: 'Changed on disk' })).toBeNull();
});

test('unsaved work of another window, which a draft took the place of, is named', async () => {
  const { fake, screen } = await openStudio(guides());
  const draft = { revision: 1, saved_at: 0, problem: null } as const;
  const kept = 'Unsaved work of another window';
  fake.emit({ kind: 'draft', document: 'guides.json', ...draft, kept });
  await screen.findByText(
    'Another window has unsaved work on this file. It is kept as “Unsaved work of another window”.',
  );
});

test('what is said of unsaved edits goes once there are none, and does not come back', async () => {
  const { fake, screen } = await openStudio({ ...guides(), others: ['other.json'] });
  fake.draft = { saved_at: 0, other_window: null, incomplete: false };
  await openRegistry(screen, 'other.json');
  await screen.findByText(/^Restored your unsaved edits of/);
  const problem = { code: 'io', message: 'cannot write the draft' };
  const draft = { document: 'other.json', revision: 1, saved_at: 0, kept: null };
  fake.emit({ kind: 'draft', ...draft, problem });
  fake.failing.set('save', { code: 'io', message: 'cannot write other.json' });
  key('s', { ctrlKey: true });
  await screen.findByText('Cannot write other.json');
  await screen.findByText('Cannot write the draft');
  fake.draft = null;
  const toggle = () => fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  const notices = () =>
    screen.queryAllByText(/^Cannot write|^Restored/).map(({ textContent }) => textContent);
  await toggle();
  await expect.poll(() => fake.status.modified).toBe(true);
  expect(notices()).toHaveLength(3);
  key('z', { ctrlKey: true });
  await expect.poll(notices).toEqual([]);
  await toggle();
  await expect.poll(() => fake.status.modified).toBe(true);
  expect(notices()).toEqual([]);
});

test('a draft that can be written again ends what was said of it', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  const draft = { document: 'guides.json', revision: 1, saved_at: 0, kept: null };
  fake.emit({ kind: 'draft', ...draft, problem: { code: 'io', message: 'the disk is full' } });
  await screen.findByText('The disk is full');
  const later = { code: 'io', message: '3 kB are missing' };
  fake.emit({ kind: 'draft', ...draft, problem: later });
  await screen.findByText('3 kB are missing');
  expect(screen.queryByText('The disk is full')).toBeNull();
  fake.emit({ kind: 'draft', ...draft, problem: null });
  await expect.poll(() => screen.queryByText('3 kB are missing')).toBeNull();
});

test('a save that was refused for a conflict is not reported any more when that is over', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  await expect.poll(() => fake.revision).toBe(1);
  fake.conflict = conflict;
  key('s', { ctrlKey: true });
  await screen.findByText(/^Not saved: guides\.json changed on disk/);
  fake.emit({ kind: 'conflict_over', document: 'guides.json' });
  await expect.poll(() => screen.queryByText(/^Not saved/)).toBeNull();
});

test('a registry that takes its time to open is named meanwhile', async () => {
  const { fake, screen } = await openStudio({ ...guides(), others: ['b.json'] });
  let goOn: (() => void) | undefined;
  fake.held.set('open', new Promise((resolve) => (goOn = resolve)));
  await fireEvent.click(screen.getByTitle(/^Registry .*\.json$/));
  await fireEvent.click(await screen.findByRole('row', { name: /b\.json/ }));
  expect(await screen.findByText('Opening b.json…')).toBeTruthy();
  goOn?.();
  await expect.poll(() => screen.queryByText('Opening b.json…')).toBeNull();
});
