// Modes as text, there and back.
import { expect, test } from 'vitest';
import { parseMode, writeMode } from './mode';

test.each(['all', 'none', 'index:3', 'indices:2,0', 'random:4'])(
  '%s is written as it was',
  (text) => {
    expect(writeMode(parseMode(text))).toBe(text);
  },
);
