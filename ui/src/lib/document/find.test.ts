import { expect, test } from 'vitest';
import type { JsonValue } from '../ipc';
import { applyAll } from './edit';
import { findHits, replaceEdits } from './find';
import { NAME } from './place';

const tree: JsonValue = {
  registry: {
    title: 'Dry Host',
    personas: {
      template_vars: ['venue'],
      template_var_defaults: { venue: 'the old mill' },
      items: [
        { id: 'dry', context: 'Dry and slow.', base_directives: ['Stay dry.', 'Be short.'] },
        { id: 'loud', fragments: [{ text: 'Loud.' }, { text: 'Dry after ten.' }] },
      ],
    },
    sentiment: { scale_template: 'Dryness {value}', items: [] },
    routes: { dry_run: { generation: { temperature: 0.6 } } },
    generation: { temperature: 0.9, model: 'dry-7b' },
    output_policy: { strip_patterns: ['^Dry:', '^Host:'] },
  },
};
const sections = ['sentiment', 'personas'];
const found = (words: string, route: string | null = null) =>
  findHits(tree, route, sections, words).map(({ place }) => place);

test('words are found in items, scale sentences, routes and settings, in the order of the deck', () => {
  expect(found('DRY')).toEqual([
    { section: 'sentiment', field: 'scale_template' },
    { section: 'personas', item: 0, field: NAME },
    { section: 'personas', item: 0, field: 'context' },
    { section: 'personas', item: 0, field: 'base_directives', entry: 0 },
    { section: 'personas', item: 1, field: 'fragments', fragment: 1 },
    { part: 'title' },
    { part: 'routes', route: 'dry_run' },
    { part: 'generation', field: 'model' },
    { part: 'output_policy', field: 'strip_patterns', entry: 0 },
  ]);
});

test('a variable is found by its name and by its default', () => {
  const place = { section: 'personas', field: 'template_vars', entry: 0 };
  expect(found('venue')).toEqual([place]);
  expect(found('mill')).toEqual([place]);
});

test('settings are those of the route in use, unset ones included', () => {
  expect(found('0.6')).toEqual([]);
  expect(found('0.6', 'dry_run')).toEqual([{ part: 'generation', field: 'temperature' }]);
  expect(found('max_length')).toEqual([{ part: 'output_policy', field: 'max_length' }]);
  expect(found('  ')).toEqual([]);
});

test('each occurrence is a hit, with its place in the text', () => {
  const texts: JsonValue = {
    registry: {
      host: {
        items: [
          { id: 'a', text: 'Dry, İ dry.' },
          { id: 'b', text: 'a.b' },
        ],
      },
    },
  };
  const matches = (words: string) =>
    findHits(texts, null, ['host'], words).map(({ match }) => match && [match.start, match.end]);
  expect(matches('dry')).toEqual([
    [0, 3],
    [7, 10],
  ]);
  // What means something in patterns is meant as it is.
  expect(matches('a.b')).toEqual([[0, 3]]);
  expect(matches('.*')).toEqual([]);
  expect(matches('dry ')).toEqual([]);
});

test('whole words and the same case are found when asked for', () => {
  const texts: JsonValue = {
    registry: {
      host: {
        items: [{ id: 'host', text: 'Host, hosts: (host) ghost host_2 höst Über über, uber.' }],
      },
    },
  };
  const matches = (words: string, wholeWords: boolean, matchCase: boolean) =>
    findHits(texts, null, ['host'], words, { wholeWords, matchCase }).map(
      ({ place, match }) => match?.start ?? place.field ?? place.section,
    );
  expect(matches('host', true, false)).toEqual(['host', NAME, 0, 14]);
  expect(matches('host', true, true)).toEqual(['host', NAME, 14]);
  expect(matches('Host', false, true)).toEqual([0]);
  // Another character than one of a word at an edge is its own boundary.
  expect(matches('(host', true, true)).toEqual([13]);
  expect(matches('st)', true, true)).toEqual([]);
  expect(matches('über', true, true)).toEqual([43]);
});

test('the fields of an item that name others are not replaced', () => {
  const fields = ['include_sections', 'runtime_variables', 'requires', 'excludes'];
  const names = Object.fromEntries(fields.map((field) => [field, ['weather', 'weather.rain']]));
  const texts: JsonValue = {
    registry: { desk: { items: [{ id: 'a', text: 'weather', ...names }] } },
  };
  const hits = findHits(texts, null, ['desk'], 'weather');
  const replaceable = hits.filter(({ match }) => match?.inName === false);
  expect(hits).toHaveLength(9);
  expect(replaceable.map(({ place }) => place.field)).toEqual(['text']);
});

test('matches are replaced text by text, and those in names of variables are known', () => {
  const texts: JsonValue = {
    registry: {
      host: {
        template_vars: ['guest'],
        template_var_defaults: { guest: 'a guest' },
        items: [
          { id: 'guest', text: 'The guest is {guest}, a guest.', tips: ['No guest.', 'None.'] },
          { id: 'b', fragments: [{ if_var: 'guest', text: 'Guest {guest_2}!' }] },
        ],
      },
    },
  };
  const hits = findHits(texts, null, ['host'], 'guest');
  const matches = hits.flatMap(({ match }) => match ?? []);
  expect(matches.filter(({ inName }) => inName)).toMatchObject([{ start: 14, end: 19 }]);
  const edits = replaceEdits(
    texts,
    matches.filter(({ inName }) => !inName),
    'visitor',
  );
  const { registry } = applyAll(texts, edits) as { registry: { host: JsonValue } };
  expect(registry.host).toEqual({
    template_vars: ['guest'],
    template_var_defaults: { guest: 'a visitor' },
    items: [
      { id: 'guest', text: 'The visitor is {guest}, a visitor.', tips: ['No visitor.', 'None.'] },
      { id: 'b', fragments: [{ if_var: 'guest', text: 'visitor {visitor_2}!' }] },
    ],
  });
  expect(edits).toHaveLength(4);
  expect(replaceEdits(texts, matches, 'guest')).toHaveLength(1);
});

test('a match that holds a whole variable is text, one within its braces is not', () => {
  const text = 'Answer {customer} politely, {{customer}}, {the customer} and {other}.';
  const variables = ['customer', 'the customer'];
  const texts: JsonValue = {
    registry: { desk: { template_vars: variables, items: [{ id: 'a', text }] } },
  };
  const inNames = (words: string) =>
    findHits(texts, null, ['desk'], words).flatMap(({ match }) => (match ? [match.inName] : []));
  expect(inNames('Answer {customer} politely')).toEqual([false]);
  expect(inNames('{customer} p')).toEqual([false]);
  expect(inNames('{{customer}}')).toEqual([false]);
  expect(inNames('{customer}')).toEqual([true, true]);
  expect(inNames('customer')).toEqual([true, true, true]);
  expect(inNames('Answer {cust')).toEqual([true]);
  expect(inNames('mer} politely')).toEqual([true]);
  expect(inNames('customer} and {other}')).toEqual([true]);
  expect(inNames('{other}')).toEqual([false]);
  const [hit] = findHits(texts, null, ['desk'], 'Answer {customer} politely');
  const edits = replaceEdits(texts, hit?.match ? [hit.match] : [], 'Help {customer}');
  const after = applyAll(texts, edits) as { registry: { desk: { items: { text: string }[] } } };
  expect(after.registry.desk.items[0]?.text).toBe(text.replace(/^.*? politely/, 'Help {customer}'));
});

test.each(['dry-7', '-', '.', '(a|b)', '\\d', '[x]', '/', '$&'])(
  '%j is found as it is written',
  (words) => {
    const deck: JsonValue = {
      registry: { title: `Before ${words} after`, generation: { model: 'aaa' } },
    };
    for (const wholeWords of [false, true]) {
      for (const matchCase of [false, true]) {
        const hits = findHits(deck, null, [], words, { wholeWords, matchCase });
        expect(hits.map(({ match }) => match)).toEqual([
          { path: ['registry', 'title'], start: 7, end: 7 + words.length, inName: false },
        ]);
      }
    }
  },
);

test('of millions of matches in a text, no more are looked for than are listed', () => {
  const items = [{ id: 'long', text: 'a '.repeat(5_000_000) }];
  const from = performance.now();
  const hits = findHits({ registry: { part: { items } } }, null, ['part'], 'a');
  // All of them take some two seconds.
  expect(performance.now() - from).toBeLessThan(500);
  expect(hits).toHaveLength(10_000);
});
