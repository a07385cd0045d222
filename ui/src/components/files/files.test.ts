// The panel of files over a fake service: what is listed, what the keys do, what reaches the service.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { MOST_ROWS } from '$lib/state/files.svelte';
import { guides } from '../../testing/guides';
import { focused, openFiles, rename, row, rows } from '../../testing/open-files';
import { asked } from '../../testing/open-talk';
import { key, openStudio } from '../../testing/studio';

test('each section of a registry has a hue in its row, also of one that was never opened', async () => {
  const { panel } = await openFiles();
  const bars = await panel.findAllByRole('img', { name: /house_rules/ });
  const hues = [...bars[0]!.children].map((bar) => (bar as HTMLElement).dataset.tint);
  expect(hues).toEqual(['3', expect.stringMatching(/^(9|1[0-2])$/)]);
});

test('Ctrl+F goes to the filter of the list, and not to the deck behind it', async () => {
  await openFiles();
  key('f', { ctrlKey: true });
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Filter registries');
});

test('registries with unsaved edits are marked by name, in the list and among the recent ones', async () => {
  const { panel } = await openFiles((fake) => {
    const [open, bell, ...rest] = fake.files.entries;
    fake.files.entries = [open!, { ...bell!, modified: true }, ...rest];
    fake.files.recentModified = true;
  });
  const mark = 'Modified';
  expect(within(row('b.json')).getByRole('img', { name: mark })).toBeTruthy();
  expect(within(row('a.json')).queryByRole('img', { name: mark })).toBeNull();
  const recent = await panel.findByRole('button', { name: /^Ferry Keeper/ });
  expect(within(recent).getByRole('img', { name: mark })).toBeTruthy();
});

test('folders and recent registries of one name show what tells them apart', async () => {
  const { panel } = await openFiles((fake) => {
    fake.files.known = ['/registries', '/work/decks', '/home/decks'];
    fake.files.alsoRecent = [
      { folder: '/registries', file: 'keeper.json', title: 'Ferry Keeper' },
      { folder: '/registries', file: 'bell.json', title: 'Bell' },
    ];
  });
  await panel.findByRole('button', { name: /^decks work / });
  const nav = within(panel.getByRole('navigation', { name: 'Folders' }));
  const names = nav
    .getAllByRole('button')
    .map((each) => each.textContent?.replace(/\s+/g, ' ').trim());
  expect(names.filter((name) => /^(decks|Ferry|Bell)/.test(name ?? ''))).toEqual([
    'decks work 3',
    'decks home 3',
    'Ferry Keeper ferries/keeper.json',
    'Ferry Keeper registries/keeper.json',
    'Bell',
  ]);
});

test('copies kept beside a file are marked, and the palette does not offer them', async () => {
  const copy = 'b.replaced-1.json';
  const { screen } = await openFiles((fake) => {
    const entry = { ...fake.files.entry(copy, 'b.replaced-1', 5), backup: true };
    fake.files.entries = [...fake.files.entries, entry];
  });
  expect(within(row(copy)).getByText('backup')).toBeTruthy();
  expect(within(row('b.json')).queryByText('backup')).toBeNull();
  key('Escape');
  key('k', { ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(field, { target: { value: 'Open b' } });
  const offered = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(offered.join()).toContain('Bell ringer');
  expect(offered.join()).not.toContain('replaced-1');
});

test('a damaged registry shows its text around the fault, and leads to the file', async () => {
  const message = 'cut.json: line 2, column 14: unexpected end';
  const excerpt = { first: 1, lines: ['{', '  "personas": {'], column: 14 };
  const problem = { code: 'syntax', message, line: 2, column: 14, excerpt };
  const { fake, panel } = await openFiles((fake) => {
    const entry = { ...fake.files.entry('cut.json', 'cut', 5), problem };
    fake.files.entries = [...fake.files.entries, entry];
  });
  await fireEvent.click(row('cut.json'));
  const problemExcerpt = await panel.findByRole('region', { name: 'The text around line 2' });
  expect(problemExcerpt.textContent).toContain('2  "personas": {');
  expect(problemExcerpt.querySelector('mark')?.textContent).toBe(' ');
  await fireEvent.click(panel.getByRole('button', { name: 'Reveal in file manager' }));
  expect(asked(fake, 'reveal').at(-1)).toEqual(['cut.json']);
});

test('what is said of a damaged registry follows its file', async () => {
  const damaged = (line: number) => ({ code: 'syntax', message: `line ${line}: no`, line });
  const { fake, panel } = await openFiles((fake) => {
    const entry = { ...fake.files.entry('cut.json', 'cut', 5), problem: damaged(2) };
    fake.files.entries = [...fake.files.entries, entry];
  });
  await fireEvent.click(row('cut.json'));
  const edit = await panel.findByRole('button', { name: 'Edit the text…' });
  edit.focus();
  const change = (problem: ReturnType<typeof damaged> | null) => {
    fake.files.entries = fake.files.entries.map((each) =>
      each.file === 'cut.json' ? { ...each, problem } : each,
    );
    fake.emit({ kind: 'workspace_changed' });
  };
  change(damaged(7));
  const problemText = () => document.querySelector('#files .problem')?.textContent;
  await expect.poll(problemText).toContain('Line 7: no');
  expect(document.activeElement).toBe(edit);
  change(null);
  await expect.poll(problemText).toBeUndefined();
});

test('the latest change comes first, sub-folders last; names sort too', async () => {
  const { panel, screen } = await openFiles();
  expect(rows()).toEqual(['guides.json', 'b.json', 'a.json', 'finals/', 'finals/last.json']);
  expect(await panel.findAllByText('250')).toHaveLength(4);
  expect(row('guides.json').getAttribute('aria-selected')).toBe('true');
  await fireEvent.click(panel.getByRole('button', { name: 'Sort by: Changed' }));
  await fireEvent.click(await screen.findByRole('option', { name: 'Name' }));
  expect(rows()).toEqual(['a.json', 'b.json', 'guides.json', 'finals/', 'finals/last.json']);
});

test('arrows move over the rows, a folder folds, Enter opens', async () => {
  const { fake, screen } = await openFiles();
  await expect.poll(focused).toBe('guides.json');
  key('End');
  await expect.poll(focused).toBe('finals/last.json');
  key('ArrowLeft');
  await expect.poll(() => document.activeElement?.getAttribute('data-folder')).toBe('finals');
  key('ArrowLeft');
  await expect.poll(() => rows().at(-1)).toBe('finals/');
  key('Home');
  key('ArrowDown');
  await expect.poll(focused).toBe('b.json');
  key('Enter');
  await screen.findByTitle('Registry b.json');
  expect(screen.queryByRole('dialog', { name: 'Registries' })).toBeNull();
  expect(asked(fake, 'open').at(-1)).toEqual(['b.json']);
});

test('a slash leads to the filter, which leads to what it finds', async () => {
  const { panel, screen } = await openFiles();
  await expect.poll(focused).toBe('guides.json');
  key('/');
  const filter = panel.getByRole('textbox', { name: 'Filter registries' });
  expect(document.activeElement).toBe(filter);
  await fireEvent.input(filter, { target: { value: 'last round' } });
  expect(rows()).toEqual(['finals/', 'finals/last.json']);
  await fireEvent.input(filter, { target: { value: 'nothing' } });
  expect(panel.getByText('No registry matches “nothing”.')).toBeTruthy();
  await fireEvent.keyDown(filter, { key: 'Escape' });
  expect(rows()).toHaveLength(5);
  await fireEvent.input(filter, { target: { value: 'bell' } });
  await fireEvent.keyDown(filter, { key: 'Enter' });
  await screen.findByTitle('Registry b.json');
});

test('a letter typed on a row goes to the filter', async () => {
  const { panel } = await openFiles();
  await expect.poll(focused).toBe('guides.json');
  key('b');
  const filter = panel.getByRole('textbox', { name: 'Filter registries' }) as HTMLInputElement;
  await expect.poll(() => document.activeElement === filter).toBe(true);
  await expect.poll(() => filter.value).toBe('b');
  await expect.poll(rows).toContain('b.json');
  expect(rows()).not.toContain('a.json');
});

test('a name is typed in its row; a name that is taken is refused and stays to be changed', async () => {
  const { fake, panel, screen } = await openFiles();
  row('b.json').focus();
  key('F2');
  const field = await panel.findByRole('textbox', { name: 'New title of Bell ringer' });
  await expect.poll(() => document.activeElement === field).toBe(true);
  await fireEvent.input(field, { target: { value: 'a' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(await panel.findByText(/already exists/)).toBeTruthy();
  // What is said of a name goes with it.
  await fireEvent.keyDown(field, { key: 'Escape' });
  await expect.poll(() => panel.queryByText(/already exists/)).toBeNull();
  key('F2');
  const again = await panel.findByRole('textbox', { name: 'New title of Bell ringer' });
  await fireEvent.input(again, { target: { value: 'Big Bell' } });
  expect(await panel.findByText('big_bell.json')).toBeTruthy();
  expect(row('b.json').textContent).toMatch(/becomes\s+big_bell\.json/);
  await fireEvent.keyDown(again, { key: 'Enter' });
  await expect.poll(focused).toBe('big_bell.json');
  expect(asked(fake, 'renameRegistry')).toEqual([
    ['b.json', 'a', null],
    ['b.json', 'Big Bell', null],
  ]);
  // The open registry goes on under its new name, and its view is written under that.
  row('guides.json').focus();
  key('F2');
  const titleField = await panel.findByRole('textbox', { name: /^New title of / });
  await fireEvent.input(titleField, { target: { value: 'Leaders' } });
  await fireEvent.keyDown(titleField, { key: 'Enter' });
  await screen.findByTitle('Registry leaders.json');
  expect(asked(fake, 'saveView').at(-1)?.[0]).toBe('leaders.json');
});

test('a registry whose title is not changed keeps its file', async () => {
  const { fake, panel } = await openFiles();
  await rename(panel, ' Bell ringer ');
  await expect.poll(focused).toBe('b.json');
  expect(panel.queryByRole('textbox', { name: 'New title of Bell ringer' })).toBeNull();
  expect(asked(fake, 'renameRegistry')).toEqual([]);
});

test('a registry that is renamed stays in the list under a filter, and keeps the focus', async () => {
  const { panel } = await openFiles();
  const filter = panel.getByRole('textbox', { name: /filter/i });
  await fireEvent.input(filter, { target: { value: 'be' } });
  await fireEvent.input(filter, { target: { value: 'bell' } });
  await rename(panel, 'Quiz night');
  await expect.poll(focused).toBe('quiz_night.json');
  expect(rows()).toEqual(['quiz_night.json']);
  await fireEvent.input(filter, { target: { value: 'be' } });
  await expect.poll(rows).toEqual([]);
});

test('a copy is made by its key, and Esc leaves a name alone', async () => {
  const { fake, panel } = await openFiles();
  row('a.json').focus();
  key('d', { ctrlKey: true });
  await expect.poll(focused).toBe('a_copy.json');
  expect(asked(fake, 'duplicateRegistry')).toEqual([['a.json']]);
  key('F2');
  const field = await panel.findByRole('textbox', { name: 'New title of Answers copy' });
  await fireEvent.keyDown(field, { key: 'Escape' });
  await expect.poll(focused).toBe('a_copy.json');
  expect(asked(fake, 'renameRegistry')).toEqual([]);
});

test('the open registry has the tokens of the prompt shown, not of its first roll', async () => {
  const { fake } = await openFiles();
  const tokensOf = (name: string) => row(name).querySelector('.num.size')?.textContent;
  await expect.poll(() => tokensOf('b.json')).toBe('250');
  fake.emit({
    kind: 'counts',
    document: 'guides.json',
    preview: 0,
    tokenizer: 'o200k_base',
    exact: true,
    total: 12,
    sections: { personas: 4 },
    tokens: [],
  });
  await expect.poll(() => tokensOf('guides.json')).toBe('12');
  expect(tokensOf('b.json')).toBe('250');
});

test('after the open registry is deleted, one of the list is opened by choice', async () => {
  const { fake, screen } = await openFiles();
  await expect.poll(focused).toBe('guides.json');
  key('Delete');
  await screen.findByText('Guides is in the trash');
  await expect.poll(focused).toBe('b.json');
  key('Enter');
  await screen.findByTitle('Registry b.json');
  expect(asked(fake, 'open')).toEqual([['b.json']]);
});

test('a file is not deleted when there is no trash, and the panel reports that', async () => {
  const { fake, panel } = await openFiles();
  const message = 'cannot move b.json to the trash: no home; nothing was deleted';
  fake.failing.set('deleteRegistry', { code: 'no_trash', message });
  row('b.json').focus();
  key('Delete');
  expect(await panel.findByText(/nothing was deleted/)).toBeTruthy();
  expect(rows()).toContain('b.json');
});

test('a registry that was left is counted again when the list is opened again', async () => {
  const { fake, screen } = await openFiles();
  const counted = () =>
    asked(fake, 'registrySizes')
      .flat(2)
      .filter((file) => file === 'b.json');
  await expect.poll(() => row('b.json').querySelector('.num.size')?.textContent).toBe('250');
  const before = counted().length;
  key('Escape');
  await fireEvent.click(screen.getByRole('button', { name: /^Registry: / }));
  await expect.poll(() => counted().length).toBe(before + 1);
});

test('a registry moves to a sub-folder by its menu, and a sub-folder is made', async () => {
  const { fake, panel, screen } = await openFiles();
  await fireEvent.click(panel.getByRole('button', { name: 'Answers actions' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to finals' }));
  await expect.poll(rows).toContain('finals/a.json');
  expect(asked(fake, 'moveRegistry')).toEqual([['a.json', 'finals']]);
  await fireEvent.click(panel.getByRole('button', { name: 'New folder' }));
  const field = await panel.findByRole('textbox', { name: 'Name of the new folder' });
  await fireEvent.input(field, { target: { value: 'drafts' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(rows).toContain('drafts/');
});

/** Drags a row over another element; `release` ends it. */
async function dragOver(file: string, target: Element) {
  document.elementFromPoint = () => target;
  const at = { button: 0, clientX: 0, clientY: 0, bubbles: true };
  await fireEvent.pointerDown(row(file).querySelector('.name')!, at);
  await fireEvent.pointerMove(window, { ...at, clientX: 50 });
  return async () => fireEvent.pointerUp(window, { ...at, clientX: 50 });
}

const lit = () => document.querySelector('[data-drop], .lit')?.getAttribute('data-folder') ?? null;

test('a registry dragged onto a folder, or onto a row in it, moves there and back', async () => {
  const { fake, panel } = await openFiles();
  const folder = document.querySelector('[data-folder="finals"]')!;
  let release = await dragOver('a.json', folder);
  expect(lit()).toBe('finals');
  expect(document.querySelector('.dragged')?.textContent).toContain('Move to finals');
  await release();
  expect(await panel.findByText('is now in finals')).toBeTruthy();
  await expect.poll(focused).toBe('finals/a.json');
  expect(lit()).toBeNull();
  release = await dragOver('b.json', row('finals/last.json'));
  expect(lit()).toBe('finals');
  await release();
  await expect.poll(focused).toBe('finals/b.json');
  release = await dragOver('finals/last.json', row('guides.json'));
  expect(document.querySelector('.lit')).toBeTruthy();
  await release();
  await expect.poll(focused).toBe('last.json');
  expect(asked(fake, 'moveRegistry')).toEqual([
    ['a.json', 'finals'],
    ['b.json', 'finals'],
    ['finals/last.json', ''],
  ]);
  key('z', { ctrlKey: true });
  await expect.poll(focused).toBe('finals/last.json');
  expect(asked(fake, 'open')).toEqual([]);
});

test('dropped in its own folder or beside the list, or after Esc, a registry stays', async () => {
  const { fake, panel } = await openFiles();
  for (const target of [row('b.json'), document.body]) {
    const release = await dragOver('a.json', target);
    expect(lit()).toBeNull();
    expect(document.querySelector('.dragged')?.textContent.trim()).toBe('Answers');
    await release();
  }
  const release = await dragOver('a.json', document.querySelector('[data-folder="finals"]')!);
  key('Escape');
  await expect.poll(lit).toBeNull();
  await release();
  expect(asked(fake, 'moveRegistry')).toEqual([]);
  expect(panel.getByText('Bell ringer'), 'the panel stays open').toBeTruthy();
});

test('a drop that is refused says why', async () => {
  const { fake, panel } = await openFiles();
  fake.failing.set('moveRegistry', {
    code: 'name_taken',
    message: 'finals/a.json already exists',
  });
  const release = await dragOver('a.json', document.querySelector('[data-folder="finals"]')!);
  await release();
  expect(await panel.findByText(/already exists/)).toBeTruthy();
  expect(rows()).toContain('a.json');
});

test('while another folder is opened, nothing is typed into the registry that was left', async () => {
  const { fake, panel, screen } = await openFiles();
  let goOn: (() => void) | undefined;
  fake.held.set('openFolder', new Promise((resolve) => (goOn = resolve)));
  await fireEvent.click(panel.getByRole('button', { name: 'ferries 3' }));
  expect(await screen.findByText('Opening /ferries…')).toBeTruthy();
  expect(screen.queryByRole('heading', { name: 'Deck' })).toBeNull();
  goOn?.();
  expect(await screen.findByRole('heading', { name: 'Deck' })).toBeTruthy();
});

test('a folder that cannot be opened leaves the registry open', async () => {
  const { fake, panel, screen } = await openFiles();
  fake.failing.set('openFolder', { code: 'file_missing', message: 'the folder is gone' });
  await fireEvent.click(panel.getByRole('button', { name: 'ferries 3' }));
  expect(await panel.findByText(/folder is gone/)).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'Deck' })).toBeTruthy();
});

test('another folder is opened from the list; one that is gone is not', async () => {
  const { fake, panel, screen } = await openFiles();
  const gone = panel.getByRole('button', { name: 'archive not found' });
  await fireEvent.click(gone);
  expect(asked(fake, 'openFolder')).toEqual([]);
  await fireEvent.click(panel.getByRole('button', { name: 'ferries 3' }));
  await expect.poll(() => asked(fake, 'openFolder')).toEqual([['/ferries', null]]);
  await fireEvent.click(
    await screen.findByRole('button', { name: 'Remove archive from the list' }),
  );
  await expect.poll(() => screen.queryByRole('button', { name: /^archive/ })).toBeNull();
});

test('a folder is chosen by its key and by a drop', async () => {
  const { fake } = await openStudio(guides());
  fake.files.chosen = '/chosen';
  key('o', { ctrlKey: true });
  await expect.poll(() => asked(fake, 'openFolder')).toEqual([['/chosen', null]]);
  fake.emit({ kind: 'folder_dropped', folder: '/dropped' });
  await expect.poll(() => asked(fake, 'openFolder').at(-1)).toEqual(['/dropped', null]);
});

test('a chosen folder with several registries lists them, one with a single registry does not', async () => {
  const { fake, screen } = await openStudio({ ...guides(), others: ['b.json'] });
  const panel = () => screen.queryByRole('dialog', { name: 'Registries' });
  fake.files.chosen = '/chosen';
  fake.files.entries = [fake.files.entry('guides.json', 'Guides', 30)];
  key('o', { ctrlKey: true });
  await expect.poll(() => asked(fake, 'openFolder')).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(panel()).toBeNull();
  fake.files.entries = [...fake.files.entries, fake.files.entry('b.json', 'Bell ringer', 20)];
  key('o', { ctrlKey: true });
  await expect.poll(panel).toBeTruthy();
  expect(within(panel()!).getByText('Bell ringer')).toBeTruthy();
});

test('an unreadable file says why, and where', async () => {
  const { panel } = await openFiles((fake) => {
    const broken = fake.files.entry('banter.json', 'banter', 5);
    const reason = 'expected , or } at 41:9';
    const problem = { code: 'syntax', message: `banter.json: ${reason}`, reason };
    fake.files.entries = [...fake.files.entries, { ...broken, problem }];
  });
  expect(panel.getByText(/expected , or } at 41:9/)).toBeTruthy();
  row('banter.json').focus();
  key('Enter');
  await expect.poll(() => panel.getAllByText(/expected , or } at 41:9/)).toHaveLength(2);
});

test('many registries are drawn up to a limit, with the number of the rest', async () => {
  const { panel } = await openFiles((fake) => {
    const many = Array.from({ length: 1000 }, (_, at) =>
      fake.files.entry(`m${at}.json`, `M ${at}`),
    );
    fake.files.entries = [...fake.files.entries, ...many];
  });
  expect(rows()).toHaveLength(MOST_ROWS);
  expect(panel.getByText('705 more rows. Filter to see them.')).toBeTruthy();
});

test('autosave is shown as off, and stays on once it is switched on', async () => {
  const { fake, panel } = await openFiles();
  expect(panel.getByText('off: edits stay in a draft until you save')).toBeTruthy();
  await fireEvent.click(panel.getByRole('switch', { name: 'Autosave' }));
  expect(panel.getByText('on: edits are saved to the file after a pause')).toBeTruthy();
  await expect.poll(() => asked(fake, 'saveSettings').at(-1)).toMatchObject([{ autosave: true }]);
});

test('what autosave did reaches the status, and a fault stays until it is over', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('checkbox', { name: 'short' }));
  await expect.poll(() => fake.status.modified).toBe(true);
  const problem = { code: 'permission_denied', message: 'cannot write guides.json: denied' };
  fake.emit({ kind: 'autosaved', document: 'guides.json', report: null, problem });
  expect(await screen.findByText(/^Cannot write guides\.json/)).toBeTruthy();
  const report = { written: true, status: fake.status, conflict: null, kept: null };
  fake.emit({ kind: 'autosaved', document: 'guides.json', report, problem: null });
  await expect.poll(() => screen.queryByText(/^Cannot write guides\.json/)).toBeNull();
});

test('a refused name is told at its field while it is typed, in each of the fields', async () => {
  const { fake, panel } = await openFiles();
  const why = 'A name may not contain / :';
  await fireEvent.click(panel.getByRole('button', { name: 'New folder' }));
  const made = await panel.findByRole('textbox', { name: 'Name of the new folder' });
  await fireEvent.input(made, { target: { value: 'a/b' } });
  const fault = await panel.findByRole('alert');
  expect(fault.textContent).toContain(why);
  expect(made.getAttribute('aria-describedby')).toBe(fault.id);
  expect(made.closest('.naming')?.contains(fault)).toBe(true);
  await fireEvent.keyDown(made, { key: 'Enter' });
  await expect.poll(() => asked(fake, 'newFolder')).toEqual([['a/b']]);
  expect(panel.getByRole('alert').textContent).toContain(why);
  expect(document.querySelector('#files .problem')).toBeNull();
  await fireEvent.input(made, { target: { value: 'ab' } });
  await expect.poll(() => panel.queryByRole('alert')).toBeNull();
  await fireEvent.keyDown(made, { key: 'Escape' });
  const folder = document.querySelector<HTMLElement>('[data-folder="finals"]')!;
  folder.focus();
  key('F2');
  const renamed = await panel.findByRole('textbox', { name: 'New name of the folder finals' });
  await fireEvent.input(renamed, { target: { value: 'a:b' } });
  await expect.poll(() => folder.querySelector('[role=alert]')?.textContent).toContain(why);
  await fireEvent.keyDown(renamed, { key: 'Escape' });
  row('b.json').focus();
  key('F2');
  const title = await panel.findByRole('textbox', { name: 'New title of Bell ringer' });
  await fireEvent.input(title, { target: { value: 'A' } });
  await expect
    .poll(() => row('b.json').querySelector('[role=alert]')?.textContent)
    .toContain('already exists');
});
