// Where and why a typed text is no JSON yet.
import { expect, test } from 'vitest';
import { readJson } from './json-text';

test.each([
  ['{"a": [1, -0.5e-3, true, null, "\\u00e9\\n"]}', { a: [1, -0.0005, true, null, 'é\n'] }],
  [' "text" ', 'text'],
  ['{}', {}],
  ['[ ]', []],
  // The page had it so before it was typed.
  ['12345678901234567000', 12345678901234567000],
])('%s has a value', (words, value) => {
  expect(readJson(words)).toEqual({ value });
});

const begun = (container: string, line: number, column: number) => ({
  kind: 'ended',
  open: { container, line, column },
});

test.each([
  ['', 1, 1, { kind: 'empty' }],
  ['[1, 2', 1, 6, begun('list', 1, 1)],
  ['{"a": 1,\n "b": {', 2, 8, begun('object', 2, 7)],
  ['-', 1, 2, { kind: 'ended' }],
  ['["é😀" x]', 1, 7, { kind: 'expected', part: 'list_end', found: 'x' }],
  ['{"a" 1}', 1, 6, { kind: 'expected', part: 'colon', found: '1' }],
  ['{a: 1}', 1, 2, { kind: 'expected', part: 'key', found: 'a' }],
  ['{"a": 1,}', 1, 9, { kind: 'expected', part: 'key', found: '}' }],
  ['{"a": 1;}', 1, 8, { kind: 'expected', part: 'object_end', found: ';' }],
  ['[1,]', 1, 4, { kind: 'expected', part: 'value', found: ']' }],
  ['True', 1, 1, { kind: 'expected', part: 'value', found: 'T' }],
  ['[tru]', 1, 2, { kind: 'expected', part: 'word', found: 't' }],
  ['1.x', 1, 3, { kind: 'expected', part: 'digit', found: 'x' }],
  ['"\\x"', 1, 3, { kind: 'expected', part: 'escape', found: 'x' }],
  ['"\\u12"', 1, 4, { kind: 'expected', part: 'hex', found: '1' }],
  ['["a", "b', 1, 7, { kind: 'open_string' }],
  ['["a\nb"]', 1, 4, { kind: 'bare_control' }],
  ['Ann', 1, 1, { kind: 'expected', part: 'value', found: 'A' }],
  ['1 2', 1, 3, { kind: 'more' }],
  ['{"a": 1, "a": 2}', 1, 10, { kind: 'duplicate_key', key: 'a' }],
  ['[9007199254740993]', 1, 2, { kind: 'inexact', number: '9007199254740992' }],
  ['{"kg": 2.0}', 1, 8, { kind: 'reformed', words: '2.0', number: '2' }],
  ['1e3', 1, 1, { kind: 'reformed', words: '1e3', number: '1000' }],
  ['[-0.0]', 1, 2, { kind: 'reformed', words: '-0.0', number: '0' }],
  ['-0', 1, 1, { kind: 'reformed', words: '-0', number: '0' }],
  ['1e999', 1, 1, { kind: 'reformed', words: '1e999', number: 'null' }],
])('%s has none', (words, line, column, reason) => {
  expect(readJson(words)).toEqual({ fault: { line, column, ...reason } });
});

test('what is nested too deep for a value is refused', () => {
  expect(readJson('['.repeat(100_000))).toMatchObject({ fault: { kind: 'ended' } });
});
