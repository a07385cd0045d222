// The Run tab over a fake service: what is asked of it, and what a person sees of what it tells.
import { fireEvent, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test, vi } from 'vitest';
import type { RunDetail, RunStep } from '$lib/ipc';
import type { FakeBackend } from '../../testing/fake-backend';
import { attempt, detail, summary } from '../../testing/fake-runs';
import { guides } from '../../testing/guides';
import { highlighted } from '../../testing/highlights';
import { key, openRegistry, openStudio } from '../../testing/studio';

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

async function openRun(runs: RunDetail[] = [], connections = [local]) {
  const opened = await openStudio({ ...guides(), runs: { runs, connections } });
  await fireEvent.click(opened.screen.getByRole('tab', { name: 'Run' }));
  await fireEvent.click(
    await opened.screen.findByRole('button', { name: 'Single runs and history' }),
  );
  await opened.screen.findByRole('button', { name: 'Fewer seeds' });
  return opened;
}

const asked = (fake: FakeBackend, name: string) =>
  fake.calls.filter((call) => call.name === name).map((call) => call.args);

/** Starts a run of one seed and waits until it was begun. */
async function begin(fake: FakeBackend) {
  key('Enter', { ctrlKey: true });
  await expect.poll(() => asked(fake, 'startRuns').length).toBe(1);
  fake.runs.emit({ step: 'begun', run: summary(1, { status: 'running' }) });
}

test('nothing is asked of a server before a person runs', async () => {
  const { fake, screen } = await openRun();
  await fireEvent.click(screen.getByRole('button', { name: /^Connection: / }));
  await fireEvent.click(await screen.findByRole('option', { name: /local/ }));
  await fireEvent.click(await screen.findByRole('button', { name: /^Model(: |$)/ }));
  for (const call of ['models', 'tryConnection', 'startRuns']) {
    expect(asked(fake, call), call).toEqual([]);
  }
});

test('Ctrl+Enter runs through the chosen connection, from any tab', async () => {
  const { fake, screen } = await openRun();
  await fireEvent.click(screen.getByRole('button', { name: /^Connection: / }));
  await fireEvent.click(await screen.findByRole('option', { name: /local/ }));
  await fireEvent.click(screen.getByRole('tab', { name: 'Prompt' }));
  await begin(fake);
  expect(asked(fake, 'startRuns')).toEqual([['guides.json', { connection: 'local', seeds: 1 }]]);
  expect(await screen.findByText('waiting')).toBeTruthy();
});

test('a connection can be added at once, before the first run and after it', async () => {
  const { fake, screen } = await openRun([], []);
  expect(screen.getAllByRole('button', { name: 'Add a connection…' })).toHaveLength(1);
  await begin(fake);
  await screen.findByText('waiting');
  expect(screen.getAllByRole('button', { name: 'Add a connection…' })).toHaveLength(1);
  fake.runs.emit({ step: 'ended', run: summary(1) });
  await screen.findByRole('button', { name: /Good evening\./ });
  await fireEvent.click(screen.getByRole('button', { name: 'Add a connection…' }));
  expect(await screen.findByRole('dialog', { name: /connection/i })).toBeTruthy();
});

test('what an answer says beside its text is shown with it', async () => {
  const { fake, screen } = await openRun();
  await begin(fake);
  const extracted = {
    channels: [
      { name: 'analysis', recipient: null },
      { name: 'commentary', recipient: 'functions.look_up' },
    ],
    thinking: 'Which one?',
    calls: [{ name: 'look_up', arguments: '{"a":1}' }],
  };
  fake.runs.emit({ step: 'judged', id: 1, attempt: attempt('', { changes: [], extracted }) });
  const beside = await screen.findByRole('group', {
    name: 'Reasoning, tool calls and channels of the answer',
  });
  expect(beside.textContent).toContain('Channels: analysis, commentary to functions.look_up');
  expect(beside.textContent).toMatch(/look_up\s*\{"a":1\}/);
  const thought = within(beside).getByText('Which one?').closest('details');
  expect(thought?.open).toBe(false);
  await fireEvent.click(within(beside).getByText('Thought'));
  expect(thought?.open).toBe(true);
});

test('text streams, attempts are judged with what the policy changed, and the run ends', async () => {
  const { fake, screen } = await openRun();
  await begin(fake);
  fake.runs.emit({ step: 'delta', id: 1, text: 'Sure! Good <b>eve' });
  fake.runs.emit({ step: 'delta', id: 1, text: 'ning.' });
  expect(await screen.findByText('Sure! Good <b>evening.')).toBeTruthy();
  expect(screen.getByText('streaming')).toBeTruthy();
  const refused = attempt('', {
    changes: [
      { kind: 'removed', text: 'Sure! ' },
      { kind: 'same', text: 'Good evening.' },
    ],
    accepted: false,
    reason: 'too short: 13 < 20',
  });
  fake.runs.emit({ step: 'judged', id: 1, attempt: refused });
  const first = within(
    (await screen.findByText('too short: 13 < 20')).closest('article') as HTMLElement,
  );
  expect(first.getByText('Attempt 1')).toBeTruthy();
  expect(first.getByText('rejected')).toBeTruthy();
  expect(first.getByText('Sure!', { selector: 'del' })).toBeTruthy();
  fake.runs.emit({ step: 'delta', id: 1, text: 'Good evening, everyone.' });
  expect(screen.getByTitle('A run is in progress').closest('[role=tab]')?.textContent).toBe('Run');
  fake.runs.emit({ step: 'judged', id: 1, attempt: attempt('Good evening, everyone.') });
  fake.runs.emit({ step: 'ended', run: summary(1) });
  fake.runs.emit({ step: 'over', done: 1, problem: null });
  await screen.findByText('first token 310 ms, 42 tokens/s, 4 tokens');
  const articles = screen.getAllByRole('article');
  expect(articles.map((each) => within(each).getByRole('heading').textContent)).toEqual([
    'Attempt 2',
    'Attempt 1',
  ]);
  await expect.poll(() => screen.queryByText('Stop')).toBeNull();
  expect(screen.queryByTitle('A run is in progress')).toBeNull();
});

test('an answer that reads like the hit of Find is marked, and not as that hit', async () => {
  const { fake, screen } = await openRun();
  await begin(fake);
  fake.runs.emit({ step: 'delta', id: 1, text: 'Brisk.' });
  const field = screen.getByRole('textbox', { name: 'Find in deck' });
  field.focus();
  await fireEvent.input(field, { target: { value: 'brisk.' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => document.querySelector('[data-found]')).not.toBeNull();
  await expect.poll(() => highlighted('found-in-prompt')).toEqual(['Brisk.']);
  expect(highlighted('found-in-prompt-shown')).toEqual([]);
});

test('tool calls are shown while they arrive, until their attempt is judged', async () => {
  const { fake, screen } = await openRun();
  await begin(fake);
  fake.runs.emit({ step: 'calls', id: 1, calls: [{ name: 'look', arguments: '{"at' }] });
  expect(await screen.findByText('{"at')).toBeTruthy();
  expect(screen.getByText('streaming')).toBeTruthy();
  const calls = [{ name: 'look', arguments: '{"at":1}' }];
  const extracted = { channels: [], thinking: null, calls };
  fake.runs.emit({ step: 'judged', id: 1, attempt: attempt('', { changes: [], extracted }) });
  expect(await screen.findByText('{"at":1}')).toBeTruthy();
  expect(screen.queryByText('{"at')).toBeNull();
});

/** A server that is busy twice, as the service tells of it. */
const busy = (id: number, number: number, pause_ms: number) => ({
  step: 'retrying' as const,
  id,
  error: { code: 'rate_limited', message: 'http://localhost:11434/api/chat: too many requests' },
  number,
  most: 3,
  pause_ms,
});

test('a pause before a retry says which try follows, when, and why', async () => {
  const { fake, screen } = await openRun();
  await begin(fake);
  fake.runs.emit(busy(1, 2, 90_000));
  expect(await screen.findByText(/^try 2 of 3 in (90\.0|89\.\d) s$/)).toBeTruthy();
  expect(screen.getByText(/^Try 1 failed: .*too many requests$/)).toBeTruthy();
  expect(screen.queryByText('waiting')).toBeNull();
  fake.runs.emit(busy(1, 3, 0));
  expect(await screen.findByText('try 3 of 3')).toBeTruthy();
  expect(screen.getByText(/^Try 2 failed: /)).toBeTruthy();
  fake.runs.emit({ step: 'delta', id: 1, text: 'Good' });
  expect(await screen.findByText('streaming')).toBeTruthy();
  expect(screen.queryByText(/^try 3/)).toBeNull();
  fake.runs.emit({ step: 'judged', id: 1, attempt: attempt('Good evening.') });
  await screen.findByText('accepted');
  expect(screen.queryByText(/failed: /)).toBeNull();
});

test('runs side by side say which of them waits to try again', async () => {
  const { fake, screen } = await openRun();
  await fireEvent.click(screen.getByRole('button', { name: 'More seeds' }));
  await begin(fake);
  fake.runs.emit(busy(1, 2, 90_000));
  expect(await screen.findByText(/^try 2 of 3 in /)).toBeTruthy();
  expect(screen.getByText(/^Try 1 failed: .*too many requests$/)).toBeTruthy();
});

test('the number of seeds is typed, from one to its limit', async () => {
  const { fake, screen } = await openRun();
  const field = within(document.body).getByRole<HTMLInputElement>('spinbutton', {
    name: 'Seeds to run',
  });
  for (const words of ['0', '25', '2x']) {
    await fireEvent.input(field, { target: { value: words } });
    expect(field.getAttribute('aria-invalid'), words).toBe('true');
    expect(field.title).toBe('A whole number from 1 to 24');
  }
  // The beginning of 2x is no number that was meant.
  await fireEvent.input(field, { target: { value: '2' } });
  await fireEvent.input(field, { target: { value: '2x' } });
  await fireEvent.blur(field);
  expect(field.value).toBe('1');
  // One out of range becomes the nearest, and the field says which that is.
  await fireEvent.input(field, { target: { value: '200' } });
  expect(screen.getByText('at most 24').getAttribute('role')).toBe('status');
  await fireEvent.blur(field);
  expect([field.value, screen.queryByText('at most 24') === null]).toEqual(['24', false]);
  await fireEvent.input(field, { target: { value: '0' } });
  expect(screen.getByText('at least 1')).toBeTruthy();
  await fireEvent.blur(field);
  expect(field.value).toBe('1');
  await fireEvent.keyDown(field, { key: 'ArrowUp' });
  expect(screen.queryByText('at least 1')).toBeNull();
  await fireEvent.input(field, { target: { value: '24' } });
  expect(screen.getByRole('button', { name: 'More seeds' })).toHaveProperty('disabled', true);
  await fireEvent.keyDown(field, { key: 'ArrowDown' });
  expect(field.value).toBe('23');
  await begin(fake);
  expect(asked(fake, 'startRuns')).toEqual([['guides.json', { connection: null, seeds: 23 }]]);
});

test('Esc stops, and what arrived stays', async () => {
  const { fake, screen } = await openRun();
  await begin(fake);
  fake.runs.emit({ step: 'delta', id: 1, text: 'Half a' });
  await screen.findByText('Half a');
  key('Escape');
  await expect.poll(() => asked(fake, 'stopRuns')).toEqual([[1]]);
  const stopped = summary(1, {
    status: 'stopped',
    text: 'Half a',
    fault: { code: 'cancelled', message: 'stopped' },
  });
  fake.runs.emit({ step: 'ended', run: stopped });
  expect(await screen.findByText('interrupted')).toBeTruthy();
  expect(screen.getAllByText('Half a').length).toBeGreaterThan(0);
});

test('a run goes on while another registry is open, and can be stopped afterwards', async () => {
  const { fake, screen } = await openStudio({
    ...guides(),
    others: ['other.json'],
    runs: { runs: [], connections: [local] },
  });
  const open = (file: string) => openRegistry(screen, file);
  await begin(fake);
  fake.runs.emit({ step: 'delta', id: 1, text: 'Good ' });
  await open('other.json');
  fake.runs.emit({ step: 'delta', id: 1, text: 'evening' });
  await open('guides.json');
  await fireEvent.click(screen.getByRole('tab', { name: /^Run/ }));
  expect(await screen.findByText('Good evening')).toBeTruthy();
  key('Escape');
  await expect.poll(() => asked(fake, 'stopRuns')).toHaveLength(1);
});

test('a registry of the same name in another folder has runs of its own', async () => {
  const { fake, screen } = await openRun();
  await begin(fake);
  expect(screen.getByRole('button', { name: /^Stop/ })).toBeTruthy();
  fake.emit({ kind: 'folder_dropped', folder: '/ferries' });
  await expect.poll(() => asked(fake, 'openFolder')).toHaveLength(1);
  await expect.poll(() => screen.queryByRole('button', { name: /^Stop/ })).toBeNull();
  fake.runs.emit({ step: 'delta', id: 1, text: 'Good ' });
  await fireEvent.click(await screen.findByRole('tab', { name: /^Run/ }));
  expect(screen.queryByRole('button', { name: /^Stop/ })).toBeNull();
  fake.emit({ kind: 'folder_dropped', folder: '/registries' });
  await expect.poll(() => asked(fake, 'openFolder')).toHaveLength(2);
  await fireEvent.click(await screen.findByRole('tab', { name: /^Run/ }));
  expect(await screen.findByRole('button', { name: /^Stop/ })).toBeTruthy();
  expect(await screen.findByText('Good')).toBeTruthy();
});

test('a run goes on under the new name of its registry', async () => {
  const { fake, screen } = await openRun();
  fake.files.entries = [fake.files.entry('guides.json', 'Guides', 30)];
  await begin(fake);
  fake.runs.emit({ step: 'delta', id: 1, text: 'Good ' });
  await fireEvent.click(screen.getByRole('button', { name: /^Registry: / }));
  await expect.poll(() => document.querySelector('[data-file="guides.json"]')).toBeTruthy();
  document.querySelector<HTMLElement>('[data-file="guides.json"]')?.focus();
  key('F2');
  const field = await screen.findByRole('textbox', { name: /^New title of / });
  await fireEvent.input(field, { target: { value: 'Leaders' } });
  await fireEvent.keyDown(field, { key: 'Enter' });
  await screen.findByTitle('Registry leaders.json');
  const emit = (step: RunStep) =>
    fake.emit({ kind: 'run', document: 'leaders.json', batch: 1, step });
  emit({ step: 'delta', id: 1, text: 'evening' });
  expect(await screen.findByText('Good evening')).toBeTruthy();
  emit({ step: 'ended', run: summary(1, { text: 'Good evening to all.' }) });
  emit({ step: 'over', done: 1, problem: null });
  expect(await screen.findByRole('button', { name: /Good evening to all\./ })).toBeTruthy();
});

test('an answer that ends while a run is started does not end the run', async () => {
  const { fake, screen } = await openRun();
  let goOn: (() => void) | undefined;
  fake.held.set('startRuns', new Promise((resolve) => (goOn = resolve)));
  key('Enter', { ctrlKey: true });
  await expect.poll(() => asked(fake, 'startRuns')).toHaveLength(1);
  const of = (batch: number, step: RunStep) =>
    fake.emit({ kind: 'run', document: 'guides.json', batch, step });
  of(101, { step: 'over', done: 1, problem: null });
  of(1, { step: 'begun', run: summary(1, { status: 'running', text: '' }) });
  of(1, { step: 'delta', id: 1, text: 'Good evening' });
  goOn?.();
  expect(await screen.findByText('Good evening')).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Stop/ })).toBeTruthy();
  of(1, { step: 'over', done: 1, problem: null });
  await expect.poll(() => screen.queryByRole('button', { name: /^Stop/ })).toBeNull();
});

test('a stop before the service answered is not forgotten', async () => {
  const { fake } = await openRun();
  key('Enter', { ctrlKey: true });
  key('Escape');
  await expect.poll(() => asked(fake, 'stopRuns')).toEqual([[1]]);
});

test('a prompt that is too long is reported and nothing is run', async () => {
  const { fake, screen } = await openRun();
  key('Enter', { ctrlKey: true });
  await expect.poll(() => asked(fake, 'startRuns').length).toBe(1);
  const problem = { code: 'prompt_too_long', message: 'The prompt is too long; nothing was sent.' };
  fake.runs.emit({ step: 'over', done: 0, problem });
  expect(await screen.findByText(problem.message)).toBeTruthy();
});

test('several seeds are side by side with a progress bar and one stop button', async () => {
  const { fake, screen } = await openRun();
  for (let more = 1; more < 3; more += 1) {
    await fireEvent.click(screen.getByRole('button', { name: 'More seeds' }));
  }
  key('Enter', { ctrlKey: true });
  const wanted = ['guides.json', { connection: null, seeds: 3 }];
  await expect.poll(() => asked(fake, 'startRuns')).toEqual([wanted]);
  for (const id of [1, 2]) {
    const glance = { text: `tips Tip ${id}.`, detail: `personas tips:\n${id}: Tip ${id}.` };
    fake.runs.emit({ step: 'begun', run: summary(id, { seed: id, status: 'running', glance }) });
    fake.runs.emit({ step: 'judged', id, attempt: attempt(`Text ${String(id)}`) });
  }
  fake.runs.emit({ step: 'ended', run: summary(1, { seed: 1, text: 'Text 1' }) });
  const seeds = within(await screen.findByRole('list', { name: 'Seeds side by side' }));
  expect(seeds.getByText('tips Tip 2.').title).toBe('personas tips:\n2: Tip 2.');
  expect(seeds.getByText('Text 1')).toBeTruthy();
  expect(seeds.getByText('Text 2')).toBeTruthy();
  const bar = screen.getByRole('progressbar') as HTMLProgressElement;
  expect([bar.value, bar.max]).toEqual([1, 3]);
  await fireEvent.click(screen.getByRole('button', { name: /^Stop/ }));
  expect(asked(fake, 'stopRuns')).toEqual([[1]]);
});

test('a run of the history shows its request and is opened again as a state', async () => {
  const { fake, screen } = await openRun([detail(summary(5), [attempt('Good evening.')])]);
  const row = await screen.findByRole('button', { name: /Good evening\./ });
  await fireEvent.click(row);
  await fireEvent.click(await screen.findByRole('radio', { name: 'Request' }));
  expect(screen.getByText('POST http://localhost:11434/api/chat')).toBeTruthy();
  expect(screen.getByLabelText('Request').textContent).toContain('"model": "tiny"');
  await fireEvent.click(screen.getByRole('button', { name: 'Reopen' }));
  await expect.poll(() => asked(fake, 'reopenRun')).toEqual([['guides.json', 5]]);
});

test('a deleted run can be restored until its notice disappears', async () => {
  const { fake, screen } = await openRun([detail(summary(5), [attempt('Good evening.')])]);
  const remove = async () => {
    await fireEvent.click(await screen.findByRole('button', { name: /Good evening\./ }));
    await fireEvent.click(await screen.findByRole('button', { name: 'Run actions' }));
    await fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete from the history' }));
  };
  await remove();
  expect(screen.queryByRole('button', { name: /Good evening\./ })).toBeNull();
  await fireEvent.click(await screen.findByText('Undo'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await fireEvent.click(screen.getByRole('button', { name: /Good evening\./ }));
    await vi.waitFor(() => screen.getByRole('button', { name: 'Run actions' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Run actions' }));
    await fireEvent.click(screen.getByRole('menuitem', { name: 'Delete from the history' }));
    expect(asked(fake, 'forgetRun')).toEqual([]);
    vi.advanceTimersByTime(16_000);
    expect(asked(fake, 'forgetRun')).toEqual([[5]]);
  } finally {
    vi.useRealTimers();
  }
});

test('a connection is tried with its key, kept, and the key goes to the keyring only', async () => {
  const { fake, screen } = await openRun([], []);
  await fireEvent.click(await screen.findByRole('button', { name: 'Add a connection…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New connection' }));
  const type = (name: string, value: string) =>
    fireEvent.input(dialog.getByLabelText(name), { target: { value } });
  await type('Name', 'work');
  await type('Key', 'sk-planted');
  await fireEvent.click(dialog.getByRole('button', { name: 'Test' }));
  expect(await dialog.findByText('Connected. 1 model: tiny.')).toBeTruthy();
  expect(asked(fake, 'tryConnection')).toMatchObject([[{ name: 'work' }, null, 'sk-planted']]);
  expect(asked(fake, 'keepConnection')).toEqual([]);
  fake.failing.set('setKey', { code: 'no_keyring', message: 'no keyring; set WORK instead' });
  await fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('No keyring; set WORK instead')).toBeTruthy();
  await fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(asked(fake, 'setKey')).toEqual([
    ['work', 'sk-planted'],
    ['work', 'sk-planted'],
  ]);
  expect(JSON.stringify(asked(fake, 'keepConnection'))).not.toContain('sk-planted');
  expect(screen.getByRole('button', { name: /^Connection: / }).textContent).toContain('work');
});

test('the list of models comes when it is asked for and is searched', async () => {
  const { fake, screen } = await openRun();
  await fireEvent.click(screen.getByRole('button', { name: /^Connection: / }));
  await fireEvent.click(await screen.findByRole('option', { name: /local/ }));
  await fireEvent.click(await screen.findByRole('button', { name: /^Model(: |$)/ }));
  await fireEvent.click(screen.getByRole('button', { name: 'Fetch the list from the server' }));
  await screen.findByText('3 models');
  const field = screen.getByRole('textbox', { name: 'Find a model or type its name' });
  await fireEvent.input(field, { target: { value: 'llama' } });
  await fireEvent.click(screen.getByRole('option', { name: 'llama3.1:8b' }));
  await expect.poll(() => asked(fake, 'useModel')).toEqual([['local', 'llama3.1:8b']]);
});

test('axe finds nothing wrong in the tab', async () => {
  const { fake, screen } = await openRun([detail(summary(5), [attempt('Good evening.')])]);
  await begin(fake);
  fake.runs.emit({ step: 'judged', id: 1, attempt: attempt('Text') });
  await screen.findByText('Attempt 1 of 3');
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false } },
  });
  expect(
    violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(' | ')}`),
  ).toEqual([]);
});

test('the tab says what a run sends', async () => {
  const { screen } = await openRun();
  expect(screen.getByText('A single run sends the prompt alone.')).toBeTruthy();
});

test('an empty answer is no plain acceptance, and a call is no empty answer', async () => {
  const { fake, screen } = await openRun();
  await begin(fake);
  fake.runs.emit({ step: 'judged', id: 1, attempt: attempt('', { changes: [] }) });
  const note = await screen.findByText('accepted, empty');
  expect(note.classList.contains('warn')).toBe(true);
  const calls = [{ name: 'weather', arguments: '{"city":"Rome"}' }];
  const extracted = { channels: [], thinking: null, calls };
  fake.runs.emit({ step: 'judged', id: 1, attempt: attempt('', { changes: [], extracted }) });
  const second = await screen.findByText('weather');
  const within_ = within(second.closest('article') as HTMLElement);
  expect(within_.queryByText('The text is empty.')).toBeNull();
  expect(within_.getByText('accepted')).toBeTruthy();
});

test('the history names an empty answer', async () => {
  const empty = detail(summary(1, { text: '' }));
  const { screen } = await openRun([empty]);
  expect(await screen.findByText('accepted, empty')).toBeTruthy();
});
