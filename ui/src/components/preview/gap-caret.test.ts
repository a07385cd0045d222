// The caret behind a variable without a value that was just written: what is typed next goes there.
import { expect, test } from 'vitest';
import { selectionIn } from '$lib/window/text-offsets';
import { caretTo, openText } from '../../testing/gap-prompt';
import { field, input, openSpot, paste, sent } from '../../testing/open-text';

test('behind a variable that was typed within a text the rest of it goes on', async () => {
  const { fake, text } = await openText('Keep {moodquiet.');
  await openSpot('Keep');
  caretTo('Keep {mood'.length);
  input('insertText', '}');
  await expect.poll(() => field()?.textContent).toBe('quiet.');
  expect(selectionIn(field()!)).toEqual({ start: 0, end: 0 });
  input('insertText', 'Y');
  await expect.poll(text).toBe('Keep {mood}Yquiet.');
  expect(sent(fake)).toHaveLength(2);
});

test('behind a variable that ends its text what is typed follows it', async () => {
  const { fake, text } = await openText('Keep ');
  await openSpot('Keep');
  caretTo('Keep '.length);
  paste('end {mood}');
  await expect.poll(text).toBe('Keep end {mood}');
  await expect.poll(() => field()?.textContent).toBe('');
  input('insertText', 'x');
  await expect.poll(() => sent(fake)).toHaveLength(2);
  expect(sent(fake)[1]).toEqual({ kind: 'beside', segment: 1, after: true, text: 'x' });
});

test('an emptied text goes on behind the variable that was pasted into it', async () => {
  const { fake, text } = await openText('Calm.');
  await openSpot('Calm.');
  getSelection()?.selectAllChildren(field()!);
  document.dispatchEvent(new Event('selectionchange'));
  input('deleteContentBackward');
  await expect.poll(() => field()?.textContent).toBe('');
  paste('Hi {mood}');
  await expect.poll(text).toBe('Hi {mood}');
  input('insertText', '!');
  await expect.poll(() => sent(fake).length).toBe(2);
  expect(sent(fake)[1]).toEqual({ kind: 'beside', segment: 1, after: true, text: '!' });
});
