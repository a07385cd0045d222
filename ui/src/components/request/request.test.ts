// The Request tab over a fake service: blocks, cache view, body, history, and what they lead to.
import { cleanup, fireEvent, render, within } from '@testing-library/svelte';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import type { CallChange, DiagnosticNote } from '$lib/ipc';
import App from '../../App.svelte';
import { guides } from '../../testing/guides';
import { lastEdits, openStudio } from '../../testing/studio';
import { callScene } from '../../testing/talk';

async function openRequest(diagnostics: DiagnosticNote[] = []) {
  const scene = guides();
  const call = callScene(scene.file);
  call.request = { ...call.request, diagnostics };
  const { fake, screen } = await openStudio({ ...scene, call });
  await expect.poll(() => fake.calls.some(({ name }) => name === 'useCall')).toBe(true);
  await fireEvent.click(screen.getByRole('tab', { name: 'Request' }));
  await screen.findByRole('heading', { name: 'Layers' });
  return { fake, screen };
}

const orders = (fake: { calls: { name: string; args: unknown[] }[] }) =>
  fake.calls.filter(({ name }) => name === 'request').map(({ args }) => args[1]);

test('the blocks are stacked with what they hold, their sizes and whether they are kept', async () => {
  const { screen } = await openRequest();
  const rows = within(screen.getByRole('region', { name: 'Layers' })).getAllByRole('listitem');
  const words = rows.map((row) => row.textContent?.replace(/\s+/g, ' ').trim());
  expect(words).toEqual([
    '1 Static 1 role, session goal, 8 cached turns Rarely changes, so it can be cached. 6,480 1,482 tokens cacheable',
    '2 Dynamic 2 files, 3 todos, date and time Built anew for each call. 1,904 446 tokens per call',
    '3 Buffered 4 turns, 1 signature restored Recent turns that no cache holds yet. 886 208 tokens cacheable later',
    '4 Trigger User instruction, always last What the model answers now. 142 32 tokens not cacheable',
  ]);
});

test('the cache view names the first span that changed and why', async () => {
  const { screen } = await openRequest();
  const cache = within(screen.getByRole('region', { name: 'Cache view' }));
  expect(cache.getByText('Shared prefix 38 %')).toBeTruthy();
  expect(cache.getByText('was 69 %')).toBeTruthy();
  expect(cache.getByText('personas.context')).toBeTruthy();
  expect(cache.getByText('static, character 3,577')).toBeTruthy();
  expect(cache.getByText(/personas was rolled again: calm, then brisk\./)).toBeTruthy();
  expect(cache.getByText('Calm at the desk.').tagName).toBe('DEL');
  expect(cache.getByText('Brisk.').tagName).toBe('INS');
  expect(cache.getByText('Answer in one line.').className).toContain('diff');
});

test('what was rolled is locked from the cache view', async () => {
  const { fake, screen } = await openRequest();
  await fireEvent.click(screen.getByRole('button', { name: 'Lock brisk' }));
  await expect
    .poll(() => fake.calls.find(({ name }) => name === 'lock')?.args[1])
    .toEqual([{ kind: 'item', section: 'personas' }]);
});

test('a section that changes early is moved behind stable text', async () => {
  const { fake, screen } = await openRequest();
  await fireEvent.click(screen.getByRole('button', { name: 'Move personas after stable text' }));
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([
      {
        kind: 'set',
        path: ['registry', 'assembly_order'],
        value: ['notes', 'missing', 'personas.context', 'personas.tips'],
      },
    ]);
});

test('the field of the change is opened', async () => {
  const { screen } = await openRequest();
  await fireEvent.click(screen.getByRole('button', { name: 'Open field' }));
  await expect.poll(() => document.activeElement?.getAttribute('data-place')).toContain('personas');
  expect(screen.getByRole('heading', { name: 'Deck' })).toBeTruthy();
});

test('another receiver and another call are asked for', async () => {
  const { fake, screen } = await openRequest();
  await expect
    .poll(() => orders(fake).at(-1))
    .toEqual({ call: 'calls/talk.json', target: 'gemini', family: null });
  await fireEvent.click(screen.getByRole('button', { name: /^Target: / }));
  await fireEvent.click(await screen.findByRole('option', { name: 'Chat template' }));
  await expect
    .poll(() => orders(fake).at(-1))
    .toEqual({ call: 'calls/talk.json', target: 'chat_template', family: 'chatml' });
  await fireEvent.click(screen.getByRole('button', { name: /^Call: / }));
  await fireEvent.click(await screen.findByRole('option', { name: 'none, prompt only' }));
  await expect
    .poll(() => orders(fake).at(-1))
    .toEqual({ call: null, target: 'chat_template', family: 'chatml' });
});

test('the body of a chat template is its text', async () => {
  const { screen } = await openRequest();
  await fireEvent.click(screen.getByRole('radio', { name: 'Body' }));
  const body = () => screen.getByRole('region', { name: 'Body' }).textContent;
  await expect.poll(body).toContain('"contents": []');
  expect(screen.getByText(/The body as a Gemini server is sent it/)).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: /^Target: / }));
  await fireEvent.click(await screen.findByRole('option', { name: 'Chat template' }));
  await expect.poll(body).toBe('1<s>Say "hi"2now');
  expect(screen.getByText(/is sent this text as its prompt/)).toBeTruthy();
});

test.each([['Request'], ['Run']])(
  '%s names the settings of the call that are not used, and takes them over',
  async (tab) => {
    const scene = guides();
    const call = callScene(scene.file);
    call.tree = { ...(call.tree as object), seed: 7 };
    const { fake, screen } = await openStudio({ ...scene, call });
    fake.callSettings = ['seed'];
    await expect.poll(() => fake.calls.some(({ name }) => name === 'useCall')).toBe(true);
    await fireEvent.click(screen.getByRole('tab', { name: tab }));
    expect(await screen.findByText(/With the seed of the deck, not of the call/)).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Use those of the call' }));
    await expect.poll(() => lastEdits(fake)).toEqual([{ kind: 'set', path: ['seed'], value: 7 }]);
  },
);

test('a registry keeps the target that it was opened with', async () => {
  const scene = guides();
  const { fake } = await openStudio({ ...scene, call: callScene(scene.file) });
  await expect.poll(() => fake.views.get(scene.file)?.target).toBe('gemini');
});

test('body, cache and history have their own views', async () => {
  const { screen } = await openRequest();
  expect(screen.getByTitle(/^every tool call is followed by its response /).textContent).toBe(
    '5 messages, all four rules met',
  );
  await fireEvent.click(screen.getByRole('radio', { name: 'Body' }));
  expect(screen.getByRole('region', { name: 'Body' }).textContent).toContain('"contents": []');
  await fireEvent.click(screen.getByRole('radio', { name: 'Cache' }));
  expect(
    screen.getByText(
      'is rolled at character 0; moving it last makes 612 more characters cacheable',
    ),
  ).toBeTruthy();
  await fireEvent.click(screen.getByRole('radio', { name: 'History' }));
  const steps = screen.getByText('How it was built').closest('details');
  expect(steps?.open).toBe(false);
  expect(steps?.textContent).toContain('Arguments of the prompt');
  expect(document.body.textContent).not.toContain('prepare_prompt_arguments');
  expect(screen.getByText('5 messages, all four rules met')).toBeTruthy();
});

test('what a request is to be checked for stands above its layers, warnings first', async () => {
  const found = (severity: 'note' | 'warning', message: string): DiagnosticNote => ({
    ...{ code: 'tool_name', severity, message, pointer: '/tools/0', also: [], data: {} },
    ...{ line: null, column: null },
  });
  const { screen } = await openRequest([
    found('note', 'the name tone has no value'),
    found('warning', 'tool 0: providers refuse the name'),
  ]);
  const notes = await screen.findByRole('list', { name: 'Notes' });
  const layers = screen.getByRole('region', { name: 'Layers' });
  const { DOCUMENT_POSITION_FOLLOWING } = Node;
  expect(notes.compareDocumentPosition(layers) & DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  const words = [...notes.querySelectorAll('li')].map(({ textContent }) => textContent);
  expect(words).toEqual([
    'Warning Tool 0: providers refuse the name',
    'The name tone has no value',
  ]);
});

test('the tab has no accessibility faults', async () => {
  const { screen } = await openRequest();
  for (const pane of ['Layers', 'Body', 'Cache', 'History']) {
    await fireEvent.click(screen.getByRole('radio', { name: pane }));
    const { violations } = await axe.run(document.body, {
      rules: { 'color-contrast': { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  }
});

test('the choice of the call has the focus once a new one is made', async () => {
  const scene = guides();
  const call = { ...callScene(scene.file), made: 'calls/made.json' };
  const { fake, screen } = await openStudio({ ...scene, call });
  await fireEvent.click(screen.getByRole('tab', { name: 'Request' }));
  await fireEvent.click(await screen.findByRole('button', { name: 'New call document' }));
  const name = await screen.findByRole('textbox', { name: 'Name of the new call document' });
  await fireEvent.input(name, { target: { value: 'made' } });
  await fireEvent.keyDown(name, { key: 'Enter' });
  await expect.poll(() => fake.calls.some(({ name }) => name === 'newCall')).toBe(true);
  const choice = await screen.findByRole('button', { name: /^Call: / });
  await expect.poll(() => document.activeElement).toBe(choice);
});

test('a call of another registry is listed with its name', async () => {
  const scene = guides();
  const call = { ...callScene(scene.file), registry: 'ferries.json' };
  const { screen } = await openStudio({ ...scene, call });
  await fireEvent.click(screen.getByRole('tab', { name: 'Request' }));
  await fireEvent.click(await screen.findByRole('button', { name: /^Call: / }));
  expect(await screen.findByRole('option', { name: /A talk\s*of ferries\.json/ })).toBeTruthy();
});

test('the choice of no call is stored, and holds at the next start', async () => {
  const { fake, screen } = await openRequest();
  await fireEvent.click(screen.getByRole('button', { name: /^Call: / }));
  await fireEvent.click(await screen.findByRole('option', { name: 'none, prompt only' }));
  const stored = () => [...fake.views.values()].map(({ call }) => call);
  await expect.poll(stored).toEqual(['']);
  const count = (wanted: string) => fake.calls.filter(({ name }) => name === wanted).length;
  const [opened, listed] = [count('openCall'), count('calls')];
  screen.unmount();
  const again = render(App, { backend: fake.backend });
  await again.findByRole('heading', { name: 'Deck' });
  await expect.poll(() => count('calls')).toBe(listed + 1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(count('openCall')).toBe(opened);
});

test('a call document that follows its renamed registry says nothing of it, a changed file does', async () => {
  const { fake, screen } = await openRequest();
  const { document } = callScene(guides().file);
  const change = (base: number, name: string): CallChange => ({
    document,
    base,
    edits: [{ kind: 'set', path: ['registry'], value: name }],
    status: {
      revision: base + 1,
      modified: false,
      undo: null,
      redo: null,
      violations: [],
      parts: [],
    },
  });
  fake.emit({ kind: 'call_followed', change: change(0, 'b.json') });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByText(/it changed on disk/)).toBeNull();
  fake.emit({ kind: 'call_reloaded', change: change(1, 'c.json') });
  expect(await screen.findByText(/it changed on disk/)).toBeTruthy();
});

test('a call document that follows a renamed section says so', async () => {
  const { fake, screen } = await openRequest();
  const change: CallChange = {
    document: 'calls/unseen.json',
    base: 0,
    edits: [{ kind: 'set', path: ['route'], value: 'brief' }],
    status: { revision: 1, modified: true, undo: null, redo: null, violations: [], parts: [] },
  };
  fake.emit({ kind: 'call_followed', change });
  expect(await screen.findByText(/calls\/unseen.json follows: 1 name/)).toBeTruthy();
});

test('what a target and a view are is said in one sentence each', async () => {
  const { screen } = await openRequest();
  const help = screen.getByRole('note');
  expect(help.textContent).toMatch(/Gemini: what rarely changes .* Layers are its parts/s);
  await fireEvent.click(screen.getByRole('radio', { name: 'Body' }));
  await expect.poll(() => help.textContent).toContain('The body as a Gemini server is sent it');
});

test('the target that was chosen is there at the next start', async () => {
  const { fake, screen } = await openRequest();
  await fireEvent.click(screen.getByRole('button', { name: /^Target: / }));
  await fireEvent.click(await screen.findByRole('option', { name: 'Chat template' }));
  await expect.poll(() => fake.views.get('guides.json')?.target).toBe('chat_template');
  cleanup();
  const next = render(App, { backend: fake.backend });
  await fireEvent.click(await next.findByRole('tab', { name: 'Request' }));
  expect(await next.findByRole('button', { name: 'Target: Chat template' })).toBeTruthy();
  await expect.poll(() => orders(fake).at(-1)).toMatchObject({ target: 'chat_template' });
});
