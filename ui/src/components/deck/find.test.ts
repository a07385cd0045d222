// Find in the deck: what it leads to is marked and scrolled to, the field keeps the focus.
import { fireEvent, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, test, vi } from 'vitest';
import type { Scene } from '../../testing/fake-backend';
import { turn } from '../../testing/fake-talk';
import { guides } from '../../testing/guides';
import { highlighted } from '../../testing/highlights';
import { key, openStudio } from '../../testing/studio';
import { callScene } from '../../testing/talk';

const foundElement = () => document.querySelector<HTMLElement>('[data-found]');

const foundLabel = () => foundElement()?.getAttribute('aria-label');
const hits = () => document.querySelector('.hits')?.textContent.trim();

test('the first match is shown as it is typed, and the focus stays in the field', async () => {
  const scrolled: unknown[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function note(
    this: Element,
    options,
  ) {
    scrolled.push([this.getAttribute('aria-label'), options]);
  });
  const { screen } = await openStudio(guides());
  const field = screen.getByRole('textbox', { name: 'Find in deck' });
  field.focus();
  await fireEvent.input(field, { target: { value: 'listen' } });
  expect(hits()).toBe('1 of 1');
  await expect.poll(foundLabel).toBe('personas.calm.tips entry 3');
  expect(scrolled).toContainEqual(['personas.calm.tips entry 3', { block: 'center' }]);
  expect(document.activeElement).toBe(field);
});

test('a search begins at what had the focus, and Enter goes to the next match', async () => {
  const field = await openItem('personas.brisk');
  await fireEvent.input(field, { target: { value: 'brisk' } });
  const count = Number(/of (\d+)$/.exec(hits() ?? '')?.[1]);
  const first = Number(/^(\d+) of/.exec(hits() ?? '')?.[1]);
  expect(first).toBeGreaterThan(1);
  await expect.poll(() => foundElement()?.dataset.place).toContain('personas');
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(hits()).toBe(`${(first % count) + 1} of ${count}`);
});

test('what was opened for a match is closed again as other words are typed, or none', async () => {
  const { screen } = await openStudio(guides());
  const field = screen.getByRole('textbox', { name: 'Find in deck' });
  const editors = () => document.querySelectorAll('[data-place^="personas\u001f"]').length;
  const before = editors();
  field.focus();
  await fireEvent.input(field, { target: { value: 'listen' } });
  await expect.poll(foundLabel).toBe('personas.calm.tips entry 3');
  expect(editors()).toBeGreaterThan(before);
  await fireEvent.input(field, { target: { value: 'listenx' } });
  await expect.poll(editors).toBe(before);
  expect([hits(), foundElement()]).toEqual(['No matches', null]);
  await fireEvent.input(field, { target: { value: 'listen' } });
  await expect.poll(foundLabel).toBe('personas.calm.tips entry 3');
  await fireEvent.input(field, { target: { value: '' } });
  await expect.poll(editors).toBe(before);
});

test('Escape clears the words and selects the match, or goes back to what had the focus', async () => {
  const field = await openItem('personas.brisk');
  await fireEvent.input(field, { target: { value: 'listen' } });
  await expect.poll(foundLabel).toBe('personas.calm.tips entry 3');
  await fireEvent.keyDown(field, { key: 'Escape' });
  const label = () => document.activeElement?.getAttribute('aria-label');
  await expect.poll(label).toBe('personas.calm.tips entry 3');
  const { value, selectionStart, selectionEnd } = document.activeElement as HTMLTextAreaElement;
  expect(value.slice(selectionStart, selectionEnd)).toBe('Listen');
  expect([field.value, hits(), foundElement()?.dataset.found]).toEqual(['', undefined, undefined]);
  field.focus();
  await fireEvent.input(field, { target: { value: 'nowhere' } });
  await fireEvent.keyDown(field, { key: 'Escape' });
  await expect.poll(label).toBe('personas.calm.tips entry 3');
  expect(field.value).toBe('');
});

/** Opens an item, and goes to Find. */
async function openItem(item: string) {
  const { screen } = await openStudio(guides());
  key('k', { ctrlKey: true });
  const palette = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(palette, { target: { value: `@${item}` } });
  await fireEvent.keyDown(palette, { key: 'Enter' });
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toContain(item);
  const field = screen.getByRole('textbox', { name: 'Find in deck' }) as HTMLInputElement;
  field.focus();
  return field;
}

test('what is found is marked while it is typed, on the cards and in the prompt, until the focus leaves Find', async () => {
  const field = await openItem('personas.brisk');
  // Each name that is there costs every text that is painted.
  const names = () => [...CSS.highlights.keys()];
  expect(names()).toEqual([]);
  await fireEvent.input(field, { target: { value: 'BRISK.' } });
  await expect.poll(() => highlighted('found-on-cards')).toEqual(['Brisk.']);
  await expect.poll(() => highlighted('found-in-prompt')).toEqual(['Brisk.']);
  await expect.poll(() => highlighted('found-on-cards-shown')).toEqual(['Brisk.']);
  await expect.poll(() => highlighted('found-in-prompt-shown')).toEqual(['Brisk.']);
  expect(foundElement()?.dataset.found).toBe('words');
  field.blur();
  await expect.poll(names).toEqual([]);
  expect(foundElement()).toBeNull();
});

/** Looks for the words of the hit that the prompt prints, in a tab, and goes to it. */
async function findIn(tab: string, scene: Scene = guides()) {
  const { screen, fake } = await openStudio(scene);
  await fireEvent.click(screen.getByRole('tab', { name: tab }));
  const field = screen.getByRole('textbox', { name: 'Find in deck' });
  field.focus();
  await fireEvent.input(field, { target: { value: 'brisk.' } });
  return { screen, fake, field };
}

test('Chat marks what is found, and the print of the hit that is shown', async () => {
  const { field } = await findIn('Chat');
  await expect.poll(() => highlighted('found-in-prompt')).toEqual(['Brisk.']);
  await expect.poll(() => highlighted('found-in-prompt-shown')).toEqual(['Brisk.']);
  field.blur();
  await expect.poll(() => [...CSS.highlights.keys()]).toEqual([]);
});

test('Request marks it in the body', async () => {
  const scene = guides();
  const call = callScene(scene.file);
  call.request = { ...call.request, body: '{\n  "system": "Say: Brisk.\\nBrisk.\\n<b>Go.</b>"\n}' };
  const { screen, field } = await findIn('Request', { ...scene, call });
  await fireEvent.click(await screen.findByRole('radio', { name: 'Body' }));
  field.focus();
  await expect.poll(() => highlighted('found-in-prompt')).toEqual(['Brisk.', 'Brisk.']);
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => highlighted('found-in-prompt-shown')).toEqual(['Brisk.']);
});

test('Run unfolds the prompt to show the hit', async () => {
  const { screen, fake, field } = await findIn('Run', {
    ...guides(),
    turns: [turn(1, null, { content: 'Brisk.' })],
  });
  const fold = await screen.findByRole('button', { name: /^system/ });
  await expect.poll(() => fold.getAttribute('aria-expanded')).toBe('true');
  await expect.poll(() => highlighted('found-in-prompt-shown')).toEqual(['Brisk.']);
  // A turn that reads as a line of the prompt prints no hit, also where the prompt is folded.
  await fireEvent.click(fold);
  await expect.poll(() => highlighted('found-in-prompt')).toEqual(['Brisk.']);
  expect(highlighted('found-in-prompt-shown')).toEqual([]);
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => highlighted('found-in-prompt-shown')).toEqual(['Brisk.']);
  // Folded by hand it stays so, whatever is evaluated anew, until Find goes on.
  await fireEvent.click(fold);
  key('r', { ctrlKey: true });
  await expect.poll(() => fake.calls.filter(({ name }) => name === 'roll').length).toBe(1);
  await tick();
  expect(fold.getAttribute('aria-expanded')).toBe('false');
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => fold.getAttribute('aria-expanded')).toBe('true');
});

test('the name of a section that is found is marked in the head of its card', async () => {
  const { screen } = await openStudio(guides());
  const field = screen.getByRole('textbox', { name: 'Find in deck' });
  field.focus();
  await fireEvent.input(field, { target: { value: 'person' } });
  await expect.poll(() => highlighted('found-on-cards')).toEqual(['person']);
  await expect.poll(() => highlighted('found-on-cards-shown')).toEqual(['person']);
  expect(foundElement()?.dataset.card).toBe('personas');
  field.blur();
  await expect.poll(() => highlighted('found-on-cards')).toEqual([]);
});

test('a field of one line that is found is marked as a whole', async () => {
  const field = await openItem('personas.calm');
  await fireEvent.input(field, { target: { value: 'calm' } });
  const marked = () =>
    [...document.querySelectorAll<HTMLInputElement>('[data-holds-found]')].map(
      ({ value }) => value,
    );
  await expect.poll(marked).toContain('calm');
  await fireEvent.keyDown(field, { key: 'Escape' });
  await expect.poll(marked).toEqual([]);
});

/** A deck with one long section, every item of which holds the word "wait" so many times. */
function longDeck(items: number, times: number): Scene {
  const text = 'Wait. '.repeat(times);
  const notes = { items: Array.from({ length: items }, (_, n) => ({ id: `n${n}`, text })) };
  const registry = { assembly_order: ['notes.text'], notes };
  return guides({ tree: { registry, state: {}, route: null, seed: 7 } });
}

test('a long deck is searched in slices, and wholly before a hit is gone to', async () => {
  const { screen } = await openStudio(longDeck(100, 1));
  const field = screen.getByRole('textbox', { name: 'Find in deck' });
  const words = () => document.querySelector('.hits')?.textContent.trim();
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  await fireEvent.input(field, { target: { value: 'wait' } });
  expect(words()).toMatch(/^\d\d matches so far$/);
  await expect.poll(words).toBe('1 of 100');
  await fireEvent.input(field, { target: { value: 'wait.' } });
  expect(words()).toMatch(/so far$/);
  await fireEvent.keyDown(field, { key: 'Enter', shiftKey: true });
  await expect.poll(words).toBe('100 of 100');
  clock.mockRestore();
});

test('a long list of items is opened by Enter, not while words are typed', async () => {
  const { screen } = await openStudio(longDeck(400, 1));
  const field = screen.getByRole('textbox', { name: 'Find in deck' });
  const items = () => document.querySelectorAll('[data-place^="notes\u001f"]').length;
  const before = items();
  await fireEvent.input(field, { target: { value: 'wait' } });
  await expect.poll(hits).toBe('1 of 400');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([items(), foundElement()]).toEqual([before, null]);
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(foundLabel).toBe('notes.n0.text');
  expect(hits()).toBe('1 of 400');
});

test('of more matches than are listed, the first are named as such', async () => {
  const { screen } = await openStudio(longDeck(1, 10_001));
  key('h', { ctrlKey: true });
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Find in deck');
  await fireEvent.input(document.activeElement!, { target: { value: 'wait' } });
  await expect
    .poll(() => document.querySelector('.hits')?.textContent.trim())
    .toBe('1 of the first 10,000');
  screen.getByRole('button', { name: 'Replace the first 10,000' });
});

/** Opens the replace bar by its key, with words to look for and to put in their place. */
async function openReplace(words: string, replacement: string) {
  const opened = await openStudio(guides());
  const { screen } = opened;
  key('h', { ctrlKey: true });
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Find in deck');
  await fireEvent.input(document.activeElement!, { target: { value: words } });
  const field = screen.getByRole('textbox', { name: 'Replace with' });
  field.focus();
  await fireEvent.input(field, { target: { value: replacement } });
  return { ...opened, field };
}

test('all matches are replaced in one step', async () => {
  const { fake, screen } = await openReplace('listen', 'Look');
  await fireEvent.click(screen.getByRole('button', { name: /^Replace all/ }));
  await expect.poll(() => fake.revision).toBe(1);
  expect(JSON.stringify(fake.tree)).not.toMatch(/listen/i);
  const announcement = await screen.findByText(/^Replaced 1 match in 1 text/);
  (document.activeElement as HTMLElement).blur();
  key('z', { ctrlKey: true });
  await expect.poll(() => JSON.stringify(fake.tree)).toMatch(/listen/i);
  await expect.poll(() => announcement.isConnected).toBe(false);
});

test('Ctrl+Z in the field takes back a replacement, and what was typed there since', async () => {
  const { fake, field } = await openReplace('listen', 'Look');
  const execCommand = vi.fn();
  // Happy-dom has none.
  Object.assign(document, { execCommand });
  await expect.poll(foundElement).not.toBeNull();
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(() => JSON.stringify(fake.tree)).not.toMatch(/listen/i);
  key('z', { ctrlKey: true });
  await expect.poll(() => JSON.stringify(fake.tree)).toMatch(/listen/i);
  expect(execCommand).not.toHaveBeenCalled();
  await fireEvent.input(field, { target: { value: 'Lo' } });
  key('z', { ctrlKey: true });
  expect(execCommand).toHaveBeenCalledWith('undo');
  Reflect.deleteProperty(document, 'execCommand');
});

test('a button beside Find opens what replaces, and names its key', async () => {
  const { screen } = await openStudio(guides());
  const button = screen.getByRole('button', { name: 'Replace in deck' });
  expect(button.title).toBe('Replace in deck (Ctrl+H)');
  await fireEvent.click(button);
  await expect.poll(() => screen.queryByRole('textbox', { name: 'Replace with' })).not.toBeNull();
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Find in deck');
});

test('Tab goes from the words to what takes their place, then to the buttons', async () => {
  const { screen, field } = await openReplace('listen', 'Look');
  const find = screen.getByRole('textbox', { name: 'Find in deck' });
  const bar = screen.getByRole('toolbar', { name: 'Replace in deck' });
  const inOrder = [...bar.querySelectorAll<HTMLElement>('input, button')];
  expect(inOrder.slice(0, 2)).toEqual([find, field]);
  expect(inOrder.every(({ tabIndex }) => tabIndex === 0)).toBe(true);
});

test('Enter replaces the match that is shown and goes to the next, past what it put there', async () => {
  const { fake, field } = await openReplace('e', 'ee');
  await fireEvent.keyDown(field, { key: 'Enter' });
  expect(hits()).toMatch(/^1 of/);
  expect(fake.revision).toBe(0);
  await expect.poll(foundElement).not.toBeNull();
  await fireEvent.keyDown(field, { key: 'Enter' });
  await expect.poll(hits).toMatch(/^[23] of/);
});

test('Escape closes the bar, and the focus is in Find', async () => {
  const { field, screen } = await openReplace('listen', 'Look');
  await fireEvent.keyDown(field, { key: 'Escape' });
  expect(screen.queryByRole('textbox', { name: 'Replace with' })).toBeNull();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Find in deck');
});

test.each(['Replace', 'Replace all 1', 'Close replace', 'Match case'])(
  'Escape on %s closes the bar',
  async (name) => {
    const { screen } = await openReplace('listen', 'Look');
    await fireEvent.keyDown(screen.getByRole('button', { name }), { key: 'Escape' });
    expect(screen.queryByRole('textbox', { name: 'Replace with' })).toBeNull();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Find in deck');
  },
);

test('Escape in Find closes the bar and clears the words at once', async () => {
  const { screen } = await openReplace('listen', 'Look');
  const find = within(document.body).getByRole('textbox', { name: 'Find in deck' });
  await fireEvent.keyDown(find, { key: 'Escape' });
  expect(screen.queryByRole('textbox', { name: 'Replace with' })).toBeNull();
  const inHead = screen.getByRole('textbox', { name: 'Find in deck' }) as HTMLInputElement;
  expect(inHead.value).toBe('');
  expect(hits()).toBeUndefined();
});

/** Puts the conversation into the place of the deck, and Ctrl+F brings the deck back. */
async function leaveAndFind(screen: Awaited<ReturnType<typeof openStudio>>['screen']) {
  key('k', { ctrlKey: true });
  const palette = await screen.findByRole('combobox', { name: 'Commands' });
  await fireEvent.input(palette, { target: { value: 'Edit the conversation' } });
  await fireEvent.keyDown(palette, { key: 'Enter' });
  await expect.poll(() => screen.queryByLabelText('Find in deck')).toBeNull();
  key('f', { ctrlKey: true });
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Find in deck');
}

test('Ctrl+F brings the deck back where the conversation is in its place', async () => {
  const { screen } = await openStudio(guides());
  await leaveAndFind(screen);
});

test('whole words and the same case are chosen by keys and stay chosen', async () => {
  const { fake, field, screen } = await openReplace('list', 'Look');
  const isOn = (name: string) =>
    screen.getByRole('button', { name }).getAttribute('aria-pressed') === 'true';
  const find = () => screen.getByRole('textbox', { name: 'Find in deck' });
  expect(hits()).toBe('1 of 1');
  await fireEvent.keyDown(field, { key: 'w', altKey: true });
  expect(isOn('Whole words')).toBe(true);
  expect(hits()).toBe('No matches');
  await fireEvent.keyDown(find(), { key: 'c', altKey: true });
  await leaveAndFind(screen);
  expect([isOn('Whole words'), isOn('Match case')]).toEqual([true, true]);
  await fireEvent.input(find(), { target: { value: 'listen' } });
  expect(hits()).toBe('No matches');
  await fireEvent.click(screen.getByRole('button', { name: 'Match case' }));
  expect(hits()).toBe('1 of 1');
  await fireEvent.click(screen.getByRole('button', { name: 'Replace all 1' }));
  await expect.poll(() => fake.revision).toBe(1);
});
