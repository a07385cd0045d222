// Figures and moments as the page writes them.
import { expect, test } from 'vitest';
import { formatNumber, formatTime } from './number-format';

test.each([
  0, 7, 999, 1000, 12_345, 999_999, 1_234_567, -1, -123, -1234, -123_456, 9_007_199_254_740_991,
  0.5, 1234.5678,
])('%d is written as English readers do', (value) => {
  expect(formatNumber(value)).toBe(new Intl.NumberFormat('en').format(value));
});

test.each([
  [0, 5],
  [9, 30],
  [23, 59],
])('%d:%d is a time of the day', (hours, minutes) => {
  const at = new Date(2026, 10, 25, hours, minutes, 59);
  const options = { hour: '2-digit', minute: '2-digit' } as const;
  expect(formatTime(at.getTime())).toBe(at.toLocaleTimeString('en-GB', options));
});
