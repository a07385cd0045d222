// The conversation that a call document begins, over a fake service.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { DiagnosticNote } from '$lib/ipc';
import { asked, openCallTalk, said, sent } from '../../testing/open-talk';
import { key } from '../../testing/studio';

test('tool calls that end the call document are answered by hand', async () => {
  const calls = [
    { id: 'c1', name: 'look_up', arguments: '{}' },
    { id: 'c2', name: 'count', arguments: '{}' },
  ];
  const before = [said('user', { content: 'Look.' }), said('assistant', { calls })];
  const { fake, screen, log, field } = await openCallTalk(before);
  const first = await within(log).findByRole('textbox', { name: 'Result of look_up' });
  expect(within(log).getByRole('textbox', { name: 'Result of count' })).toBeTruthy();
  await fireEvent.input(field, { target: { value: 'Well?' } });
  expect(screen.getByText('Answer the 2 tool calls first.')).toBeTruthy();
  expect(field.getAttribute('placeholder')).toContain('once the tool call is answered');
  const send = screen.getByRole('button', { name: /^Send\s*Ctrl/ });
  expect((send as HTMLButtonElement).disabled).toBe(true);
  await fireEvent.input(first, { target: { value: '14' } });
  await fireEvent.keyDown(first, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  expect(sent(fake)[0]).toEqual({
    leaf: null,
    messages: [{ role: 'tool', content: '14', answers: 'c1' }],
    ask: false,
  });
  expect(await within(log).findByText('14')).toBeTruthy();
  const second = within(log).getByRole('textbox', { name: 'Result of count' });
  await fireEvent.input(second, { target: { value: '3' } });
  await fireEvent.keyDown(second, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(2);
  expect(sent(fake)[1]).toEqual({
    leaf: 1,
    messages: [{ role: 'tool', content: '3', answers: 'c2' }],
    ask: true,
  });
  await expect.poll(() => document.activeElement).toBe(field);
});

test('messages that the call has no longer say so', async () => {
  const { fake, log, screen, field } = await openCallTalk([said('user', { content: 'Look.' })]);
  expect(await within(log).findByText('from the call')).toBeTruthy();
  expect(within(log).getByRole('button', { name: 'Edit in the call' })).toBeTruthy();
  fake.turns.view = { ...fake.turns.view, is_earlier: true };
  await fireEvent.input(field, { target: { value: 'And?' } });
  expect(await screen.findByText('from the call as it was then')).toBeTruthy();
  expect(within(log).queryByRole('button', { name: 'Edit in the call' })).toBeNull();
  within(log).getByText('Not editable: the call has other messages now');
});

test('a message of the call is edited among the messages of the call', async () => {
  const { log, screen } = await openCallTalk([said('user', { content: 'Look.' })]);
  await fireEvent.click(await within(log).findByRole('button', { name: 'Edit in the call' }));
  await screen.findByRole('heading', { name: 'Conversation' });
  const row = screen.getByRole('textbox', { name: 'Text of message 1' });
  await expect.poll(() => document.activeElement).toBe(row);
});

test('a request that breaks the rules of a history is not sent, and leads to the messages', async () => {
  const { fake, screen, field } = await openCallTalk([said('user', { content: 'Look.' })]);
  const { view } = fake.turns;
  const message = 'message 2: no result follows tool call "c1"';
  const problem = { code: 'invalid_history', message };
  fake.turns.view = { ...view, request: { ...view.request, problem } };
  await fireEvent.input(field, { target: { value: 'Well?' } });
  expect(await screen.findByText(/no result follows tool call "c1"/)).toBeTruthy();
  const send = screen.getByRole('button', { name: /^Send\s*Ctrl/ });
  expect((send as HTMLButtonElement).disabled).toBe(true);
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  expect(sent(fake)).toEqual([]);
  await fireEvent.click(screen.getByRole('button', { name: 'Edit the call’s messages' }));
  expect(await screen.findByRole('button', { name: 'Add message' })).toBeTruthy();
  // What was typed since may have mended it.
  fake.turns.view = view;
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
});

test('an image in a message of the call is shown, with a warning where the target drops it', async () => {
  const pointer = '/history/0/content/1';
  const part = { message: 0, pointer, kind: 'image_url', source: 'image/png', bytes: 2048 };
  const { fake, screen, log, field } = await openCallTalk(
    [said('user', { content: 'And here?' })],
    { parts: [part] },
  );
  expect(await within(log).findByText('image, image/png, 2.0 kB')).toBeTruthy();
  const { view } = fake.turns;
  const diagnostic: DiagnosticNote = {
    code: 'part_left_out',
    severity: 'warning',
    message: 'message 1 (user): part 2 is left out',
    pointer,
    also: [],
    data: {},
    line: null,
    column: null,
  };
  fake.turns.view = { ...view, request: { ...view.request, diagnostics: [diagnostic] } };
  await fireEvent.input(field, { target: { value: 'Well?' } });
  expect(await within(log).findByText(/part 2 is left out/)).toBeTruthy();
  key('k', { ctrlKey: true });
  const search = await screen.findByRole('combobox');
  await fireEvent.input(search, { target: { value: 'Edit the conversation' } });
  await fireEvent.click(await screen.findByRole('option', { name: /Edit the conversation/ }));
  const history = within(await screen.findByRole('region', { name: 'History' }));
  expect(history.getByText('image, image/png, 2.0 kB')).toBeTruthy();
  expect(history.getByText(/part 2 is left out/)).toBeTruthy();
});

test('the line above the conversation shows the call document, and another is chosen there', async () => {
  const { fake, screen } = await openCallTalk([said('user', { content: 'Look.' })]);
  const chosen = screen.getByRole('button', { name: 'Call: A talk' });
  await fireEvent.click(chosen);
  await fireEvent.click(await screen.findByRole('option', { name: 'none, prompt only' }));
  await expect.poll(() => asked(fake, 'useCall').at(-1)?.[1]).toBeNull();
});
