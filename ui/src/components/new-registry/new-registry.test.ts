// The creation of a registry through the window: blank, from a starter, from what is pasted, dropped or
// chosen; the split of a prompt is adjusted, and what would lose bytes can't be created.
import { fireEvent, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

type Studio = Awaited<ReturnType<typeof openStudio>>;

const registry = '{"version": 2, "assembly_order": []}';
const PROMPT = 'One.\nMore.\n\nTwo.\n\nThree.';
const file = (bytes: BlobPart, name = 'old.json') => new File([bytes], name);
const asked = ({ fake }: Pick<Studio, 'fake'>, call: string) =>
  fake.calls.filter(({ name }) => name === call).map(({ args }) => args);
const dialogOf = ({ screen }: Studio) => screen.findByRole('dialog', { name: 'New registry' });
const paste = (words: string, target: Element = document.body) =>
  fireEvent.paste(target, { clipboardData: { getData: () => words, files: [] } });
const drop = (...files: File[]) =>
  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files } });

/** The dialog with a prompt of three parts. */
async function split() {
  const studio = await openStudio(guides());
  await paste(PROMPT);
  const dialog = await dialogOf(studio);
  await within(dialog).findByRole('separator', { name: 'Border above part_2' });
  return { ...studio, dialog };
}
/** No violation, or which elements have one. */
async function clean(dialog: HTMLElement) {
  const { violations } = await axe.run(dialog);
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
  ).toEqual([]);
}
const borders = (dialog: HTMLElement) =>
  within(dialog)
    .getAllByRole('separator')
    .map((border) => border.getAttribute('aria-valuenow'));

test('a kind of place that changes nothing in a split is disabled, and a line says why', async () => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.ineffectivePoints = [
    { point: 'headings', reason: 'redundant' },
    { point: 'tags', reason: 'absent' },
    { point: 'blank_lines', reason: 'structured' },
    { point: 'lists', reason: 'structured' },
  ];
  await paste(PROMPT);
  const dialog = within(await dialogOf(studio));
  const tick = async (name: string) => dialog.findByRole<HTMLButtonElement>('button', { name });
  // It has an effect once another tick is off.
  expect((await tick('Headings')).disabled).toBe(false);
  const lists = await tick('Lists');
  expect(lists.disabled).toBe(true);
  expect(document.getElementById(lists.getAttribute('aria-describedby')!)?.textContent).toBe(
    'Blank lines split only a text that no heading or tag splits. Lists become entries where they end a section. Headings split at the same places as the rest. No tags divide the text.',
  );
  expect(lists.getAttribute('aria-pressed')).toBe('true');
});

test('a starter with a call document says what that has', async () => {
  const studio = await openStudio(guides());
  key('k', { ctrlKey: true });
  const field = await studio.screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(field, { target: { value: 'New registry' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  const dialog = within(await dialogOf(studio));
  await fireEvent.click(await dialog.findByRole('radio', { name: /^Persona\./ }));
  expect(dialog.queryByText(/in a call document/)).toBeNull();
  await fireEvent.click(dialog.getByRole('radio', { name: /^Agent with tools\./ }));
  expect(
    await dialog.findByText('1 message and 4 tools come beside the deck, in a call document.'),
  ).toBeTruthy();
});

test('a paste beside the field keeps what is written in it; Replace selects all of it', async () => {
  const inserted: unknown[] = [];
  Object.assign(document, { execCommand: (...args: unknown[]) => inserted.push(args) > 0 });
  const studio = await openStudio(guides());
  key('i', { ctrlKey: true });
  const dialog = within(await dialogOf(studio));
  const field = () => dialog.getByRole('textbox', { name: 'Prompt' }) as HTMLTextAreaElement;
  await fireEvent.input(field(), { target: { value: 'My own words.' } });
  field().blur();
  await paste('Other words.\n\nMore.');
  await expect.poll(() => inserted).toEqual([['insertText', false, 'Other words.\n\nMore.']]);
  expect(document.activeElement).toBe(field());
  expect(field().value).toBe('My own words.');
  Reflect.deleteProperty(document, 'execCommand');
  await fireEvent.click(dialog.getByRole('button', { name: 'Split into sections' }));
  await fireEvent.click(await dialog.findByRole('button', { name: 'Replace' }));
  await expect.poll(() => document.activeElement).toBe(field());
  expect([field().selectionStart, field().selectionEnd]).toEqual([0, field().value.length]);
});

test('a paste that is too long for the field leaves what is written in it for Replace', async () => {
  const studio = await openStudio(guides());
  key('i', { ctrlKey: true });
  const dialog = within(await dialogOf(studio));
  const field = () => dialog.getByRole('textbox', { name: 'Prompt' }) as HTMLTextAreaElement;
  await fireEvent.input(field(), { target: { value: 'My own words.' } });
  field().blur();
  await paste('o'.repeat(200_001));
  await fireEvent.click(await dialog.findByRole('button', { name: 'Replace' }));
  await expect.poll(() => field().value).toBe('My own words.');
  // A file takes the place of the text as well, until it is put away.
  await drop(file(registry));
  await fireEvent.click(await dialog.findByRole('button', { name: 'Replace' }));
  await expect.poll(() => field().value).toBe('My own words.');
});

test('a text that is read leaves the focus on what creates a deck of it', async () => {
  const studio = await openStudio(guides());
  key('i', { ctrlKey: true });
  const dialog = await dialogOf(studio);
  const field = within(dialog).getByRole('textbox', { name: /prompt/i });
  field.focus();
  await fireEvent.input(field, { target: { value: PROMPT } });
  await fireEvent.submit(field.closest('form')!);
  await within(dialog).findByRole('separator', { name: 'Border above part_2' });
  await expect.poll(() => document.activeElement?.textContent?.trim()).toBe('Create deck');
});

test('a text that would lose bytes leaves the focus on what trims it, and then on what creates a deck', async () => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.same = false;
  await paste(PROMPT);
  const focused = () => document.activeElement?.textContent?.trim();
  await expect.poll(focused).toBe('Trim the text');
  studio.fake.newRegistry.same = true;
  await fireEvent.click(document.activeElement!);
  await expect.poll(focused).toBe('Create deck');
});

test('a starter is chosen by arrows, explains its sections and is created', async () => {
  const studio = await openStudio(guides());
  await fireEvent.click(studio.screen.getAllByRole('button', { name: /^Registry/ })[0]!);
  await fireEvent.click(await studio.screen.findByRole('button', { name: 'New' }));
  const dialog = await dialogOf(studio);
  const persona = await within(dialog).findByRole('radio', { name: /^Persona\./ });
  const blank = within(dialog).getByRole('radio', { name: /^Blank\./ });
  expect(blank.getAttribute('aria-checked')).toBe('true');
  blank.focus();
  key('ArrowRight');
  await expect.poll(() => persona.getAttribute('aria-checked')).toBe('true');
  expect(document.activeElement).toBe(persona);
  expect(within(dialog).getByText('You are the persona.')).toBeTruthy();
  expect(within(dialog).getByText('5 sections, 4 of them printed at first')).toBeTruthy();
  expect(within(dialog).getByText(/^Who speaks:/)).toBeTruthy();
  const name = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'File name' });
  expect(name.value).toBe('persona.json');
  await fireEvent.input(name, { target: { value: 'night guide' } });
  await clean(dialog);
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Create deck' }));
  await expect
    .poll(() => asked(studio, 'newRegistry'))
    .toEqual([[{ kind: 'starter', starter: 'persona' }, '', 'night guide']]);
  await expect.poll(() => studio.screen.queryByRole('dialog')).toBeNull();
  expect(asked(studio, 'open').at(-1)).toEqual(['night_guide.json']);
});

test('Ctrl+Enter creates the deck, and the focus is in it', async () => {
  const studio = await split();
  const create = within(studio.dialog).getByRole('button', { name: 'Create deck' });
  await expect.poll(() => create.hasAttribute('disabled')).toBe(false);
  await fireEvent.keyDown(create, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => asked(studio, 'newRegistry').length).toBe(1);
  await expect.poll(() => studio.screen.queryByRole('dialog')).toBeNull();
  await expect.poll(() => document.activeElement?.closest('[data-column="deck"]')).not.toBeNull();
});

test('a name that is taken is refused in place, and nothing is lost', async () => {
  const studio = await split();
  studio.fake.failing.set('newRegistry', { code: 'name_taken', message: 'prompt.json exists' });
  await fireEvent.click(within(studio.dialog).getByRole('button', { name: 'Create deck' }));
  expect(await within(studio.dialog).findByText('prompt.json exists')).toBeTruthy();
  expect(borders(studio.dialog)).toEqual(['4', '6']);
});

test('a name that is typed says which file it makes', async () => {
  const { dialog } = await split();
  const name = within(dialog).getByRole('textbox', { name: 'File name' });
  const announced = () =>
    within(dialog)
      .queryByText(/^becomes/)
      ?.textContent?.replace(/\s+/g, ' ');
  await fireEvent.input(name, { target: { value: 'radio_host' } });
  expect(announced()).toBeUndefined();
  await fireEvent.input(name, { target: { value: 'Radio Host' } });
  await expect.poll(() => announced()?.trim()).toBe('becomes radio_host.json');
});

test('how borders are moved is said above the text', async () => {
  const { dialog } = await split();
  const help = within(dialog).getByText(/^Drag a border/);
  const line = within(dialog).getByRole('button', { name: 'line 1: One.' });
  expect(help.compareDocumentPosition(line)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('borders are moved and merged by keys, and undone', async () => {
  const { dialog } = await split();
  const border = within(dialog).getByRole('separator', { name: 'Border above part_2' });
  border.focus();
  key('ArrowUp');
  key('ArrowUp');
  await expect.poll(() => borders(dialog)).toEqual(['2', '6']);
  key('ArrowUp');
  await expect.poll(() => borders(dialog)).toEqual(['2', '6']);
  key('Delete');
  await expect.poll(() => borders(dialog)).toEqual(['6']);
  const undo = within(dialog).getByRole('button', { name: /^Undo the last change/ });
  await fireEvent.click(undo);
  await expect.poll(() => borders(dialog)).toEqual(['2', '6']);
});

test('a press on a border selects no text and gives it the focus', async () => {
  const { dialog } = await split();
  const border = within(dialog).getByRole('separator', { name: 'Border above part_2' });
  border.setPointerCapture = () => undefined;
  // An event that was prevented is answered with false.
  expect(await fireEvent.pointerDown(border, { button: 0 })).toBe(false);
  expect(await fireEvent.mouseDown(border, { button: 0 })).toBe(false);
  expect(document.activeElement).toBe(border);
});

test('a part is divided at a line and renamed in place', async () => {
  const { dialog } = await split();
  const line = within(dialog).getByRole('button', { name: 'line 1: One.' });
  line.focus();
  key('ArrowDown');
  await expect.poll(() => document.activeElement?.textContent.trim()).toBe('2 More.');
  await fireEvent.click(document.activeElement!, { detail: 0 });
  await expect.poll(() => borders(dialog)).toEqual(['2', '4', '6']);
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Rename part_2' }));
  const field = within(dialog).getByRole('textbox', { name: 'Name of part_2' });
  await fireEvent.input(field, { target: { value: 'the.rules' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  const stays = within(dialog).getByRole('textbox', { name: 'Name of part_2' });
  expect(stays.getAttribute('aria-invalid'), 'no token could name it').toBe('true');
  await fireEvent.input(field, { target: { value: ' the rules ' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await within(dialog).findByRole('separator', { name: 'Border above the_rules' });
  await clean(dialog);
});

test('a name that is taken is reported as it is typed, in the folder that is chosen', async () => {
  const { fake, dialog } = await split();
  fake.files.taken = ['quiz.json'];
  const field = within(dialog).getByRole('textbox', { name: 'File name' });
  await fireEvent.input(field, { target: { value: 'Quiz' } });
  const problem = await within(dialog).findByText(/quiz\.json already exists/);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(field.getAttribute('aria-describedby')).toBe(problem.closest('[role=alert]')?.id);
  await fireEvent.input(field, { target: { value: 'Quiz two' } });
  await expect.poll(() => field.getAttribute('aria-invalid')).not.toBe('true');
});

test('a deck that would print other bytes is not created until the text is trimmed', async () => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.same = false;
  await paste(PROMPT);
  const dialog = await dialogOf(studio);
  const create = within(dialog).getByRole('button', { name: 'Create deck' });
  const trim = await within(dialog).findByRole('button', { name: 'Trim the text' });
  expect(create.hasAttribute('disabled')).toBe(true);
  expect(within(dialog).getByText(/^The deck would not print your text/)).toBeTruthy();
  await fireEvent.click(trim);
  await within(dialog).findByText(/^Prints the same/);
  expect(create.hasAttribute('disabled')).toBe(false);
});

test('trimming takes the split along, and is undone with the text and the split it had', async () => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.same = false;
  await paste(PROMPT);
  const dialog = await dialogOf(studio);
  const merged = await within(dialog).findByRole('separator', { name: 'Border above part_2' });
  merged.focus();
  key('Delete');
  const undo = within(dialog).getByRole('button', { name: /^Undo the last change/ });
  await expect.poll(() => undo.hasAttribute('disabled')).toBe(false);
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Trim the text' }));
  await within(dialog).findByText(/^Prints the same/);
  const split = { parts: [{ line: 1 }, { name: 'part_3', line: 6 }] };
  expect(asked(studio, 'changeSource').at(-1)).toMatchObject([
    expect.anything(),
    { kind: 'trim', split },
  ]);
  await fireEvent.click(undo);
  await within(dialog).findByRole('button', { name: 'Trim the text' });
  expect(asked(studio, 'changeSource').at(-1)).toMatchObject([
    expect.anything(),
    { kind: 'undo_trim', split },
  ]);
  expect(borders(dialog)).toEqual(['6']);
  await fireEvent.click(undo);
  await expect.poll(() => borders(dialog)).toEqual(['4', '6']);
  expect(undo.hasAttribute('disabled')).toBe(true);
});

test('converted line ends are named where the bytes are compared', async () => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.lineEnds = true;
  await paste(PROMPT);
  await within(await dialogOf(studio)).findByText(/LF as line ends instead of those of Windows/);
});

test('the line break that ends a text is said not to be part of the prompt', async () => {
  const studio = await openStudio(guides());
  const message = 'the line break that ends the text is not part of the prompt';
  studio.fake.newRegistry.unread = [{ status: 'unread', pointer: '', line: 4, message }];
  await paste(PROMPT);
  const verdict = await within(await dialogOf(studio)).findByText(/byte for byte/);
  expect(verdict.textContent).toMatch(
    /byte for byte\. The line break that ends the text is not part of the prompt\./,
  );
});

test('a document of another program shows its report before it is created', async () => {
  const studio = await openStudio(guides());
  const dataTransfer = { types: ['Files'], files: [file(registry)] };
  await fireEvent.dragOver(document.body, { dataTransfer });
  expect(studio.screen.getByText('Drop a file to make a deck of it')).toBeTruthy();
  await drop(file(registry));
  const dialog = await dialogOf(studio);
  expect(await within(dialog).findByText('A text is a heading.')).toBeTruthy();
  expect(within(dialog).getByText(/^1 difference can change/)).toBeTruthy();
  expect(within(dialog).getByText('line 7')).toBeTruthy();
  await clean(dialog);
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Create deck' }));
  await expect
    .poll(() => asked(studio, 'newRegistry'))
    .toEqual([[{ kind: 'source', number: 1 }, '', 'old.json']]);
});

test('what is pasted outside a field is imported if it can be nothing else', async () => {
  const studio = await openStudio(guides());
  await paste('plain words');
  expect(studio.screen.queryByRole('dialog')).toBeNull();
  await paste(registry);
  const dialog = await dialogOf(studio);
  await within(dialog).findByText('A text is a heading.');
  const [name, bytes] = asked(studio, 'readSource')[0] as [string, Uint8Array];
  expect([name, new TextDecoder().decode(bytes)]).toEqual(['', registry]);
});

test('a press of the wheel pastes into fields alone', async () => {
  const studio = await openStudio(guides());
  // Not prevented is true: what follows the release is to paste.
  const pastes = (element: Element) => fireEvent.mouseUp(element, { button: 1 });
  expect(await pastes(document.body)).toBe(false);
  expect(await pastes(studio.screen.getByLabelText('Find in deck'))).toBe(true);
  expect(await fireEvent.mouseUp(document.body, { button: 0 })).toBe(true);
});

test('what is pasted into an editor in a shadow root is only pasted there', async () => {
  const studio = await openStudio(guides());
  const host = document.body.appendChild(document.createElement('div'));
  const content = document.createElement('div');
  content.setAttribute('contenteditable', 'true');
  host.attachShadow({ mode: 'open' }).append(content);
  await paste(PROMPT, content);
  await paste(registry, content);
  expect(studio.screen.queryByRole('dialog')).toBeNull();
  expect(asked(studio, 'readSource')).toEqual([]);
  host.remove();
});

test('what the window read is shown, or why it could not be', async () => {
  const studio = await openStudio(guides());
  studio.fake.emit({ kind: 'dragged', over: true });
  expect(await studio.screen.findByText('Drop a file to make a deck of it')).toBeTruthy();
  studio.fake.emit({ kind: 'dragged', over: false });
  await expect.poll(() => studio.screen.queryByText('Drop a file to make a deck of it')).toBeNull();
  const problem = { code: 'too_large', message: 'words.txt is too large' };
  studio.fake.emit({ kind: 'dropped', source: null, problem });
  const dialog = await dialogOf(studio);
  expect(await within(dialog).findByText('words.txt is too large')).toBeTruthy();
  const source = await studio.fake.backend.readSource('a.md', new TextEncoder().encode(PROMPT));
  studio.fake.emit({ kind: 'dropped', source, problem: null });
  await within(dialog).findByText('a.md, 24 characters');
});

test('a document that cannot be read is shown around the fault', async () => {
  const studio = await openStudio(guides());
  const source = await studio.fake.backend.readSource('a.json', new TextEncoder().encode(registry));
  const excerpt = { first: 7, lines: ['"a": 1', '"b": 2'], column: 1 };
  const problem = { code: 'syntax', message: 'expected a comma', line: 8, column: 1, excerpt };
  const damaged = { ...source, split: null, conversion: null, problem };
  studio.fake.emit({ kind: 'dropped', source: damaged, problem: null });
  const dialog = await dialogOf(studio);
  const shown = await within(dialog).findByRole('region', { name: 'The text around line 8' });
  expect(shown.textContent).toContain('8"b": 2');
  expect(shown.querySelector('mark')?.textContent).toBe('"');
  expect(within(dialog).getByText('What you brought cannot be read.')).toBeTruthy();
});

test.each(['text/uri-list', 'text/plain'])(
  'the page stays where it is when something of %s is dropped',
  async (type) => {
    await openStudio(guides());
    const dataTransfer = { types: [type], files: [] };
    // An event that was not prevented is answered with true.
    expect(await fireEvent.dragOver(document.body, { dataTransfer })).toBe(false);
    expect(await fireEvent.drop(document.body, { dataTransfer })).toBe(false);
  },
);

test('the list of registries is closed where Ctrl+I opens the dialog', async () => {
  const { screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: /^Registry: / }));
  await screen.findByRole('dialog', { name: 'Registries' });
  key('i', { ctrlKey: true });
  await screen.findByRole('dialog', { name: 'New registry' });
  await expect.poll(() => screen.queryByRole('dialog', { name: 'Registries' })).toBeNull();
});

test('Ctrl+I begins in the field; a press beside the dialog throws no text away', async () => {
  const studio = await openStudio(guides());
  key('i', { ctrlKey: true });
  const dialog = await dialogOf(studio);
  const field = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  await expect.poll(() => document.activeElement).toBe(field);
  await fireEvent.input(field, { target: { value: 'Be kind.' } });
  await fireEvent.pointerDown(dialog);
  expect(field.isConnected && field.value).toBe('Be kind.');
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Split into sections' }));
  await within(dialog).findByText(/^Prints the same/);
  // The text comes back for a change.
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Replace' }));
  const again = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  expect(again.value).toBe('Be kind.');
  await expect.poll(() => document.activeElement).toBe(again);
  await fireEvent.input(again, { target: { value: '' } });
  await fireEvent.pointerDown(dialog);
  expect(studio.screen.queryByRole('dialog')).toBeNull();
});

test('a text that could not be read is in its field again, which has the focus', async () => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.damaged = true;
  await paste('{"reg');
  const dialog = await dialogOf(studio);
  await within(dialog).findByRole('button', { name: 'Replace' });
  await fireEvent(dialog, new Event('close'));
  await expect.poll(() => studio.screen.queryByRole('dialog')).toBeNull();
  key('i', { ctrlKey: true });
  const again = within(await dialogOf(studio));
  const field = again.getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  expect(field.value).toBe('{"reg');
  await expect.poll(() => document.activeElement).toBe(field);
});

test('a prompt and its split are there again when the dialog was closed', async () => {
  const { dialog, screen, fake } = await split();
  const border = within(dialog).getByRole('separator', { name: 'Border above part_2' });
  border.focus();
  key('ArrowUp');
  await expect.poll(() => borders(dialog)).toEqual(['3', '6']);
  await fireEvent.input(within(dialog).getByRole('textbox', { name: 'File name' }), {
    target: { value: 'mine.json' },
  });
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await fireEvent.click(screen.getAllByRole('button', { name: /^Registry/ })[0]!);
  await fireEvent.click(await screen.findByRole('button', { name: 'New' }));
  const again = await screen.findByRole('dialog', { name: 'New registry' });
  expect(borders(again)).toEqual(['3', '6']);
  const name = within(again).getByRole<HTMLInputElement>('textbox', { name: 'File name' });
  expect(name.value).toBe('mine.json');
  await fireEvent.click(within(again).getByRole('button', { name: /^Undo the last change/ }));
  await expect.poll(() => borders(again)).toEqual(['4', '6']);
  // A deck from a starter leaves the import; a deck from the import takes it.
  await fireEvent.click(within(again).getByRole('radio', { name: /^Persona\./ }));
  await fireEvent.click(within(again).getByRole('button', { name: 'Create deck' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  key('i', { ctrlKey: true });
  const third = await screen.findByRole('dialog', { name: 'New registry' });
  expect(borders(third)).toEqual(['4', '6']);
  const create = within(third).getByRole('button', { name: 'Create deck' });
  await expect.poll(() => create.hasAttribute('disabled')).toBe(false);
  await fireEvent.click(create);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(asked({ fake }, 'newRegistry').at(-1)?.[0]).toMatchObject({ kind: 'source' });
  key('i', { ctrlKey: true });
  const empty = await screen.findByRole('dialog', { name: 'New registry' });
  expect(within(empty).queryAllByRole('separator')).toEqual([]);
  const field = within(empty).getByRole<HTMLTextAreaElement>('textbox', { name: 'Prompt' });
  expect(field.value).toBe('');
});

test('a prompt that was left before says so, Enter makes no deck of it, and it can be put away', async () => {
  const studio = await openStudio(guides());
  const { screen, fake } = studio;
  await fireEvent.paste(document.body, {
    clipboardData: { files: [], getData: () => 'One.\n\nTwo.' },
  });
  const dialog = await screen.findByRole('dialog', { name: 'New registry' });
  const create = () => screen.getByRole('button', { name: 'Create deck' });
  await expect.poll(() => document.activeElement).toBe(create());
  const left = /no deck was created from it/;
  expect(screen.queryByText(left)).toBeNull();
  await fireEvent(dialog, new Event('close'));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  key('i', { ctrlKey: true });
  expect(await screen.findByText(left)).toBeTruthy();
  await expect.poll(() => document.activeElement?.textContent.trim()).toBe('Cancel');
  await fireEvent.click(screen.getByRole('button', { name: 'Start empty' }));
  expect(screen.queryByText(left)).toBeNull();
  key('i', { ctrlKey: true });
  expect(screen.getByRole('dialog').querySelector('[role="separator"]')).toBeNull();
  expect(fake.calls.filter(({ name }) => name === 'newRegistry')).toEqual([]);
});

test('typed text is there again when the dialog was closed', async () => {
  const studio = await openStudio(guides());
  key('i', { ctrlKey: true });
  const dialog = await dialogOf(studio);
  const field = within(dialog).getByRole('textbox', { name: 'Prompt' });
  await fireEvent.input(field, { target: { value: 'Be kind.' } });
  await fireEvent(dialog, new Event('close'));
  await expect.poll(() => studio.screen.queryByRole('dialog')).toBeNull();
  key('i', { ctrlKey: true });
  const again = within(await dialogOf(studio)).getByRole('textbox', { name: 'Prompt' });
  expect((again as HTMLTextAreaElement).value).toBe('Be kind.');
});

test('Esc ends a rename or a selection before it closes the dialog', async () => {
  const { dialog } = await split();
  const cancel = () => fireEvent(dialog, new Event('cancel', { cancelable: true }));
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Rename part_2' }));
  const field = within(dialog).getByRole('textbox', { name: 'Name of part_2' });
  await fireEvent.keyDown(field, { key: 'Escape' });
  // An event that was prevented is answered with false.
  expect(await cancel()).toBe(false);
  expect(within(dialog).queryByRole('textbox', { name: 'Name of part_2' })).toBeNull();
  const line = within(dialog).getByRole('button', { name: 'line 1: One.' });
  getSelection()?.selectAllChildren(line);
  expect(await fireEvent.keyDown(line, { key: 'Escape' })).toBe(false);
  expect(await cancel()).toBe(false);
  expect(getSelection()?.isCollapsed).toBe(true);
  expect(await fireEvent.keyDown(line, { key: 'Escape' })).toBe(true);
  expect(await cancel()).toBe(true);
});

test('a file above the limit is refused without being read', async () => {
  const studio = await openStudio(guides());
  const large = file('x', 'large.txt');
  Object.defineProperty(large, 'size', { value: 65 * 1024 * 1024 });
  await drop(large);
  expect(await studio.screen.findByText(/large\.txt is larger than the limit/)).toBeTruthy();
  expect(asked(studio, 'readSource')).toEqual([]);
});

test.each([
  ['wildcards', 'Read as wildcards', /values of a wildcard/],
  ['template', 'Read as a template', /with choices/],
  ['jinja', 'Read as a Jinja template', /a Jinja template, as in.*prints such places as they are/],
  ['prompty', 'Read as a Prompty file', /a Prompty file: settings/],
  ['dotprompt', 'Read as a dotprompt file', /a dotprompt file: settings/],
] as const)('a text that looks like %s is offered to be read so', async (as_type, name, looks) => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.resembles = as_type;
  await paste('red\ndark blue\nburnt orange\ngreen');
  const dialog = await dialogOf(studio);
  expect(await within(dialog).findByText(looks)).toBeTruthy();
  await fireEvent.click(within(dialog).getByRole('button', { name }));
  expect(asked(studio, 'changeSource').at(-1)?.[1]).toEqual({ kind: 'read', as_type });
});

test.each([
  [null, 'status', /^4 messages and 1 tool become a call document beside the deck/],
  ['/history/0', 'alert', /^4 messages and 1 tool stay in the file of the registry/],
] as const)(
  'the headline says where the messages of a conversation go (%s)',
  async (call_problem, role, words) => {
    const studio = await openStudio(guides());
    studio.fake.newRegistry.call = { messages: 4, tools: 1, call_problem };
    await drop(file(registry));
    const dialog = await dialogOf(studio);
    const headline = (await within(dialog).findByText(words)).closest('[role]');
    expect(headline?.getAttribute('role')).toBe(role);
  },
);

test.each([
  ['unread', 'status', /1 part is not used in the prompt/],
  ['ambiguous', 'alert', /1 part is read differently by other programs or releases/],
  ['converted', 'status', /Some fields were converted/],
] as const)(
  'the headline of a report with a part that is %s says so',
  async (status, role, words) => {
    const studio = await openStudio(guides());
    studio.fake.newRegistry.entries = [
      { status, pointer: '/data/persnality', line: 4, message: 'unknown key' },
    ];
    await drop(file(registry));
    const dialog = await dialogOf(studio);
    const headline = (await within(dialog).findByText(words)).closest('[role]');
    expect(headline?.getAttribute('role')).toBe(role);
    expect(headline?.classList.contains('ok')).toBe(status === 'converted');
    const becomes = 'Becomes 3 sections, 1 of them printed at first';
    expect(within(dialog).getByRole('region', { name: becomes })).toBeTruthy();
  },
);

test('the tokens of a template are named as such', async () => {
  const studio = await openStudio(guides());
  studio.fake.newRegistry.format = 'jinja';
  await drop(file(registry));
  const dialog = await dialogOf(studio);
  expect(await within(dialog).findByText('tokens of the template, not rendered')).toBeTruthy();
});

test('a template is read with the wildcards of a folder, and without them again', async () => {
  const studio = await openStudio(guides());
  await paste(PROMPT);
  const dialog = await dialogOf(studio);
  const panel = within(dialog);
  expect(panel.queryByRole('group', { name: 'Wildcards' })).toBeNull();
  await fireEvent.click(panel.getByRole('button', { name: /^Read as/ }));
  await fireEvent.click(
    await studio.screen.findByRole('option', { name: 'sd-dynamic-prompts template' }),
  );
  expect(await panel.findByText('No wildcard is called colors')).toBeTruthy();
  const choose = () => panel.getByRole('button', { name: /^(Choose a folder|Change)…$/ });
  await fireEvent.click(choose());
  await expect.poll(() => asked(studio, 'chooseWildcards')).toHaveLength(1);
  expect(panel.getByText('No wildcard is called colors'), 'no folder was chosen').toBeTruthy();
  const why = 'cannot read the folder /cards: permission denied';
  studio.fake.failing.set('chooseWildcards', { code: 'permission_denied', message: why });
  await fireEvent.click(choose());
  expect(await panel.findByText(/permission denied/)).toBeTruthy();
  studio.fake.failing.delete('chooseWildcards');
  studio.fake.newRegistry.wildcards = '/home/author/cards';
  await fireEvent.click(choose());
  const field = panel.getByRole('group', { name: 'Wildcards' });
  await within(field).findByTitle('/home/author/cards');
  expect(within(field).getByText('3 lists')).toBeTruthy();
  expect(panel.queryByText('No wildcard is called colors')).toBeNull();
  expect(panel.queryByText(/permission denied/)).toBeNull();
  await clean(dialog);
  await fireEvent.click(panel.getByRole('button', { name: 'Read without the wildcards' }));
  expect(await panel.findByText('No wildcard is called colors')).toBeTruthy();
  expect(asked(studio, 'changeSource').at(-1)?.[1]).toEqual({ kind: 'no_wildcards' });
});
