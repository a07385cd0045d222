// Who is woken by what: a keystroke must not ask the whole page whether it is out of date.
import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import type { DiagnosticNote, Edit, JsonValue, Preview, PreviewPatch } from '../ipc';
import { FakeBackend } from '../../testing/fake-backend';
import { DeckState } from './deck.svelte';
import { PreviewState } from './preview.svelte';

const none = { head: 0, middle: [], tail: 0 };
const patch = (number: number, more: Partial<PreviewPatch> = {}): PreviewPatch => ({
  number,
  base: number === 0 ? null : number - 1,
  segments: none,
  sections: none,
  tokens: none,
  unprinted: none,
  rolled: [],
  characters: 0,
  micros: 0,
  problem: null,
  unrendered: null,
  ...more,
});

/** Counts how often something that is shown is drawn again. */
function drawn(show: () => unknown): () => number {
  let times = 0;
  $effect.root(() => {
    $effect(() => {
      show();
      times += 1;
    });
  });
  flushSync();
  return () => {
    flushSync();
    return times;
  };
}

async function deckOf() {
  const registry = {
    assembly_order: ['one', 'two', 'three'],
    one: { items: [{ id: 'a', text: 'x' }] },
    two: { items: [{ id: 'b', text: 'y' }] },
  };
  const fake = new FakeBackend({
    file: 'one.json',
    tree: { registry, state: { sliders: { one: 3 } }, route: null, seed: 1 },
    preview: () => patch(0),
  });
  const opened = await fake.backend.open('one.json');
  const ports = { backend: fake.backend, preview: new PreviewState(), onError: vi.fn() };
  return new DeckState(opened, ports);
}

const set = (path: (string | number)[], value: JsonValue): Edit[] => [{ kind: 'set', path, value }];

test('a text that is typed draws its own section again and nothing else', async () => {
  const deck = await deckOf();
  const sectionUpdates = drawn(() => deck.section('one'));
  const others = drawn(() => [
    deck.section('two'),
    deck.state,
    deck.names,
    deck.tokens,
    deck.tokensPath,
    deck.sectionOfToken('one.text'),
  ]);
  deck.edit('typed', set(['registry', 'one', 'items', 0, 'text'], 'xy'));
  expect([sectionUpdates(), others()]).toEqual([2, 1]);
  expect(deck.section('one')?.items[0]?.value.text).toBe('xy');
});

test('what a token leads to follows the sections there are', async () => {
  const deck = await deckOf();
  const led: unknown[] = [];
  const values: unknown[] = [];
  drawn(() => led.push(deck.sectionOfToken('three')));
  drawn(() => values.push(deck.section('three')?.name));
  deck.edit('added', set(['registry', 'three'], { items: [] }));
  flushSync();
  deck.edit('deleted', [{ kind: 'remove', path: ['registry', 'three'] }]);
  flushSync();
  expect(led).toEqual([undefined, 'three', undefined]);
  expect(values).toEqual([undefined, 'three', undefined]);
});

test('a preview that says the same of sections and tokens draws none of them again', () => {
  const preview = new PreviewState();
  preview.applyPatch(patch(0));
  const times = drawn(() => [preview.bySection, preview.rolled, preview.tokens, preview.problem]);
  preview.applyPatch(patch(1, { segments: { head: 0, middle: [{ text: 'x' }], tail: 0 } }));
  expect(times()).toBe(1);
  const problem = { code: 'broken', message: 'It broke.' };
  preview.applyPatch(patch(2, { problem }));
  expect([times(), preview.problem?.message]).toEqual([2, 'It broke.']);
});

test('lint without errors updates no card, and an error updates its section', () => {
  const preview = new PreviewState();
  const note = (severity: DiagnosticNote['severity']): DiagnosticNote => ({
    code: 'some',
    severity,
    message: severity,
    pointer: '/one/items/0',
    also: [],
    data: {},
    line: null,
    column: null,
  });
  const faults: (string | undefined)[] = [];
  const times = drawn(() => faults.push(preview.faultsOf.get('one')));
  preview.applyLint([note('warning')]);
  expect([times(), preview.diagnostics.length]).toEqual([1, 1]);
  preview.applyLint([note('error')]);
  flushSync();
  preview.applyLint([]);
  flushSync();
  expect(faults).toEqual([undefined, 'error', undefined]);
});

test('who asks whether a slider is printed looks through the prompt once for all', () => {
  let read = 0;
  const source = { token: 0, section: 'one', item: 0, item_name: 'a', field: 'scale' };
  const segment = {
    text: '3',
    get source() {
      read += 1;
      return source;
    },
    get pointer() {
      read += 1;
      return '/one/items/0/scale_emotion';
    },
  };
  const preview = new PreviewState();
  preview.current = { segments: [segment] } as unknown as Preview;
  const path = ['one', 'items', 0, 'scale_emotion'];
  const answers: boolean[][] = [];
  for (let asked = 0; asked < 3; asked += 1) {
    drawn(() => answers.push([preview.printsScale('one'), preview.prints(path)]));
  }
  expect(answers).toEqual([
    [true, true],
    [true, true],
    [true, true],
  ]);
  expect(read).toBe(2);
  expect([preview.printsScale('two'), preview.prints(['one'])]).toEqual([false, false]);
});
