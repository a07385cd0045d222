// Which rows of a coverage are shown, in which order, and what is chosen among them.
import { expect, test } from 'vitest';
import type { CoverageRow, CoverageSection } from '../ipc';
import { FakeProfiles } from '../../testing/fake-profile';
import { absentRows, coverageGroups, firstPair, isChosen, keyOf, rollsOf } from './profile';

const profile = new FakeProfiles().profile({ seed: 1, rolls: 400, budget: null, pair: null });
const { coverage } = profile;
const names = (rows: CoverageRow[]) => rows.map(({ name }) => name);

test('rare rows come first, common ones first on demand, or all in the order of the registry', () => {
  const rows = (order: 'rare' | 'common' | 'registry') =>
    coverageGroups(coverage, order).flatMap((group) => names(group.rows));
  expect(rows('rare')).toEqual(['calm.tips[0]', 'calm', 'brisk']);
  expect(rows('common')).toEqual(['brisk', 'calm', 'calm.tips[0]']);
  expect(rows('registry')).toEqual(['calm', 'calm.tips[0]', 'brisk']);
});

test('a text or an entry has a separate row only if it is printed less often than its item', () => {
  const [section] = coverage as [CoverageSection];
  const rows = section.rows.map((row) =>
    row.name === 'calm.context' ? { ...row, rolls: 40 } : row,
  );
  const [group] = coverageGroups([{ ...section, rows }], 'registry');
  expect(names(group?.rows ?? [])).toContain('calm.context');
  const all = coverageGroups(coverage, 'registry', true).flatMap((each) => names(each.rows));
  expect(all).toEqual(['calm', 'calm.context', 'calm.tips[0]', 'brisk']);
});

test('the positions of a slider share a row, those that no roll prints too', () => {
  const [group] = coverageGroups(coverage, 'rare');
  expect(group?.slider.length).toBe(10);
  const [section] = coverage as [CoverageSection];
  const silent = section.rows.map((row) => (row.kind.is === 'slider' ? { ...row, rolls: 0 } : row));
  expect(absentRows([{ ...section, rows: silent }]).map(({ row }) => row.name)).toEqual([
    'slider 1',
  ]);
});

test('an item that is never printed has one row for all its texts; unselected ones come last', () => {
  expect(absentRows(coverage).map(({ row }) => row.name)).toEqual(['long', 'short']);
});

test('a choice is found again in the next profile, or it is none', () => {
  expect(rollsOf({ by: 'bar', from: 41, to: 41 }, profile)).toBe(100);
  expect(rollsOf({ by: 'bar', from: 41, to: 42 }, profile)).toBeUndefined();
  const [section] = coverage as [CoverageSection];
  const calm = keyOf('personas', section.rows[0] as CoverageRow);
  const choice = { by: 'rows', rows: [calm], name: 'calm', rolls: 1 } as const;
  expect(rollsOf({ ...choice, rows: [calm] }, profile)).toBe(100);
  expect(isChosen({ ...choice, rows: [calm] }, [{ ...calm }])).toBe(true);
  expect(rollsOf({ ...choice, rows: [{ ...calm, item: 9 }] }, profile)).toBeUndefined();
});

test('pairs begin with two slots that are rolled', () => {
  expect(firstPair(coverage)).toEqual([
    { section: 'personas', slider: false },
    { section: 'personas', slider: true },
  ]);
  expect(firstPair(coverage.slice(1))).toBeUndefined();
});
