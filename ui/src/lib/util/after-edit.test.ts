import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterEdit, AFTER_EDIT, AFTER_EDITS, EditRhythm } from './after-edit';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Edits at these pauses, each followed by work; the number of times it ran after each. */
const runs = (pauses: number[]): number[] => {
  const rhythm = new EditRhythm();
  const work = vi.fn();
  let cancel: () => void = () => undefined;
  return pauses.map((pause) => {
    cancel();
    rhythm.edited();
    cancel = afterEdit(work, rhythm);
    vi.advanceTimersByTime(pause);
    return work.mock.calls.length;
  });
};

test('single edits are followed at once', () => {
  expect(runs([AFTER_EDIT, 1000, AFTER_EDIT - 1])).toEqual([1, 2, 2]);
});

test('edits that follow one another are followed when they pause', () => {
  const typed = [AFTER_EDIT - 1, 60, 140, 100, AFTER_EDITS - 1];
  expect(runs(typed)).toEqual([0, 0, 0, 0, 0]);
  expect(runs([...typed.slice(0, -1), AFTER_EDITS, AFTER_EDIT])).toEqual([0, 0, 0, 0, 1, 2]);
});

test('an earlier burst in another document delays nothing', () => {
  const [typed, selected] = [new EditRhythm(), new EditRhythm()];
  typed.edited();
  typed.edited();
  vi.advanceTimersByTime(1000);
  selected.edited();
  const work = vi.fn();
  afterEdit(work, typed, selected);
  vi.advanceTimersByTime(AFTER_EDIT);
  expect(work).toHaveBeenCalledOnce();
});
