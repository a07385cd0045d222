// The Chat tab over the fake service: what is seen, what is pressed, what reaches the service.
import { fireEvent, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import type { ChatSetup } from '$lib/ipc';
import { guides } from '../../testing/guides';
import { openStudio } from '../../testing/studio';
import { callScene } from '../../testing/talk';

async function openChat() {
  const opened = await openStudio(guides());
  await fireEvent.click(opened.screen.getByRole('tab', { name: 'Chat' }));
  const chatText = await opened.screen.findByRole('group', { name: 'Chat text' });
  return { ...opened, shown: chatText };
}

type Opened = Awaited<ReturnType<typeof openChat>>;

/** The setup that was asked about last. */
function asked({ fake }: Opened): ChatSetup | undefined {
  return fake.calls.filter(({ name }) => name === 'renderChat').at(-1)?.args[1] as ChatSetup;
}

test('the prompt and the conversation are shown with who made what', async () => {
  const { shown } = await openChat();
  expect(shown.textContent).toContain('Brisk.');
  expect(within(shown).getByText('registry prompt')).toBeTruthy();
  expect(within(shown).getByText('generation')).toBeTruthy();
  expect(within(shown).getAllByText('template line 2')).toHaveLength(3);
});

test('text of the author is never markup', async () => {
  const opened = await openChat();
  const { screen } = opened;
  await fireEvent.click(screen.getByRole('radio', { name: 'Conversation' }));
  const content = screen.getByRole('textbox', { name: 'Content of message 1' });
  await fireEvent.input(content, { target: { value: '<b>bold</b>' } });
  await expect
    .poll(() => screen.getByRole('group', { name: 'Chat text' }).textContent)
    .toContain('<b>bold</b>');
  expect(
    screen.getByRole('group', { name: 'Chat text' }).querySelector('[data-piece] b'),
  ).toBeNull();
});

test('messages are added, changed, moved and removed, and removing can be undone', async () => {
  const opened = await openChat();
  const { screen } = opened;
  const roles = () => asked(opened)?.messages.map(({ role }) => role);
  await fireEvent.click(screen.getByRole('radio', { name: 'Conversation' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Add message' }));
  await expect.poll(roles).toEqual(['user', 'assistant']);
  const second = screen.getByRole('textbox', { name: 'Content of message 2' });
  await fireEvent.keyDown(second, { key: 'ArrowUp', altKey: true });
  await expect.poll(roles).toEqual(['assistant', 'user']);
  await fireEvent.click(screen.getByRole('button', { name: 'Delete message 1' }));
  await expect.poll(roles).toEqual(['user']);
  await fireEvent.click(
    within(screen.getByText('Deleted message 1.').parentElement!).getByRole('button', {
      name: 'Undo',
    }),
  );
  await expect.poll(roles).toEqual(['assistant', 'user']);
});

test('unfinished JSON is stored as typed and marked, and the service names the mistake once', async () => {
  const opened = await openChat();
  const { screen } = opened;
  await fireEvent.click(screen.getByRole('radio', { name: 'Conversation' }));
  const field = screen.getByRole('textbox', { name: 'Tools' });
  await fireEvent.input(field, { target: { value: '[{' } });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.queryByText(/not JSON/)).toBeNull();
  await expect
    .poll(() => opened.fake.calls.find(({ name }) => name === 'saveChat')?.args[1])
    .toMatchObject({ tools: '[{' });
});

test('thinking and polyfills are switched', async () => {
  const opened = await openChat();
  const { screen } = opened;
  await expect
    .poll(() => screen.getByRole('switch', { name: 'Thinking' }).hasAttribute('disabled'))
    .toBe(false);
  await fireEvent.click(screen.getByRole('switch', { name: 'Thinking' }));
  await expect.poll(() => asked(opened)?.thinking).toBe(true);
  await fireEvent.click(
    screen.getByRole('button', { name: 'Difference: Turn tool responses into user messages' }),
  );
  expect(screen.getByText('"role": "user"')).toBeTruthy();
  await fireEvent.click(
    screen.getByRole('switch', { name: 'Turn tool responses into user messages' }),
  );
  await expect.poll(() => asked(opened)?.off).toEqual(['answers_as_user']);
});

test('a capability shows what proves it', async () => {
  const { screen } = await openChat();
  await fireEvent.click(await screen.findByTitle('Proof: System role'));
  const proof = await screen.findByRole('dialog', { name: 'Proof: System role' });
  expect(proof.textContent).toContain('<|im_start|>system');
});

test('a finding that two texts differ shows both', async () => {
  const { screen } = await openChat();
  await fireEvent.click(await screen.findByTitle('Proof: Uses the clock'));
  const proof = await screen.findByRole('dialog', { name: 'Proof: Uses the clock' });
  expect(proof.textContent).toMatch(
    /on 26 July 2024\s*Today is 26 July 2024\.\s*Rendered on 1 December 2031\s*Today is 1 Dec/,
  );
});

test('reasoning keeps its one name when that is switched', async () => {
  const opened = await openChat();
  const { screen } = opened;
  await fireEvent.click(screen.getByRole('radio', { name: 'Conversation' }));
  const aliases = screen.getByRole('switch', { name: /^Set reasoning under every field name/ });
  expect((aliases as HTMLInputElement).checked).toBe(true);
  await fireEvent.click(aliases);
  await expect.poll(() => asked(opened)?.alias_reasoning).toBe(false);
});

test('the text that an answer trains is marked', async () => {
  const opened = await openChat();
  const { screen, shown } = opened;
  expect(within(shown).queryByText('underlined: model output')).toBeNull();
  await fireEvent.click(screen.getByRole('radio', { name: 'Conversation' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Add message' }));
  const content = screen.getByRole('textbox', { name: 'Content of message 2' });
  await fireEvent.input(content, { target: { value: 'Gladly.' } });
  await expect
    .poll(() => [...shown.querySelectorAll('.text .generated')].map((each) => each.textContent))
    .toEqual(['Gladly.']);
  expect(within(shown).getByText('underlined: model output')).toBeTruthy();
});

test('a file is chosen by the service, and its template edited here', async () => {
  const opened = await openChat();
  const { screen } = opened;
  await fireEvent.click(screen.getByRole('button', { name: /^Template: / }));
  await fireEvent.click(await screen.findByRole('option', { name: /Open template or GGUF file/ }));
  await expect.poll(() => asked(opened)?.template).toEqual({ kind: 'model' });
  expect(await screen.findByText('from qwen.jinja')).toBeTruthy();
  expect(opened.fake.calls.find(({ name }) => name === 'chooseChatModel')?.args).toEqual([
    'guides.json',
    'model',
    false,
  ]);
});

test('a missing model file is reported in place until it is back', async () => {
  const opened = await openChat();
  const { screen, fake } = opened;
  await fireEvent.click(screen.getByRole('button', { name: /^Template: / }));
  await fireEvent.click(await screen.findByRole('option', { name: /Open template or GGUF file/ }));
  await screen.findByText('from qwen.jinja');
  const model = await fake.backend.chooseChatModel('guides.json', 'model', false);
  const changeModel = (problem: string | null) =>
    fake.emit({
      kind: 'chat_model',
      document: 'guides.json',
      slot: 'model',
      model: { ...model!, problem },
    });
  const renders = () => fake.calls.filter(({ name }) => name === 'renderChat').length;
  const before = renders();
  changeModel('/models/qwen.jinja cannot be read: gone');
  expect((await screen.findByRole('alert')).textContent).toContain('qwen.jinja cannot be read');
  await expect.poll(renders).toBeGreaterThan(before);
  changeModel(null);
  await expect.poll(() => screen.queryByRole('alert')).toBeNull();
});

test('what could not be checked is not called stable', async () => {
  const { screen } = await openChat();
  expect(await screen.findAllByTitle('Stable through message 1')).toHaveLength(2);
  await fireEvent.click(screen.getByRole('radio', { name: 'Conversation' }));
  const variables = screen.getByRole('textbox', { name: 'Variables' });
  await fireEvent.input(variables, { target: { value: '{"whole": true}' } });
  const titles = await screen.findAllByTitle('Prefix stability is unknown');
  expect(titles.map((each) => each.textContent)).toContain('Unknown');
  await fireEvent.click(screen.getByRole('radio', { name: /^Checks/ }));
  const checks = screen.getByRole('region', { name: 'Prefix stability' });
  expect(checks.textContent).toContain('Prefix stability is unknown: All at once.');
});

test('a conversation checked in part says how far', async () => {
  const { screen } = await openChat();
  await fireEvent.click(screen.getByRole('radio', { name: 'Conversation' }));
  const variables = screen.getByRole('textbox', { name: 'Variables' });
  await fireEvent.input(variables, { target: { value: '{"long": true}' } });
  expect(
    await screen.findAllByTitle(
      'Stable over the first 540 of 2,000 messages; the rest is not checked',
    ),
  ).toHaveLength(2);
  await fireEvent.click(screen.getByRole('radio', { name: /^Checks/ }));
  const checks = screen.getByRole('region', { name: 'Prefix stability' });
  expect(checks.textContent).toContain('The first 540 of 2,000 messages only append text');
});

test('a template that prints nothing says so and leads to the checks, which are counted', async () => {
  const { screen } = await openChat();
  expect(await screen.findByRole('radio', { name: 'Checks 1' })).toBeTruthy();
  await fireEvent.click(screen.getByRole('radio', { name: 'Conversation' }));
  const variables = screen.getByRole('textbox', { name: 'Variables' });
  await fireEvent.input(variables, { target: { value: '{"nothing": true}' } });
  const empty = await screen.findByText(/^The template prints nothing for this conversation/);
  expect(empty.textContent).toContain('Message 1 (user) holds <|im_end|>');
  await fireEvent.click(screen.getByRole('button', { name: 'Show the checks' }));
  const checks = screen.getByRole('region', { name: 'Lint' });
  expect(checks.textContent).toContain('Message 1 (user) holds <|im_end|>');
});

test('a built-in format says what it reads as its capabilities do', async () => {
  const { screen } = await openStudio({
    ...guides(),
    chatInspection: { proofs: 0, thinks: true },
  });
  await fireEvent.click(screen.getByRole('tab', { name: 'Chat' }));
  await fireEvent.click(await screen.findByRole('radio', { name: /^Checks/ }));
  const reads = () => screen.getByRole('region', { name: 'Variables the template reads' });
  await expect.poll(() => reads().textContent).toContain('tools and the thinking switch');
});

test('a comparison names what differs and shows it', async () => {
  const { screen } = await openChat();
  await fireEvent.click(screen.getByRole('radio', { name: 'Compare' }));
  expect(await screen.findByText('2 of 4 identical')).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: /Tools offered/ }));
  expect(screen.getByText('[AVAILABLE_TOOLS]')).toBeTruthy();
});

test('why both fail is shown, once where the reason is the same', async () => {
  const { screen } = await openChat();
  await fireEvent.click(screen.getByRole('radio', { name: 'Compare' }));
  const row = await screen.findByRole('button', { name: /Two calls at once both fail/ });
  await fireEvent.click(row);
  expect(row.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getAllByText(/One call at a time/)).toHaveLength(1);
  await fireEvent.click(screen.getByRole('button', { name: /No content both fail/ }));
  expect(screen.getByText('this template: Content is missing.')).toBeTruthy();
  expect(screen.getByText('other template: None has no length.')).toBeTruthy();
  expect(screen.getByRole('button', { name: /One question/ }).hasAttribute('disabled')).toBe(true);
});

test('the conversation is copied in the form that is asked for', async () => {
  const { fake, screen } = await openChat();
  await fireEvent.click(screen.getByRole('button', { name: 'Copy the conversation' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: 'Copy chat as curl' }));
  await expect
    .poll(() => fake.calls.find(({ name }) => name === 'copy')?.args)
    .toEqual(['curl of 1']);
});

test('a screen reader finds nothing wrong', async () => {
  const { screen } = await openChat();
  for (const panel of ['Conversation', 'Template', /^Checks/, 'Compare', 'Capabilities']) {
    const panels = within(screen.getByRole('radiogroup', { name: 'Chat panel' }));
    await fireEvent.click(panels.getByRole('radio', { name: panel }));
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => `${panel} ${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
});

/** Opens the tab of a deck with a call document in use. */
async function openWithCall() {
  const opened = await openStudio({ ...guides(), call: callScene('guides.json') });
  await fireEvent.click(opened.screen.getByRole('tab', { name: 'Chat' }));
  await opened.screen.findByRole('group', { name: 'Chat text' });
  const source = await opened.screen.findByRole('button', { name: /^Messages of: / });
  return { ...opened, source, shown: opened.screen.getByRole('group', { name: 'Chat text' }) };
}

/** Takes a row of the list behind "Messages of". */
async function messagesOf({ screen }: Pick<Opened, 'screen'>, row: RegExp) {
  await fireEvent.click(screen.getByRole('button', { name: /^Messages of: / }));
  await fireEvent.click(await screen.findByRole('option', { name: row }));
}

test('the messages are those of the call document in use, or of the example', async () => {
  const opened = await openWithCall();
  const { fake, screen } = opened;
  await expect.poll(() => opened.source.textContent).toContain('talk');
  await fireEvent.click(screen.getByRole('radio', { name: 'Conversation' }));
  expect(screen.getByText('Messages and tools are those of calls/talk.json.')).toBeTruthy();
  expect(screen.queryByRole('textbox', { name: 'Content of message 1' })).toBeNull();
  await messagesOf(opened, /^Example/);
  await expect.poll(() => asked(opened)?.conversation).toBe('example');
  expect(screen.getByText('The call document in use is not shown here.')).toBeTruthy();
  expect(screen.getByRole('textbox', { name: 'Content of message 1' })).toBeTruthy();
  await expect
    .poll(() => fake.calls.some(({ name, args }) => name === 'saveChat' && args[1] !== undefined))
    .toBe(true);
  await messagesOf(opened, /talk/);
  await expect.poll(() => asked(opened)?.conversation).toBe('call');
});

test('the text follows edits of the call document', async () => {
  const opened = await openWithCall();
  const { fake, screen } = opened;
  await expect.poll(() => opened.source.textContent).toContain('talk');
  const renders = () => fake.calls.filter(({ name }) => name === 'renderChat').length;
  await expect.poll(renders).toBeGreaterThan(0);
  await fireEvent.click(screen.getByRole('button', { name: 'Edit them' }));
  const message = await screen.findByRole('textbox', { name: 'Text of the new message' });
  const before = renders();
  await fireEvent.input(message, { target: { value: 'And now?' } });
  await expect.poll(() => fake.calls.some(({ name }) => name === 'applyCall')).toBe(true);
  await expect.poll(renders).toBeGreaterThan(before);
});

test('a message of the call document is opened where it is edited', async () => {
  const { screen, source } = await openWithCall();
  await expect.poll(() => source.textContent).toContain('talk');
  await fireEvent.click(screen.getByRole('button', { name: 'Open message 1' }));
  await expect
    .poll(() => document.activeElement?.closest('[data-conversation]') !== null)
    .toBe(true);
});

test('without a call document the example is shown, and one can be made', async () => {
  const { screen } = await openChat();
  expect(screen.getByText('No call document is in use.')).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Messages of: / }).textContent).toContain('Example');
  await fireEvent.click(screen.getByRole('button', { name: 'New call document' }));
  expect(await screen.findByRole('tab', { name: 'Request', selected: true })).toBeTruthy();
});
