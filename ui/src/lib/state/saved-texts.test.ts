import { expect, test } from 'vitest';
import { SavedTexts } from './saved-texts';

test('texts are kept by their kind and name, and an empty one no longer', () => {
  let changes = 0;
  const texts = new SavedTexts({ 'next/': 'Hello', 'edit/1': 'Hi' }, () => (changes += 1));
  expect(texts.get('next', '')).toBe('Hello');
  texts.set('next', '', 'Hello');
  expect(changes).toBe(0);
  texts.set('next', '', '');
  texts.set('unread', 'a.json#["seed"]', '{');
  expect(changes).toBe(2);
  expect(texts.get('next', '')).toBeUndefined();
  expect(texts.saved).toEqual({ 'edit/1': 'Hi', 'unread/a.json#["seed"]': '{' });
});

test('those of a kind are listed, of one document too', () => {
  const saved = { 'unread/#[1]': 'a', 'unread/b.json#[1]': 'b', 'edit/1': 'c' };
  const texts = new SavedTexts(saved, () => undefined);
  expect(texts.list('unread', '#')).toEqual([['#[1]', 'a']]);
  expect(texts.list('unread')).toHaveLength(2);
  expect(texts.list('edit')).toEqual([['1', 'c']]);
});
