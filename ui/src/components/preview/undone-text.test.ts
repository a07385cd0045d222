// Undo while a text of the prompt is open: the caret goes to the text that it changes, and so does what is
// typed meanwhile.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { at } from '$lib/document/edit';
import { selectionIn } from '$lib/window/text-offsets';
import { caretTo, openText } from '../../testing/gap-prompt';
import { field, input, openSpot } from '../../testing/open-text';
import { key } from '../../testing/studio';

test('an undo that takes a variable out of another text goes on there', async () => {
  const { text } = await openText('Keep {mood quiet.');
  await openSpot('Keep');
  caretTo('Keep {mood'.length);
  input('insertText', '}');
  await expect.poll(text).toBe('Keep {mood} quiet.');
  await openSpot('Breathe.');
  key('z', { ctrlKey: true });
  await expect.poll(() => field()?.textContent).toBe('Keep {mood quiet.');
  expect(selectionIn(field()!)?.start).toBe('Keep {mood'.length);
});

test('an undo of a letter beyond the first 65,536 leads behind the one that it restores', async () => {
  const { text } = await openText('Tile \u{1F400}.');
  await openSpot('Tile');
  input('insertText', '\u{1F000}', { start: 5, end: 7 });
  await expect.poll(text).toBe('Tile \u{1F000}.');
  await openSpot('Breathe.');
  key('z', { ctrlKey: true });
  await expect.poll(() => field()?.textContent).toBe('Tile \u{1F400}.');
  expect(selectionIn(field()!)?.start).toBe(7);
});

test('an undo that changes nothing of the prompt leaves the caret', async () => {
  const { fake, screen } = await openText('Calm.');
  await openSpot('Calm.');
  caretTo(2);
  const seed = () => at(fake.tree, ['seed']);
  const seedField = screen.getByRole('textbox', { name: 'Seed' });
  await fireEvent.input(seedField, { target: { value: '8' } });
  await fireEvent.keyDown(seedField, { key: 'Enter' });
  await expect.poll(seed).toBe(8);
  key('z', { ctrlKey: true });
  await expect.poll(seed).toBe(7);
  await new Promise((resolve) => setTimeout(resolve));
  expect(selectionIn(field()!)).toEqual({ start: 2, end: 2 });
});

test('an undo beside a selection over several texts leads to what it changed', async () => {
  const { text } = await openText('Calm.');
  await openSpot('Calm.');
  caretTo(5);
  input('insertText', '!');
  await expect.poll(text).toBe('Calm.!');
  key('Escape');
  await expect.poll(field).toBeNull();
  const prompt = document.querySelector('[aria-label="Evaluated prompt"]')!;
  const [first, last] = [...prompt.querySelectorAll<HTMLElement>('[role=link]')];
  last!.focus();
  getSelection()!.setBaseAndExtent(first!, 0, last!, 0);
  key('z', { ctrlKey: true });
  await expect.poll(() => field()?.textContent).toBe('Calm.');
  expect(selectionIn(field()!)).toEqual({ start: 5, end: 5 });
});

test('what is typed while an undo is on its way goes to where that leads', async () => {
  const { fake, text } = await openText('Calm.');
  await openSpot('Calm.');
  caretTo(5);
  input('insertText', '!');
  await expect.poll(text).toBe('Calm.!');
  await openSpot('Breathe.');
  let arrive = (): void => undefined;
  fake.held.set('undo', new Promise((resolve) => (arrive = resolve)));
  key('z', { ctrlKey: true });
  input('insertText', '?');
  await new Promise((resolve) => setTimeout(resolve, 20));
  arrive();
  await expect.poll(text).toBe('Calm.?');
});
