// The Conversation panel over a fake service: rows, pairing, problems in place, keys, paste.
import { fireEvent, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import type { DiagnosticNote, Segment } from '$lib/ipc';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';
import { callScene } from '../../testing/talk';

async function openConversation(diagnostics: DiagnosticNote[] = []) {
  const scene = guides();
  const call = callScene(scene.file);
  call.request = { ...call.request, diagnostics };
  const { fake, screen } = await openStudio({ ...scene, call });
  await expect.poll(() => fake.calls.some(({ name }) => name === 'useCall')).toBe(true);
  await fireEvent.click(screen.getByRole('tab', { name: 'Request' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Edit conversation' }));
  await screen.findByRole('heading', { name: 'Conversation' });
  return { talk: fake.talk, fake, screen };
}

const history = (talk: { tree: unknown }) =>
  (talk.tree as { history: { role: string; content: string; tool_call_id?: string }[] }).history;
const roles = (talk: { tree: unknown }) => history(talk).map(({ role }) => role);

test('messages are rows, and a response names the call it answers', async () => {
  const { screen } = await openConversation();
  const rows = within(screen.getByRole('region', { name: 'History' })).getAllByRole('listitem');
  expect(rows).toHaveLength(4);
  expect(within(rows[2]!).getByText('response to read_board')).toBeTruthy();
  const called = screen.getByRole('textbox', { name: /Function of call 1/ }) as HTMLInputElement;
  expect(called.value).toBe('read_board');
});

test('a broken rule is shown at its row until it is corrected', async () => {
  const { screen, talk } = await openConversation();
  const id = screen.getByRole('textbox', { name: 'Call id of message 3' });
  await fireEvent.input(id, { target: { value: 'call_9' } });
  const line = await screen.findByText('tool_id_mismatch');
  expect(line.closest('[data-order]')?.contains(id)).toBe(true);
  await fireEvent.input(id, { target: { value: 'call_1' } });
  await expect.poll(() => screen.queryByText('tool_id_mismatch')).toBeNull();
  expect(history(talk)[2]?.tool_call_id).toBe('call_1');
});

test('the response follows the id of its call, letter by letter and in one step of undo', async () => {
  const { fake, screen, talk } = await openConversation();
  const id = screen.getByRole('textbox', { name: 'Id of call 1 of message 2' });
  for (const value of ['call_', 'call_b', 'call_board']) {
    await fireEvent.input(id, { target: { value } });
  }
  await expect.poll(() => history(talk)[2]?.tool_call_id).toBe('call_board');
  const groups = fake.calls.filter(({ name }) => name === 'applyCall');
  const bursts = groups.map(({ args }) => (args[1] as { burst: string }).burst);
  expect(new Set(bursts)).toEqual(new Set(['type:history/1/tool_calls/0/id']));
});

test('what the request says about tools and tool calls stands at their fields and above its panes', async () => {
  const note = (pointer: string, message: string): DiagnosticNote => ({
    code: 'tool_shape',
    severity: 'error',
    message,
    pointer,
    also: [],
    data: {},
    line: null,
    column: null,
  });
  const { screen } = await openConversation([
    note('/tools/1', 'tool 1 is no object'),
    note('/history/1/tool_calls/0/function/name', 'message 2: tool call 1 has no name'),
  ]);
  const hasMessage = async (region: string, words: string) => {
    const found = within(screen.getByRole('region', { name: region }));
    return (await found.findByText(words)).closest('[role=alert]') !== null;
  };
  expect(await hasMessage('History', 'Message 2: tool call 1 has no name')).toBe(true);
  expect(await hasMessage('Call', 'Tool 1 is no object')).toBe(true);
  expect(screen.getAllByText('Tool 1 is no object')).toHaveLength(2);
});

test('messages are added, moved and taken away by key', async () => {
  const { screen, talk } = await openConversation();
  screen.getByRole('textbox', { name: 'Text of message 4' }).focus();
  key('Enter', { altKey: true });
  await expect.poll(() => roles(talk)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  const added = screen.getByRole('textbox', { name: 'Text of message 5' });
  await expect.poll(() => document.activeElement).toBe(added);
  key('ArrowUp', { altKey: true });
  await expect.poll(() => roles(talk)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
  screen.getByRole('textbox', { name: 'Text of message 4' }).focus();
  key('Delete', { altKey: true });
  await expect.poll(() => roles(talk)).toEqual(['user', 'assistant', 'tool', 'assistant']);
});

test('undo in the panel is the conversation’s, outside it the deck’s', async () => {
  const { screen, talk, fake } = await openConversation();
  await fireEvent.click(screen.getByRole('button', { name: 'Delete message 4' }));
  await expect.poll(() => roles(talk)).toHaveLength(3);
  screen.getByRole('button', { name: 'Delete message 1' }).focus();
  key('z', { ctrlKey: true });
  await expect.poll(() => roles(talk)).toHaveLength(4);
  expect(fake.calls.some(({ name }) => name === 'undo')).toBe(false);
  screen.getByRole('tab', { name: 'Request' }).focus();
  key('z', { ctrlKey: true });
  await expect.poll(() => fake.calls.some(({ name }) => name === 'undo')).toBe(true);
});

test('messages are pasted behind the history, with tools that are not there yet', async () => {
  const { screen, talk } = await openConversation();
  await fireEvent.click(screen.getByRole('button', { name: 'Paste messages' }));
  const field = screen.getByRole('textbox', { name: 'Messages as JSON of OpenAI or Anthropic' });
  const append = screen.getByRole('button', { name: 'Append' }) as HTMLButtonElement;
  await fireEvent.input(field, { target: { value: '[{"content": "x"}]' } });
  expect(await screen.findByText('Message 1: expected an object with a role')).toBeTruthy();
  expect(append.disabled).toBe(true);
  const source = JSON.stringify({
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'And now?' }],
    tools: [{ type: 'function', function: { name: 'find_more' } }],
  });
  await fireEvent.input(field, { target: { value: source } });
  expect(await screen.findByText('1 message, 1 tool')).toBeTruthy();
  expect(screen.getByText(/^Converted from the format of Anthropic/)).toBeTruthy();
  await fireEvent.click(append);
  await expect.poll(() => history(talk).at(-1)?.content).toBe('And now?');
  expect(history(talk)).toHaveLength(5);
  expect(talk.tree).toMatchObject({ tools: [{ function: { name: 'find_more' } }] });
});

test('what the panel does not know is kept and can be edited as JSON', async () => {
  const { screen, talk } = await openConversation();
  const notesField = screen.getByRole('textbox', { name: 'Part own_notes' });
  await fireEvent.input(notesField, { target: { value: '"changed"' } });
  await expect.poll(() => talk.tree).toMatchObject({ own_notes: 'changed' });
});

const unset = (name: string): DiagnosticNote => ({
  code: 'argument_unset',
  severity: 'note',
  message: `the name ${name} has no value: set it in args of a call document`,
  pointer: '/notes/items/0/text',
  also: [],
  data: { name, argument: name },
  line: null,
  column: null,
});

test('a problem leads to the field of its argument, which has one whether it has a value or not', async () => {
  const { screen, talk, fake } = await openConversation();
  await fireEvent.click(screen.getByRole('button', { name: 'Back to the deck' }));
  const diagnostics = [unset('rules'), unset('tone')];
  fake.emit({ kind: 'lint', document: 'guides.json', revision: 0, diagnostics });
  const problems = within(screen.getByRole('region', { name: 'Problems' }));
  expect(await problems.findByText('Argument tone has no value')).toBeTruthy();
  await fireEvent.click(problems.getByRole('button', { name: 'Set tone' }));
  const field = await screen.findByRole('textbox', { name: 'Argument tone' });
  await expect.poll(() => document.activeElement).toBe(field);
  await fireEvent.input(field, { target: { value: 'dry' } });
  await expect.poll(() => talk.tree).toMatchObject({ args: { guest: 'Bob', tone: 'dry' } });
  expect(document.activeElement, 'the field stays').toBe(field);
  const names = within(screen.getByRole('list', { name: 'Part args' })).getAllByRole('textbox');
  expect(names.map((each) => each.getAttribute('aria-label'))).toEqual([
    'Argument guest',
    'Argument rules',
    'Argument tone',
  ]);

  await fireEvent.click(screen.getByRole('button', { name: /^Write rules as JSON/ }));
  const rules = screen.getByRole('textbox', { name: 'Argument rules' });
  await fireEvent.input(rules, { target: { value: '["Be kind."]' } });
  await expect.poll(() => talk.tree).toMatchObject({ args: { rules: ['Be kind.'] } });
  await fireEvent.click(screen.getByRole('button', { name: 'Unset guest' }));
  await expect
    .poll(() => (talk.tree as { args: object }).args)
    .toEqual({
      tone: 'dry',
      rules: ['Be kind.'],
    });
  // Its field stays where it was, and has the focus.
  const guest = screen.getByRole('textbox', { name: 'Argument guest' });
  await expect.poll(() => document.activeElement).toBe(guest);
  expect(guest.getAttribute('placeholder')).toBe('no value');
  // A text that is JSON becomes what it is.
  await fireEvent.input(guest, { target: { value: '["Bob", "Eve"]' } });
  await fireEvent.click(screen.getByRole('button', { name: /^Write guest as JSON/ }));
  await expect
    .poll(() => (talk.tree as { args: object }).args)
    .toMatchObject({ guest: ['Bob', 'Eve'] });
});

test('a text that a template loops over is a warning at its field, and becomes a list', async () => {
  const { screen, talk, fake } = await openConversation();
  const note: DiagnosticNote = {
    ...unset('guest'),
    code: 'text_looped',
    severity: 'warning',
    data: { name: 'guest', argument: 'guest', section: 'notes' },
  };
  const lint = (diagnostics: DiagnosticNote[]) =>
    fake.emit({ kind: 'lint', document: 'guides.json', revision: 0, diagnostics });
  lint([note]);
  const args = within(screen.getByRole('list', { name: 'Part args' }));
  expect(await args.findByText('guest is a text, and its loop goes over the letters')).toBeTruthy();
  const problems = within(screen.getByRole('region', { name: 'Problems' }));
  expect(problems.getByRole('button', { name: /^guest is a text/ })).toBeTruthy();
  await fireEvent.click(args.getByRole('button', { name: 'Make guest a list' }));
  await expect.poll(() => talk.tree).toMatchObject({ args: { guest: ['Bob'] } });
  const field = screen.getByRole('textbox', { name: 'Argument guest' }) as HTMLTextAreaElement;
  await expect.poll(() => document.activeElement).toBe(field);
  expect(field.value).toBe('["Bob"]');
  lint([]);
  await expect.poll(() => args.queryByText(/goes over the letters/)).toBeNull();
});

test('a text that begins as a list is finished as JSON, and a finished one is the list', async () => {
  const { screen, talk, fake } = await openConversation();
  const guest = () => (talk.tree as { args: { guest?: unknown } }).args.guest;
  const field = () =>
    screen.getByRole('textbox', { name: 'Argument guest' }) as HTMLTextAreaElement;
  const type = (value: string) => fireEvent.input(field(), { target: { value } });
  await type('[1, 2');
  await fireEvent.click(screen.getByRole('button', { name: /^Write guest as JSON/ }));
  await expect.poll(() => screen.queryAllByText(/^Not JSON yet/)).not.toHaveLength(0);
  expect(field().value).toBe('[1, 2');
  await type('[1, 2]');
  await expect.poll(guest).toEqual([1, 2]);

  const note: DiagnosticNote = {
    ...unset('guest'),
    code: 'text_looped',
    data: { name: 'guest', argument: 'guest', section: 'notes' },
  };
  fake.emit({ kind: 'lint', document: 'guides.json', revision: 0, diagnostics: [note] });
  const makeList = async () => {
    const args = within(screen.getByRole('list', { name: 'Part args' }));
    await fireEvent.click(await args.findByRole('button', { name: 'Make guest a list' }));
  };
  key('z', { ctrlKey: true });
  await expect.poll(guest).toBe('[1, 2');
  await makeList();
  await expect.poll(() => screen.queryAllByText(/^Not JSON yet/)).not.toHaveLength(0);
  expect(guest()).toBe('[1, 2');
  expect(field().value).toBe('[1, 2');
});

test('undo of a text that became a list shows the text again, and keeps the focus', async () => {
  const { screen, talk } = await openConversation();
  const guest = () => (talk.tree as { args: { guest?: unknown } }).args.guest;
  const field = () =>
    screen.getByRole('textbox', { name: 'Argument guest' }) as HTMLTextAreaElement;
  await fireEvent.click(screen.getByRole('button', { name: /^Write guest as JSON/ }));
  await expect.poll(() => document.activeElement).toBe(field());
  expect(field().value).toBe('"Bob"');
  await fireEvent.input(field(), { target: { value: '["Bob"]' } });
  await expect.poll(guest).toEqual(['Bob']);
  key('z', { ctrlKey: true });
  await expect.poll(guest).toBe('Bob');
  await expect.poll(() => field().value).toBe('Bob');
  await expect.poll(() => document.activeElement).toBe(field());
});

test('what is typed as JSON and can’t be read yet is kept, also of what has no value, and undo goes from value to value', async () => {
  const { screen, talk, fake } = await openConversation();
  const args = () => (talk.tree as { args: { guest?: unknown } }).args;
  const field = () =>
    screen.getByRole('textbox', { name: 'Argument guest' }) as HTMLTextAreaElement;
  const type = (value: string) => fireEvent.input(field(), { target: { value } });
  const leaveAndReturn = async () => {
    await fireEvent.click(screen.getByRole('button', { name: 'Back to the deck' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Edit conversation' }));
    await screen.findByRole('heading', { name: 'Conversation' });
  };
  await fireEvent.click(screen.getByRole('button', { name: /^Write guest as JSON/ }));
  await type('["Bob"]');
  await type('["Bob", ');
  await type('["Bob", "Eve"]');
  await expect.poll(args).toMatchObject({ guest: ['Bob', 'Eve'] });
  const groups = fake.calls.filter(({ name }) => name === 'applyCall');
  const values = groups.map(
    ({ args: [, group] }) => (group as { edits: [{ value: unknown }] }).edits[0].value,
  );
  expect(values).toEqual([['Bob'], ['Bob', 'Eve']]);
  await type('["Bob", "Eve"');
  await leaveAndReturn();
  expect(field().value).toBe('["Bob", "Eve"');
  const problems = within(screen.getByRole('region', { name: 'Problems' }));
  const listed = problems.getByRole('button', {
    name: /^Not JSON yet: .*args ?\.guest of the call$/,
  });
  field().blur();
  await fireEvent.click(listed);
  await expect.poll(() => document.activeElement).toBe(field());
  key('s', { ctrlKey: true });
  const saved = /^Saved with the last valid value of Argument guest \(\["Bob","Eve"\]\): /;
  expect(await screen.findByText(saved)).toBeTruthy();
  await fireEvent.keyDown(field(), { key: 'z', ctrlKey: true });
  expect(field().value).toBe('["Bob","Eve"]');

  // The text comes back as a text.
  field().blur();
  screen.getByRole('button', { name: 'Delete message 1' }).focus();
  await expect
    .poll(() => {
      if (args().guest !== 'Bob') key('z', { ctrlKey: true });
      return args().guest;
    })
    .toBe('Bob');
  await expect.poll(() => field().value).toBe('Bob');

  // A part that the document does not have.
  const layers = () => screen.getByRole('textbox', { name: 'Part layers' }) as HTMLTextAreaElement;
  await fireEvent.input(layers(), { target: { value: '[{' } });
  await leaveAndReturn();
  expect(layers().value).toBe('[{');
});

/** The window with a prompt that ends with what an expression printed, and a call in use. */
async function openPrinted(printed: Segment) {
  const scene = guides();
  const source = { token: 0, section: 'personas', item: 0, item_name: 'calm', field: 'context' };
  const middle = [{ text: 'Calm at ' }, printed].map((segment) => ({ ...segment, source }));
  const studio = await openStudio({
    ...scene,
    call: callScene(scene.file),
    preview: (tree) => ({ ...scene.preview(tree), segments: { head: 0, middle, tail: 0 } }),
  });
  await expect.poll(() => studio.fake.calls.some(({ name }) => name === 'useCall')).toBe(true);
  return studio;
}

test('a press on an expression without a value leads to its argument', async () => {
  const { fake, screen } = await openPrinted({ text: '', expression: 'place.name' });
  const gap = await screen.findByRole('link', { name: 'place.name has no value' });
  const data = { name: 'place.name', section: 'personas', argument: 'place' };
  const note = { ...unset('place'), code: 'expression_gap', data };
  fake.emit({ kind: 'lint', document: 'guides.json', revision: 0, diagnostics: [note] });
  await fireEvent.click(gap);
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toBe('Argument place');
});

test('what an expression printed leads to its arguments, as the palette does, and to the template', async () => {
  const { screen } = await openPrinted({
    text: 'BOB',
    expression: 'guest | upper',
    arguments: ['guest'],
  });
  const isAtArgument = () =>
    document.activeElement?.getAttribute('aria-label') === 'Argument guest';
  await fireEvent.pointerOver(screen.getByText('BOB'));
  const reason = within(await screen.findByRole('tooltip'));
  expect(reason.getByText('guest | upper')).toBeTruthy();
  await fireEvent.click(reason.getByRole('button', { name: 'Go to the template' }));
  expect(isAtArgument()).toBe(false);
  await fireEvent.click(reason.getByRole('button', { name: 'Edit argument guest' }));
  await expect.poll(isAtArgument).toBe(true);
  (document.activeElement as HTMLElement).blur();
  key('k', { ctrlKey: true });
  const search = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(search, { target: { value: 'argument guest' } });
  await fireEvent.keyDown(search, { key: 'Enter' });
  await expect.poll(isAtArgument).toBe(true);
});

test('every part says what it is for, one of the author’s own included', async () => {
  const { screen } = await openConversation();
  const parts = within(screen.getByRole('region', { name: 'Call' }));
  for (const field of parts.getAllByRole('textbox')) {
    const label = field.getAttribute('aria-label') ?? '';
    const name = label.replace('Part ', '');
    const hint = field.closest('.part')?.querySelector('.xs.t3')?.textContent ?? '';
    expect(hint, name).toMatch(/^[A-Z].*\.$/);
    expect(hint.startsWith('A part of your own'), name).toBe(name === 'own_notes');
  }
  expect(screen.getByText('The messages so far, oldest first.')).toBeTruthy();
  expect(screen.getByText('The task: what the model answers now.')).toBeTruthy();
});

test('Ctrl+S in the panel saves the call document and what else is unsaved', async () => {
  const { screen, talk, fake } = await openConversation();
  const asked = screen.getByRole('textbox', { name: 'Text of the new message' });
  asked.focus();
  await fireEvent.input(asked, { target: { value: 'Then stop.' } });
  await expect.poll(() => talk.tree).toMatchObject({ message: { text: 'Then stop.' } });
  key('s', { ctrlKey: true });
  await expect.poll(() => talk.saved).toMatchObject({ message: { text: 'Then stop.' } });
  await expect.poll(() => fake.calls.some(({ name }) => name === 'save')).toBe(true);
});

test('the panel has no accessibility faults', async () => {
  await openConversation();
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false } },
  });
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
});
