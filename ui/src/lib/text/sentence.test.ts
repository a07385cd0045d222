// Which messages begin with a capital letter when shown alone.
import { expect, test } from 'vitest';
import { sentence } from './sentence';

test.each([
  ['no connection is called "mock"', 'No connection is called "mock"'],
  ["can't be read: it is no JSON", "Can't be read: it is no JSON"],
  ['énorme', 'Énorme'],
  ['a', 'A'],
  ['unfinished, so far', 'Unfinished, so far'],
  ['stopped.', 'Stopped.'],
  ['Already so', 'Already so'],
  ['', ''],
  // These are spelled as they are.
  ['trivia_host.json can be read no more', 'trivia_host.json can be read no more'],
  ['personas.deadpan expects "venue"', 'personas.deadpan expects "venue"'],
  ['max_length must be a number', 'max_length must be a number'],
  ['seed: a number is expected', 'seed: a number is expected'],
  ['http://localhost does not answer', 'http://localhost does not answer'],
  ['{venu} is not declared', '{venu} is not declared'],
  ['"a" is taken', '"a" is taken'],
  ['404 Not Found', '404 Not Found'],
])('%s', (message, expected) => expect(sentence(message)).toBe(expected));

test('a name that begins a message keeps its spelling', () => {
  const message = 'rules of base_context has no value';
  expect(sentence(message, ['rules', 'base_context'])).toBe(message);
  expect(sentence(message, ['body'])).toBe('Rules of base_context has no value');
});
