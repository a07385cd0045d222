// The creation of a registry through the window: blank, from a starter, from what is pasted, dropped or
// chosen.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import {
  REGISTRY,
  PROMPT,
  fileOf,
  argumentsOf,
  dialogOf,
  paste,
  drop,
  openSplit,
  expectAccessible,
  borders,
} from '../../testing/new-registry';
import { key, openStudio } from '../../testing/studio';

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
  await drop(fileOf(REGISTRY));
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
  await expectAccessible(dialog);
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Create deck' }));
  await expect
    .poll(() => argumentsOf(studio, 'newRegistry'))
    .toEqual([[{ kind: 'starter', starter: 'persona' }, '', 'night guide']]);
  await expect.poll(() => studio.screen.queryByRole('dialog')).toBeNull();
  expect(argumentsOf(studio, 'open').at(-1)).toEqual(['night_guide.json']);
});

test('Ctrl+Enter creates the deck, and the focus is in it', async () => {
  const studio = await openSplit();
  const create = within(studio.dialog).getByRole('button', { name: 'Create deck' });
  await expect.poll(() => create.hasAttribute('disabled')).toBe(false);
  await fireEvent.keyDown(create, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => argumentsOf(studio, 'newRegistry').length).toBe(1);
  await expect.poll(() => studio.screen.queryByRole('dialog')).toBeNull();
  await expect.poll(() => document.activeElement?.closest('[data-column="deck"]')).not.toBeNull();
});

test('a name that is taken is refused in place, and nothing is lost', async () => {
  const studio = await openSplit();
  studio.fake.failing.set('newRegistry', { code: 'name_taken', message: 'prompt.json exists' });
  await fireEvent.click(within(studio.dialog).getByRole('button', { name: 'Create deck' }));
  expect(await within(studio.dialog).findByText('prompt.json exists')).toBeTruthy();
  expect(borders(studio.dialog)).toEqual(['4', '6']);
});

test('a name that is typed says which file it makes', async () => {
  const { dialog } = await openSplit();
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

test('a name that is taken is reported as it is typed, in the folder that is chosen', async () => {
  const { fake, dialog } = await openSplit();
  fake.files.taken = ['quiz.json'];
  const field = within(dialog).getByRole('textbox', { name: 'File name' });
  await fireEvent.input(field, { target: { value: 'Quiz' } });
  const problem = await within(dialog).findByText(/quiz\.json already exists/);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(field.getAttribute('aria-describedby')).toBe(problem.closest('[role=alert]')?.id);
  const create = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Create deck' });
  expect(create.disabled).toBe(true);
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  expect(fake.calls.some(({ name }) => name === 'newRegistry')).toBe(false);
  await fireEvent.input(field, { target: { value: 'Quiz two' } });
  await expect.poll(() => field.getAttribute('aria-invalid')).not.toBe('true');
  expect(create.disabled).toBe(false);
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
  const dataTransfer = { types: ['Files'], files: [fileOf(REGISTRY)] };
  await fireEvent.dragOver(document.body, { dataTransfer });
  expect(studio.screen.getByText('Drop a file to make a deck of it')).toBeTruthy();
  await drop(fileOf(REGISTRY));
  const dialog = await dialogOf(studio);
  expect(await within(dialog).findByText('A text is a heading.')).toBeTruthy();
  expect(within(dialog).getByText(/^1 difference can change/)).toBeTruthy();
  expect(within(dialog).getByText('line 7')).toBeTruthy();
  await expectAccessible(dialog);
  await fireEvent.click(within(dialog).getByRole('button', { name: 'Create deck' }));
  await expect
    .poll(() => argumentsOf(studio, 'newRegistry'))
    .toEqual([[{ kind: 'source', number: 1 }, '', 'old.json']]);
});

test('what is pasted outside a field is imported if it can be nothing else', async () => {
  const studio = await openStudio(guides());
  await paste('plain words');
  expect(studio.screen.queryByRole('dialog')).toBeNull();
  await paste(REGISTRY);
  const dialog = await dialogOf(studio);
  await within(dialog).findByText('A text is a heading.');
  const [name, bytes] = argumentsOf(studio, 'readSource')[0] as [string, Uint8Array];
  expect([name, new TextDecoder().decode(bytes)]).toEqual(['', REGISTRY]);
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
  await paste(REGISTRY, content);
  expect(studio.screen.queryByRole('dialog')).toBeNull();
  expect(argumentsOf(studio, 'readSource')).toEqual([]);
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
  const source = await studio.fake.backend.readSource('a.json', new TextEncoder().encode(REGISTRY));
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

test('a file above the limit is refused without being read', async () => {
  const studio = await openStudio(guides());
  const large = fileOf('x', 'large.txt');
  Object.defineProperty(large, 'size', { value: 65 * 1024 * 1024 });
  await drop(large);
  expect(await studio.screen.findByText(/large\.txt is larger than the limit/)).toBeTruthy();
  expect(argumentsOf(studio, 'readSource')).toEqual([]);
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
  expect(argumentsOf(studio, 'changeSource').at(-1)?.[1]).toEqual({ kind: 'read', as_type });
});

test.each([
  [null, 'status', /^4 messages and 1 tool become a call document beside the deck/],
  ['/history/0', 'alert', /^4 messages and 1 tool stay in the file of the registry/],
] as const)(
  'the headline says where the messages of a conversation go (%s)',
  async (call_problem, role, words) => {
    const studio = await openStudio(guides());
    studio.fake.newRegistry.call = { messages: 4, tools: 1, call_problem };
    await drop(fileOf(REGISTRY));
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
    await drop(fileOf(REGISTRY));
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
  await drop(fileOf(REGISTRY));
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
  await expect.poll(() => argumentsOf(studio, 'chooseWildcards')).toHaveLength(1);
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
  await expectAccessible(dialog);
  await fireEvent.click(panel.getByRole('button', { name: 'Read without the wildcards' }));
  expect(await panel.findByText('No wildcard is called colors')).toBeTruthy();
  expect(argumentsOf(studio, 'changeSource').at(-1)?.[1]).toEqual({ kind: 'no_wildcards' });
});
