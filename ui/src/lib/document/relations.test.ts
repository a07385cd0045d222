// What `requires` and `excludes` name and whether an evaluation keeps them.
import { expect, test } from 'vitest';
import type { SectionEvaluation } from '../ipc';
import { sectionOf } from './registry';
import { relationsOf, relationTargets, targetOf } from './relations';

const registry = {
  tone: { items: [{ id: 'calm' }, { id: 'loud' }] },
  'my.place': { items: [{ id: 'sea' }] },
  cast: {
    items: [{ id: 'host', requires: ['tone.calm', 'tone'], excludes: ['my.place.sea', 'ghosts'] }],
  },
};
const host: [string, string] = ['cast', 'host'];
const evaluated = (...used: [string, string][]) =>
  new Map(
    used.map(([section, name]) => [section, { used: [{ index: 0, name }] } as SectionEvaluation]),
  );

test.each([
  ['tone', { section: 'tone' }],
  ['tone.calm', { section: 'tone', item: 'calm' }],
  ['my.place', { section: 'my.place' }],
  ['my.place.sea', { section: 'my.place', item: 'sea' }],
  ['ghosts.x', { section: 'ghosts' }],
])('%s names %j', (entry, target) => {
  expect(targetOf(registry, entry)).toEqual(target);
});

test.each([
  ['nothing else in use', evaluated(host), [false, false, true, true]],
  ['the wanted tone', evaluated(host, ['tone', 'calm']), [true, true, true, true]],
  ['another tone', evaluated(host, ['tone', 'loud']), [false, true, true, true]],
  ['what is excluded', evaluated(host, ['my.place', 'sea']), [false, false, false, true]],
  ['another item rolled', evaluated(['my.place', 'sea']), [true, true, true, true]],
])('with %s', (_, used, met) => {
  const item = sectionOf(registry, 'cast')!.items[0]!;
  expect(relationsOf('cast', item, registry, used).map((each) => each.met)).toEqual(met);
});

test.each([
  ['', ['tone', 'my.place', 'cast']],
  ['calm', ['tone.calm']],
  ['tone', ['tone', 'tone.calm', 'tone.loud']],
  ['zzz', []],
])('%j is completed', (typed, tokens) => {
  expect(relationTargets(registry, typed).map(({ token }) => token)).toEqual(tokens);
});
