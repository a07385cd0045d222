// What the window answers to an edit, and what the page makes of it.
import { clearMocks, mockIPC } from '@tauri-apps/api/mocks';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { apply } from './edit-protocol';
import type { EditGroup } from './generated';

const group: EditGroup = { base: 3, edits: [], label: 'Type', burst: null };

/** The window's answers: a status and a body, or nothing when it may not be asked. */
let answers: ([number, string] | null)[];
let sent: { method: string; address: string; waits: boolean; body: string }[];
let commands: [string, unknown][];

class Request {
  status = 0;
  responseText = '';
  #asked = { method: '', address: '', waits: false };

  open(method: string, address: string, later: boolean): void {
    this.#asked = { method, address, waits: !later };
  }

  send(body: string): void {
    sent.push({ ...this.#asked, body });
    const answer = answers.shift();
    if (!answer) throw new DOMException('refused', 'NetworkError');
    [this.status, this.responseText] = answer;
  }
}

beforeEach(() => {
  sent = [];
  commands = [];
  vi.stubGlobal('XMLHttpRequest', Request);
  mockIPC((command, args) => {
    commands.push([command, args]);
    return `from ${command}`;
  });
  Object.assign(window, {
    __TAURI_INTERNALS__: {
      ...(window as unknown as { __TAURI_INTERNALS__: object }).__TAURI_INTERNALS__,
      convertFileSrc: (path: string, scheme: string) => `${scheme}://localhost/${path}`,
    },
  });
});

afterEach(() => {
  clearMocks();
  vi.unstubAllGlobals();
});

it('waits for the change', () => {
  answers = [[200, '{"base":3}']];
  expect(apply('a.json', group)).toEqual({ base: 3 });
  expect(sent).toEqual([
    {
      method: 'POST',
      address: 'edit://localhost/apply',
      waits: true,
      body: JSON.stringify({ document: 'a.json', group }),
    },
  ]);
  expect(commands).toEqual([]);
});

it('throws the failure', () => {
  answers = [[422, '{"code":"bad_edit","message":"no"}']];
  let thrown: unknown;
  try {
    void apply('a.json', group);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toEqual({ code: 'bad_edit', message: 'no' });
  expect(commands).toEqual([]);
});

it('redeems the ticket of an edit that takes longer', async () => {
  answers = [[202, '7']];
  expect(await apply('a.json', group)).toBe('from applied');
  expect(commands).toEqual([['applied', { ticket: 7 }]]);
});

it.each([
  ['refused', [403, 'null'] as [number, string]],
  ['not heard', null],
  ['answered by something else', [200, '<html>'] as [number, string]],
])('asks by a command when it is %s', async (_, answer) => {
  answers = [answer];
  expect(await apply('a.json', group)).toBe('from apply');
  expect(commands).toEqual([['apply', { document: 'a.json', group }]]);
});
