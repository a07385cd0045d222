// Branches, siblings and open calls of a conversation.
import { expect, test } from 'vitest';
import { answer, turn } from '../../testing/fake-talk';
import { openCalls, resultsAfter, TalkTree } from './talk-tree';

const call = (id: string) => ({ id, name: 'look', arguments: '{}' });
const ids = (turns: { id: number }[]) => turns.map(({ id }) => id);

/** One question with two answers, the first of which goes on. */
const tree = new TalkTree([
  turn(1, null),
  answer(2, 1, 'One'),
  turn(3, 2),
  answer(4, 3, 'Two'),
  answer(5, 1, 'Three'),
]);

test('a branch leads from the first turn to its last', () => {
  expect(ids(tree.path(4))).toEqual([1, 2, 3, 4]);
  expect(ids(tree.path(5))).toEqual([1, 5]);
  expect(tree.path(null)).toEqual([]);
  expect(tree.path(99)).toEqual([]);
});

test('siblings follow the same turn, and the newest branch is the one that was made last', () => {
  expect(ids(tree.siblings(tree.get(5)!))).toEqual([2, 5]);
  expect(tree.newest(null)).toBe(5);
  expect(tree.newest(2)).toBe(4);
  expect(tree.branches.map(({ id }) => id)[0]).toBe(5);
  expect(tree.branches).toHaveLength(2);
  expect(new TalkTree().newest(null)).toBeNull();
});

test('a branch parts from the others at its first own turn', () => {
  expect(tree.parting(tree.get(4)!).id).toBe(2);
  expect(tree.parting(tree.get(5)!).id).toBe(5);
  const alone = new TalkTree([turn(1, null), answer(2, 1, 'One')]);
  expect(alone.parting(alone.get(2)!).id).toBe(2);
});

test('a turn that ends replaces the one that arrived', () => {
  const streaming = tree.with(answer(6, 5, '', { state: 'streaming' }));
  const ended = streaming.with(answer(6, 5, 'Done'));
  expect(ended.get(6)?.content).toBe('Done');
  expect(ended.ofRun(6)?.id).toBe(6);
  expect(ids(ended.path(6))).toEqual([1, 5, 6]);
});

test('a call is open until its result follows in the branch', () => {
  const asks = answer(2, 1, '', { calls: [call('a'), call('b')] });
  const result = turn(3, 2, { role: 'tool', answers: 'a', content: '1' });
  const path = [turn(1, null), asks, result];
  expect(openCalls(path)).toEqual({ asks, calls: [call('b')] });
  expect([...resultsAfter(path, asks).keys()]).toEqual(['a']);
  expect([...resultsAfter([result], null).keys()]).toEqual(['a']);
  expect(openCalls([turn(1, null)]).calls).toEqual([]);
});
