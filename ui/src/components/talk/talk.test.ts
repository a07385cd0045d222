// The conversation over a fake service: what is sent, and what a person sees of the tree.
import { cleanup, fireEvent, render, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import type { RequestTarget, RunStep } from '$lib/ipc';
import { answer, rolled, turn } from '../../testing/fake-talk';
import App from '../../App.svelte';
import { guides } from '../../testing/guides';
import { asked, openIn, openTalk, said, sent } from '../../testing/open-talk';
import { openStudio } from '../../testing/studio';

test('a pause before a retry says which try follows, when, and why', async () => {
  const { fake, log, field } = await openTalk();
  await fireEvent.input(field, { target: { value: 'Who is there?' } });
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  fake.turns.emit(answer(2, 1, '', { state: 'streaming', accepted: null }));
  fake.turns.retry(2, 90_000);
  expect(await within(log).findByText(/^try 2 of 3 in /)).toBeTruthy();
  expect(within(log).getByText('Try 1 failed: the server failed')).toBeTruthy();
  fake.turns.delta(2, 'Good evening');
  expect(await within(log).findByText('streaming')).toBeTruthy();
  expect(within(log).queryByText(/failed: /)).toBeNull();
});

test('the line above says which model answers, and leads to the connection', async () => {
  const local = {
    name: 'local',
    kind: 'ollama',
    base_url: 'http://localhost:11434',
    model: 'tiny',
    template: '',
    keyed: false,
    variable: 'PROMPTDECK_API_KEY_LOCAL',
    in_environment: false,
  };
  const { screen } = await openStudio({ ...guides(), runs: { runs: [], connections: [local] } });
  await fireEvent.click(screen.getByRole('tab', { name: 'Run' }));
  await screen.findByRole('log', { name: 'Conversation' });
  expect(screen.queryByRole('button', { name: /^Model: / })).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: /^Connection: / }));
  await fireEvent.click(await screen.findByRole('option', { name: /local/ }));
  expect(await screen.findByRole('button', { name: 'Model: tiny' })).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Edit local…' }));
  expect(await screen.findByRole('dialog', { name: 'Connection local' })).toBeTruthy();
});

test('Ctrl+Enter answers in a conversation that is shown, and leads to its field without anything to answer', async () => {
  const { screen, fake, field } = await openTalk(rolled());
  field.blur();
  await fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => document.activeElement).toBe(field);
  expect(sent(fake)).toEqual([]);
  await fireEvent.input(field, { target: { value: 'And you?' } });
  field.blur();
  await fireEvent.keyDown(document.body, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  expect(asked(fake, 'startRuns')).toEqual([]);
  expect(screen.getByRole('log', { name: 'Conversation' })).toBeTruthy();
});

test('Run sends what is written in the conversation that is shown', async () => {
  const { fake, screen, field } = await openTalk();
  const run = screen.getByRole('button', { name: 'Run' });
  expect(run.title).toBe('Run the prompt alone (Ctrl+Enter)');
  await fireEvent.input(field, { target: { value: 'Who is there?' } });
  expect(run.title).toBe('Send the next turn (Ctrl+Enter)');
  await fireEvent.click(run);
  await expect.poll(() => sent(fake)).toHaveLength(1);
  expect(sent(fake)[0]?.messages).toEqual([
    { role: 'user', content: 'Who is there?', answers: null },
  ]);
  expect(asked(fake, 'startRuns')).toEqual([]);
});

test('a run of the prompt alone says that what is written in the conversation is not sent', async () => {
  const { fake, screen, field } = await openTalk();
  await fireEvent.input(field, { target: { value: 'Who is there?' } });
  await fireEvent.click(screen.getByRole('tab', { name: 'Prompt' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Run' }));
  await expect.poll(() => asked(fake, 'startRuns')).toHaveLength(1);
  expect(await screen.findByText(/What is written in the conversation is not sent\./)).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Open the conversation' }));
  const next = await screen.findByRole('textbox', { name: 'Next turn' });
  expect((next as HTMLTextAreaElement).value).toBe('Who is there?');
});

test('the conversation that is opened from single runs is ready to write in', async () => {
  const { screen } = await openTalk(rolled());
  await fireEvent.click(screen.getByRole('button', { name: 'Single runs and history' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Conversation' }));
  const field = await screen.findByRole('textbox', { name: 'Next turn' });
  await expect.poll(() => document.activeElement).toBe(field);
});

test('a turn is sent by Ctrl+Enter, its answer streams, and the next turn can be written meanwhile', async () => {
  const { fake, screen, log, field } = await openTalk();
  await fireEvent.input(field, { target: { value: 'Who is there?' } });
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  expect(sent(fake)[0]).toEqual({
    leaf: null,
    messages: [{ role: 'user', content: 'Who is there?', answers: null }],
    ask: true,
  });
  expect(await within(log).findByText('Who is there?')).toBeTruthy();
  fake.turns.emit(answer(2, 1, '', { state: 'streaming', accepted: null }));
  fake.turns.delta(2, 'Good ');
  fake.turns.delta(2, 'evening');
  expect(await within(log).findByText('Good evening')).toBeTruthy();
  await fireEvent.input(field, { target: { value: 'And then?' } });
  const send = screen.getByRole('button', { name: /^Send\s*Ctrl/ });
  expect((send as HTMLButtonElement).disabled).toBe(true);
  const run = screen.getByRole('button', { name: 'Run' }) as HTMLButtonElement;
  expect([run.disabled, run.title]).toEqual([
    true,
    'You can write the next turn while this one arrives',
  ]);
  fake.turns.emit(answer(2, 1, 'Good evening.'));
  fake.turns.over();
  expect(await within(log).findByText('Good evening.')).toBeTruthy();
  expect(within(log).getByText('accepted')).toBeTruthy();
  await expect.poll(() => (send as HTMLButtonElement).disabled).toBe(false);
  expect([run.disabled, run.title]).toEqual([false, 'Send the next turn (Ctrl+Enter)']);
});

test('a connection can be added where the receiver is chosen', async () => {
  const { screen } = await openTalk();
  await fireEvent.click(screen.getByRole('button', { name: /^Connection/ }));
  await fireEvent.click(await screen.findByRole('option', { name: 'Add a connection…' }));
  expect(await screen.findByRole('dialog', { name: 'New connection' })).toBeTruthy();
});

test('Esc stops, and what came stays', async () => {
  const { fake, log, field } = await openTalk();
  await fireEvent.input(field, { target: { value: 'Go on' } });
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  fake.turns.emit(answer(2, 1, '', { state: 'streaming', accepted: null }));
  fake.turns.delta(2, 'Half a');
  await within(log).findByText('Half a');
  await fireEvent.keyDown(field, { key: 'Escape' });
  await expect.poll(() => asked(fake, 'stopRuns')).toEqual([[fake.turns.batch]]);
  fake.turns.emit(answer(2, 1, 'Half a', { state: 'stopped', accepted: null }));
  fake.turns.over();
  expect(await within(log).findByText('stopped')).toBeTruthy();
  expect(within(log).getByText('Half a')).toBeTruthy();
});

test('tool calls are shown while they arrive, and those that came stay after a stop', async () => {
  const { fake, screen, log, field } = await openTalk();
  await fireEvent.input(field, { target: { value: 'Look' } });
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  fake.turns.emit(answer(2, 1, '', { state: 'streaming', accepted: null }));
  expect(await within(log).findByText('waiting')).toBeTruthy();
  const whole = { name: 'look', arguments: '{"at":1}' };
  fake.turns.toolCalls(2, [whole, { name: 'go', arguments: '{"to":"no' }]);
  expect(await within(log).findByText('{"to":"no')).toBeTruthy();
  expect(within(log).getByText('streaming')).toBeTruthy();
  expect(screen.queryByRole('textbox', { name: /look/ })).toBeNull();
  fake.turns.emit(
    answer(2, 1, '', { state: 'stopped', accepted: null, calls: [{ id: 'a', ...whole }] }),
  );
  fake.turns.over();
  expect(await within(log).findByText('stopped')).toBeTruthy();
  expect(within(log).getByText('{"at":1}')).toBeTruthy();
  expect(within(log).queryByText('{"to":"no')).toBeNull();
});

test('the switcher goes between siblings by its buttons and by arrows', async () => {
  const { log } = await openTalk(rolled());
  expect(await within(log).findByText('2 of 2')).toBeTruthy();
  expect(within(log).getByText('too short')).toBeTruthy();
  await fireEvent.keyDown(within(log).getByRole('button', { name: 'Previous branch' }), {
    key: 'ArrowLeft',
  });
  expect(await within(log).findByText('Good day.')).toBeTruthy();
  await fireEvent.click(within(log).getByRole('button', { name: 'Next branch' }));
  expect(await within(log).findByText('Good evening.')).toBeTruthy();
});

test('rolling again asks at the turn before, and an edited turn is a branch beside it', async () => {
  const { fake, log } = await openTalk(rolled());
  await fireEvent.click(await within(log).findByRole('button', { name: 'Roll again' }));
  await expect.poll(() => sent(fake)).toEqual([{ leaf: 1, messages: [], ask: true }]);
  fake.turns.over();
  const [first] = within(log).getAllByRole('button', { name: 'Edit this turn' });
  await fireEvent.click(first as HTMLElement);
  const field = await within(log).findByRole('textbox', { name: 'Edit this turn' });
  expect((field as HTMLTextAreaElement).value).toBe('Who is there?');
  await fireEvent.input(field, { target: { value: 'Who goes there?' } });
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(2);
  expect(sent(fake)[1]).toEqual({
    leaf: null,
    messages: [{ role: 'user', content: 'Who goes there?', answers: null }],
    ask: true,
  });
  const orders = asked(fake, 'sendTurns').map(([, order]) => order);
  // What comes before the first turn comes before the one beside it too.
  expect(orders).toMatchObject([{ beside: null }, { beside: 1 }]);
  expect(await within(log).findByText('Who goes there?')).toBeTruthy();
});

test.each([
  ['its key', (field: HTMLElement) => fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })],
  [
    'its button',
    async () => {
      const button = [...document.querySelectorAll<HTMLElement>('.edit button')].at(-1)!;
      button.focus();
      await fireEvent.click(button);
    },
  ],
])('after an edit is sent by %s the next turn can be typed at once', async (_, send) => {
  const { log, field } = await openTalk(rolled());
  const [first] = await within(log).findAllByRole('button', { name: 'Edit this turn' });
  await fireEvent.click(first!);
  const edit = await within(log).findByRole('textbox', { name: 'Edit this turn' });
  await fireEvent.input(edit, { target: { value: 'Who goes there?' } });
  await send(edit);
  expect(document.activeElement).toBe(field);
  await expect
    .poll(() => within(log).queryByRole('textbox', { name: 'Edit this turn' }))
    .toBeNull();
  expect(document.activeElement).toBe(field);
});

test('after the branch that is shown was changed the next turn can be typed at once', async () => {
  const { screen, log, field } = await openTalk(rolled());
  const press = async (button: HTMLElement) => {
    button.focus();
    await fireEvent.click(button);
  };
  const continues = async () => {
    await press(within(log).getAllByRole('button', { name: 'Turn actions' })[0]!);
    await fireEvent.click(await screen.findByRole('menuitem', { name: 'Continue from here' }));
  };
  const choose = async () => {
    await press(screen.getByRole('button', { name: '2 branches' }));
    await fireEvent.click((await screen.findAllByRole('menuitemradio'))[1]!);
  };
  await within(log).findByText('Good evening.');
  for (const change of [
    continues,
    choose,
    () => press(screen.getByRole('button', { name: 'Start an empty branch' })),
    choose,
    () => press(within(log).getByRole('button', { name: 'Roll again' })),
  ]) {
    field.blur();
    await change();
    await expect.poll(() => document.activeElement).toBe(field);
  }
});

test('letters typed on a button of the conversation are the next turn, in a menu they choose', async () => {
  const { screen, log, field } = await openTalk(rolled());
  const before = await within(log).findByRole('button', { name: 'Previous branch' });
  before.focus();
  await fireEvent.keyDown(before, { key: ' ' });
  await fireEvent.keyDown(before, { key: 'n', ctrlKey: true });
  expect(document.activeElement).toBe(before);
  await fireEvent.keyDown(before, { key: 'n' });
  expect(document.activeElement).toBe(field);
  await fireEvent.click(within(log).getByRole('button', { name: 'Keep' }));
  const row = (await screen.findAllByRole('menuitem'))[0]!;
  row.focus();
  await fireEvent.keyDown(row, { key: 'q' });
  expect(document.activeElement).toBe(row);
});

test('a tool call that arrives leaves the focus in a turn that is being written', async () => {
  const { fake, log, field } = await openTalk();
  field.focus();
  for (const [id, draft] of [
    [1, 'One more'],
    [3, ''],
  ] as const) {
    await fireEvent.input(field, { target: { value: draft } });
    const calls = [{ id: 'a', name: 'look', arguments: '{}' }];
    fake.turns.emit(turn(id, null));
    fake.turns.emit(answer(id + 1, id, '', { calls, state: 'streaming', accepted: null }));
    fake.turns.emit(answer(id + 1, id, '', { calls, accepted: null }));
    await expect.poll(() => log.querySelector(`[data-turn="${id + 1}"] textarea`)).not.toBeNull();
    const focused = document.activeElement?.getAttribute('aria-label');
    expect(focused).toBe(draft === '' ? 'Result of look' : 'Next turn');
  }
});

test('an answer goes on while another registry is open, and can be stopped afterwards', async () => {
  const opened = await openStudio({ ...guides(), others: ['other.json'] });
  const { fake, screen } = opened;
  const open = (file: string) => openIn(screen, file);
  await fireEvent.click(screen.getByRole('tab', { name: 'Run' }));
  const field = await screen.findByRole('textbox', { name: 'Next turn' });
  await fireEvent.input(field, { target: { value: 'Who is there?' } });
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  fake.turns.emit(answer(2, 1, '', { state: 'streaming', accepted: null }));
  fake.turns.delta(2, 'Good ');
  await open('other.json');
  expect(screen.queryByRole('button', { name: /^Stop/ })).toBeNull();
  fake.turns.delta(2, 'evening ');
  await open('guides.json');
  fake.turns.delta(2, 'to all');
  expect(await screen.findByText('Good evening to all')).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: /^Stop/ }));
  await expect.poll(() => asked(fake, 'stopRuns')).toHaveLength(1);
});

test('a run of the prompt that ends while a turn is sent does not end its answer', async () => {
  const { fake, field, screen } = await openTalk();
  let goOn: (() => void) | undefined;
  fake.held.set('sendTurns', new Promise((resolve) => (goOn = resolve)));
  await fireEvent.input(field, { target: { value: 'Who is there?' } });
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  const of = (batch: number, step: RunStep) =>
    fake.emit({ kind: 'run', document: 'guides.json', batch, step });
  of(7, { step: 'over', done: 1, problem: null });
  // The turn that is sent will be the third.
  fake.turns.emit(answer(2, 3, '', { state: 'streaming', accepted: null }));
  of(101, { step: 'delta', id: 2, text: 'Good evening' });
  goOn?.();
  expect(await screen.findByText('Good evening')).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Stop/ })).toBeTruthy();
});

test('a turn of the assistant is added once, however long the keys are held', async () => {
  const { fake, field, screen } = await openTalk();
  let goOn: (() => void) | undefined;
  fake.held.set('sendTurns', new Promise((resolve) => (goOn = resolve)));
  await fireEvent.click(screen.getByRole('button', { name: /^Write as/ }));
  await fireEvent.click(await screen.findByRole('option', { name: 'assistant' }));
  await fireEvent.input(field, { target: { value: 'Good evening.' } });
  for (let press = 0; press < 4; press += 1) {
    await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
    await new Promise((done) => setTimeout(done, 10));
  }
  goOn?.();
  await expect.poll(() => (field as HTMLTextAreaElement).value).toBe('');
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  expect(sent(fake)).toHaveLength(1);
});

test('the branches are listed, one is chosen, and a new empty one can be undone', async () => {
  const { screen, log, field } = await openTalk(rolled());
  const send = () => screen.getByRole('button', { name: /^Send\s*Ctrl/ }) as HTMLButtonElement;
  await within(log).findByText('Good evening.');
  expect(send().disabled).toBe(true);
  await fireEvent.click(screen.getByRole('button', { name: 'Start an empty branch' }));
  expect(await within(log).findByText('No turns yet')).toBeTruthy();
  expect(send().disabled).toBe(true);
  const notice = (await screen.findByText(/^An empty branch was started/)).closest('.notice');
  await fireEvent.click(within(notice as HTMLElement).getByRole('button', { name: 'Undo' }));
  expect(await within(log).findByText('Good evening.')).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Start an empty branch' }));
  await fireEvent.click(screen.getByRole('button', { name: '2 branches' }));
  const list = await screen.findByRole('menu', { name: 'Branches of this conversation' });
  const rows = within(list).getAllByRole('menuitemradio');
  expect(rows.map(({ textContent }) => textContent.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/Good evening\. .*rejected/),
    expect.stringMatching(/Good day\. .*accepted/),
  ]);
  await fireEvent.click(rows[1]!);
  expect(await within(log).findByText('Good day.')).toBeTruthy();
  await fireEvent.input(field, { target: { value: 'And then?' } });
  expect(send().disabled).toBe(false);
});

test('a branch is listed with what is said and answered where it parts from the others', async () => {
  const { screen, log } = await openTalk([
    turn(1, null, { content: 'A novel' }),
    answer(2, 1, 'Once there was a host.'),
    answer(3, 1, 'A host who knew too much.'),
    turn(4, null, { content: 'A cookbook' }),
    answer(5, 4, 'Salt first.'),
    turn(6, 2, { content: 'Shorter' }),
    answer(7, 6, 'A host.'),
  ]);
  await within(log).findByText('A cookbook');
  await fireEvent.click(screen.getByRole('button', { name: '3 branches' }));
  const rows = await screen.findAllByRole('menuitemradio');
  const texts = (row: HTMLElement) =>
    [...(row.children[1]?.children ?? [])].map(({ textContent }) => textContent);
  expect(rows.map(texts)).toEqual([
    ['A novel', 'Once there was a host.'],
    ['A cookbook', 'Salt first.'],
    ['A novel', 'A host who knew too much.'],
  ]);
});

test('the room of the list of branches is there before a second branch is', async () => {
  const { screen, log } = await openTalk([
    turn(1, null, { content: 'A novel' }),
    answer(2, 1, 'This is the mock.'),
  ]);
  await within(log).findByText('A novel');
  const room = document.querySelector<HTMLElement>('[data-reserved]');
  expect([room?.style.visibility, room?.textContent.trim()]).toEqual(['hidden', '2 branches']);
  expect(screen.queryByRole('button', { name: '2 branches' })).toBeNull();
});

test('branches with the same text are told apart by their number and the seconds', async () => {
  const at = new Date(2026, 10, 28, 0, 35, 7).getTime();
  const { screen, log } = await openTalk([
    turn(1, null, { content: 'Who is there?' }),
    answer(2, 1, 'Good day.', { at }),
    answer(3, 1, 'Good day.', { at: at + 2000 }),
  ]);
  await within(log).findByText('Good day.');
  await fireEvent.click(screen.getByRole('button', { name: '2 branches' }));
  const rows = await screen.findAllByRole('menuitemradio');
  expect(rows.map((row) => row.lastElementChild?.textContent)).toEqual([
    '2 of 2, 00:35:09, accepted',
    '1 of 2, 00:35:07, accepted',
  ]);
});

test('siblings are listed and compared word by word', async () => {
  const { fake, log } = await openTalk(rolled());
  await fireEvent.click(
    await within(log).findByRole('button', { name: 'Compare with its siblings' }),
  );
  const list = within(log).getByRole('list', { name: 'Siblings of this turn' });
  expect(within(list).getAllByRole('listitem')).toHaveLength(2);
  await fireEvent.click(within(list).getByRole('button', { name: 'Changes from branch 1' }));
  await expect.poll(() => asked(fake, 'compareTurns')).toEqual([[2, 3]]);
  expect(await within(log).findByText('evening')).toBeTruthy();
});

test('a tool call is answered by hand, and with the last result the model goes on', async () => {
  const calls = [
    { id: 'a', name: 'look_up', arguments: '{"team":"six"}' },
    { id: 'b', name: 'count', arguments: '{}' },
  ];
  const opened = await openTalk([turn(1, null), answer(2, 1, '', { calls, accepted: null })]);
  const { fake, screen, field } = opened;
  let { log } = opened;
  let result = await within(log).findByRole('textbox', { name: 'Result of look_up' });
  expect(document.activeElement).toBe(result);
  const run = screen.getByRole('button', { name: 'Run' }) as HTMLButtonElement;
  await fireEvent.input(field, { target: { value: 'Meanwhile' } });
  expect([run.disabled, run.title]).toEqual([true, 'Answer the 2 tool calls first.']);
  await fireEvent.input(result, { target: { value: '{"score": 14' } });
  await fireEvent.click(screen.getByRole('tab', { name: 'Prompt' }));
  await fireEvent.click(screen.getByRole('tab', { name: 'Run' }));
  log = await screen.findByRole('log', { name: 'Conversation' });
  result = await within(log).findByRole('textbox', { name: 'Result of look_up' });
  expect((result as HTMLTextAreaElement).value).toBe('{"score": 14');
  await fireEvent.input(result, { target: { value: '{"score": 14}' } });
  await fireEvent.keyDown(result, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  expect(sent(fake)[0]).toEqual({
    leaf: 2,
    messages: [{ role: 'tool', content: '{"score": 14}', answers: 'a' }],
    ask: false,
  });
  const other = await within(log).findByRole('textbox', { name: 'Result of count' });
  await fireEvent.input(other, { target: { value: 'no such table' } });
  const [, second] = within(log).queryAllByRole('button', { name: 'Answer with an error' });
  await fireEvent.click(
    second ?? within(log).getByRole('button', { name: 'Answer with an error' }),
  );
  await expect.poll(() => sent(fake)).toHaveLength(2);
  expect(sent(fake)[1]).toEqual({
    leaf: 3,
    messages: [{ role: 'tool', content: '{"error":"no such table"}', answers: 'b' }],
    ask: true,
  });
});

test('an answer that broke off says why, and its tree stays', async () => {
  const fault = { code: 'truncated', message: 'the stream ended early' };
  const { log } = await openTalk([
    turn(1, null, { content: 'Who is there?' }),
    answer(2, 1, 'Half a', { state: 'failed', accepted: null, fault }),
    answer(3, 1, 'Cut', { state: 'interrupted', accepted: null }),
  ]);
  expect(await within(log).findByText('interrupted')).toBeTruthy();
  await fireEvent.click(within(log).getByRole('button', { name: 'Previous branch' }));
  expect(await within(log).findByText(/the stream ended early/iu)).toBeTruthy();
  expect(within(log).getByText('Half a')).toBeTruthy();
  expect(within(log).getByText('failed')).toBeTruthy();
});

test('the conversation has no accessibility violations', async () => {
  const { log } = await openTalk(rolled());
  await within(log).findByText('Good evening.');
  const found = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } });
  expect(found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
});

test('the branch that was shown is there at the next start', async () => {
  const { fake, log, screen } = await openTalk(rolled());
  await within(log).findByText('Good evening.');
  await fireEvent.click(screen.getByRole('button', { name: '2 branches' }));
  await fireEvent.click(await screen.findByRole('menuitemradio', { name: /Good day/ }));
  await expect.poll(() => fake.views.get('guides.json')?.branches).toEqual({ '': 2 });
  cleanup();
  const next = render(App, { backend: fake.backend });
  const again = await next.findByRole('log', { name: 'Conversation' });
  expect(await within(again).findByText('Good day.')).toBeTruthy();
});

test('an empty branch is shown as it was when the document is opened again', async () => {
  const { fake, log, screen } = await openTalk(rolled());
  await within(log).findByText('Good evening.');
  await fireEvent.click(screen.getByRole('button', { name: 'Start an empty branch' }));
  await expect.poll(() => fake.views.get('guides.json')?.branches).toEqual({ '': null });
  cleanup();
  const next = render(App, { backend: fake.backend });
  const again = await next.findByRole('log', { name: 'Conversation' });
  await next.findByRole('button', { name: '2 branches' });
  expect(within(again).queryByText('Good evening.')).toBeNull();
  expect(within(again).queryByText('Good day.')).toBeNull();
});

test('a conversation is shown from its end, and what the author adds is seen', async () => {
  const { fake, log, field } = await openTalk(rolled());
  const size = { scrollHeight: { value: 1000 }, clientHeight: { value: 100 } };
  Object.defineProperties(log, size);
  // The messages before it come later.
  fake.turns.view = { ...fake.turns.view, before: [said('user', { content: 'Look.' })] };
  await fireEvent.input(field, { target: { value: 'And' } });
  await expect.poll(() => log.scrollTop).toBe(1000);
  // Scrolled up by the author.
  log.scrollTop = 0;
  await fireEvent.scroll(log);
  await fireEvent.input(field, { target: { value: 'And then?' } });
  expect(log.scrollTop).toBe(0);
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  await expect.poll(() => log.scrollTop).toBe(1000);
});

test('a target that the connection does not take is replaced, and so is the request', async () => {
  const { fake } = await openTalk();
  const targets = () =>
    asked(fake, 'talkRequest').map(([, params]) => (params as { target: string }).target);
  await expect.poll(targets).not.toEqual([]);
  const [chosen] = targets() as [RequestTarget];
  const taken = fake.turns.view.targets.filter((target) => target !== chosen);
  fake.turns.view = { ...fake.turns.view, targets: taken };
  const field = document.querySelector('textarea[aria-label="Next turn"]')!;
  await fireEvent.input(field, { target: { value: 'Hello' } });
  await expect.poll(() => targets().at(-1)).toBe(taken[0]);
});
