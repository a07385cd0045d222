import { expect, test } from 'vitest';
import { TextHistory } from './text-history';

/** Types into a text at its end. */
function typed(history: TextHistory, text: string, words: string): string {
  for (const letter of words) {
    history.record(text, { start: text.length, end: text.length }, letter);
    text += letter;
  }
  return text;
}

test('words are undone and redone one by one', () => {
  const history = new TextHistory();
  const text = typed(history, '', 'One two');
  expect(history.undo(text)).toEqual({ text: 'One ', at: 4 });
  expect(history.undo('One ')).toEqual({ text: '', at: 0 });
  expect(history.undo('')).toBeUndefined();
  expect(history.redo('')).toEqual({ text: 'One ', at: 4 });
  expect(history.redo('One ')).toEqual({ text: 'One two', at: 7 });
  expect(history.redo('One two')).toBeUndefined();
});

test('letters that are deleted one by one come back as one, what was typed over as well', () => {
  const history = new TextHistory();
  let text = 'A long word.';
  for (let n = 0; n < 5; n += 1) {
    history.record(text, { start: text.length - 1, end: text.length }, '');
    text = text.slice(0, -1);
  }
  history.record(text, { start: 2, end: 6 }, 'short');
  expect(history.undo('A short ')).toEqual({ text: 'A long ', at: 6 });
  expect(history.undo('A long ')).toEqual({ text: 'A long word.', at: 12 });
});

test('a text that became another one meanwhile has nothing to undo', () => {
  const history = new TextHistory();
  typed(history, '', 'One');
  expect(history.undo('Another')).toBeUndefined();
  history.record('Another', { start: 0, end: 0 }, 'x');
  expect(history.undo('xAnother')).toEqual({ text: 'Another', at: 0 });
  expect(history.undo('Another')).toBeUndefined();
});
