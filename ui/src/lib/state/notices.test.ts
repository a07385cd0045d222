import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Notices } from './notices.svelte';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const offered = () => {
  const offer = { label: 'Undo', run: vi.fn(), lapse: vi.fn() };
  const notices = new Notices();
  notices.say('plain', 'Run deleted.', offer);
  return { notices, offer };
};

test('an unused offer expires with its line, once', () => {
  const { notices, offer } = offered();
  vi.advanceTimersByTime(14_000);
  expect(offer.lapse).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(notices.list).toEqual([]);
  expect(offer.lapse).toHaveBeenCalledTimes(1);
  expect(offer.run).not.toHaveBeenCalled();
});

test('an offer that was taken up never lapses', () => {
  const { notices, offer } = offered();
  notices.takeUp(notices.list[0]!.id);
  vi.advanceTimersByTime(60_000);
  expect(offer.run).toHaveBeenCalledTimes(1);
  expect(offer.lapse).not.toHaveBeenCalled();
});

test('a line that newer ones push out lapses too', () => {
  const { notices, offer } = offered();
  for (const words of ['one', 'two', 'three']) notices.say('plain', words);
  expect(notices.list.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  expect(offer.lapse).toHaveBeenCalledTimes(1);
});

test('lines under the pointer stay until it leaves', () => {
  const notices = new Notices();
  notices.say('plain', 'Saved.');
  notices.paused = true;
  vi.advanceTimersByTime(60_000);
  expect(notices.list).toHaveLength(1);
  notices.paused = false;
  vi.advanceTimersByTime(10_000);
  expect(notices.list).toEqual([]);
});

test('nothing to undo is a hint that goes, a fault stays', () => {
  const notices = new Notices();
  notices.fail({ code: 'nothing_to_do', message: 'there is nothing to undo' });
  expect(notices.list.map(({ tone, text }) => [tone, text])).toEqual([
    ['plain', 'There is nothing to undo'],
  ]);
  notices.fail({ code: 'io', message: 'the disk is full' });
  vi.advanceTimersByTime(3000);
  expect(notices.list.map(({ tone }) => tone)).toEqual(['danger']);
});

test('a question that a newer one overtook is no failure', () => {
  const notices = new Notices();
  notices.fail({ code: 'superseded', message: 'superseded by a newer request' });
  expect(notices.list).toEqual([]);
  notices.fail({ code: 'busy', message: 'too many calls' });
  expect(notices.list).toHaveLength(1);
});
