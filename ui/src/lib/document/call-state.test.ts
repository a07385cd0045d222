// A deck takes over what a call document sets.
import { expect, test } from 'vitest';
import { takeSettings } from './call-state';

const deck = {
  registry: {},
  state: { selections: { a: 'x' }, sliders: { a: 3 } },
  route: 'short',
  seed: 5,
};
const call = { state: { selections: { a: 'y' } }, route: 'long', seed: 7 };
const set = (path: string[], value: unknown) => ({ kind: 'set', path, value });

test('only what is asked for is set, and a state as a whole', () => {
  expect(takeSettings(call, deck, ['seed', 'route'])).toEqual([
    set(['seed'], 7),
    set(['route'], 'long'),
  ]);
  expect(takeSettings(call, deck, ['state'])).toEqual([
    set(['state', 'selections'], { a: 'y' }),
    set(['state', 'sliders'], {}),
  ]);
});
