// The window as a program's and not a page in a browser: its keys, menus, tooltips and what it says.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from './testing/guides';
import { key, openStudio } from './testing/studio';

test('the refusal of a locked seed goes when the seed is unlocked', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('button', { name: 'Lock seed' }));
  await screen.findByRole('button', { name: 'Unlock seed' });
  fake.failing.set('roll', { code: 'seed_locked', message: 'the seed is locked' });
  key('r', { ctrlKey: true });
  expect(await screen.findByText('The seed is locked', { exact: false })).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Unlock seed' }));
  await expect.poll(() => screen.queryByText('The seed is locked', { exact: false })).toBeNull();
});

test("Ctrl+A outside a field selects nothing; in a field it is the field's", async () => {
  const { screen } = await openStudio(guides());
  const select = (target: Element) =>
    fireEvent.keyDown(target, { key: 'a', ctrlKey: true, cancelable: true });
  expect(await select(document.body)).toBe(false);
  expect(await select(screen.getByRole('textbox', { name: 'Seed' }))).toBe(true);
  key('i', { ctrlKey: true });
  const dialog = await screen.findByRole('dialog', { name: 'New registry' });
  expect(await select(dialog)).toBe(false);
  expect(await select(within(dialog).getByRole('textbox', { name: 'Prompt' }))).toBe(true);
});

test("the browser's menu opens over fields and selected text alone", async () => {
  const { screen } = await openStudio(guides());
  const menu = (target: Element) => fireEvent.contextMenu(target);
  const heading = screen.getByRole('heading', { name: 'Deck' });
  expect(await menu(heading)).toBe(false);
  expect(await menu(screen.getByRole('textbox', { name: 'Seed' }))).toBe(true);
  getSelection()?.selectAllChildren(heading);
  expect(await menu(heading)).toBe(true);
  getSelection()?.removeAllRanges();
});

test('the window zooms by keys and by the wheel with Ctrl, at once and within bounds', async () => {
  const { fake, screen } = await openStudio(guides());
  const zoom = () =>
    fake.calls
      .filter(({ name }) => name === 'saveSettings')
      .map(({ args }) => (args[0] as { zoom: number }).zoom)
      .at(-1);
  key('+', { ctrlKey: true });
  expect(zoom()).toBe(110);
  // As a keyboard with a plus above the equals sign has it.
  key('+', { ctrlKey: true, shiftKey: true });
  expect(zoom()).toBe(125);
  key('-', { ctrlKey: true });
  expect(zoom()).toBe(110);
  const deck = screen.getByRole('heading', { name: 'Deck' });
  const turn = (ctrlKey: boolean) =>
    deck.dispatchEvent(
      // The WheelEvent of jsdom knows no Ctrl.
      Object.assign(new MouseEvent('wheel', { ctrlKey, bubbles: true, cancelable: true }), {
        deltaY: 10,
      }),
    );
  expect(turn(true)).toBe(false);
  expect(zoom()).toBe(100);
  expect(turn(false)).toBe(true);
  expect(zoom()).toBe(100);
  for (let press = 0; press < 20; press += 1) key('-', { ctrlKey: true });
  expect(zoom()).toBe(50);
  key('0', { ctrlKey: true });
  expect(zoom()).toBe(100);
});

test('the keys of the window rest while a menu is open', async () => {
  const { fake, screen } = await openStudio(guides());
  const rolls = () => fake.calls.filter(({ name }) => name === 'roll').length;
  await fireEvent.click(screen.getAllByRole('button', { name: /^Entry .* actions$/ })[0]!);
  await screen.findByRole('menu');
  key('r', { ctrlKey: true });
  expect(rolls()).toBe(0);
  key('Escape');
  await expect.poll(() => screen.queryByRole('menu')).toBeNull();
  key('r', { ctrlKey: true });
  await expect.poll(rolls).toBe(1);
});

test('a tooltip is withheld when its button was pressed and while a menu is open', async () => {
  const { screen } = await openStudio(guides());
  const roll = screen.getByRole('button', { name: 'Roll' });
  const words = roll.title;
  expect(words).not.toBe('');
  await fireEvent.pointerDown(roll);
  expect(roll.title).toBe('');
  await fireEvent.pointerLeave(roll);
  expect(roll.title).toBe(words);
  await fireEvent.click(screen.getAllByRole('button', { name: /^Entry .* actions$/ })[0]!);
  await screen.findByRole('menu');
  await fireEvent.pointerOver(roll);
  expect(roll.title).toBe('');
});

test('a tooltip that repeats fully visible text is not shown', async () => {
  await openStudio(guides());
  const label = document.createElement('span');
  label.textContent = label.title = 'wrong_answer';
  document.body.append(label);
  await fireEvent.pointerOver(label);
  expect(label.title).toBe('');
  await fireEvent.pointerLeave(label);
  Object.defineProperty(label, 'scrollWidth', { value: 200 });
  await fireEvent.pointerOver(label);
  expect(label.title).toBe('wrong_answer');
  label.remove();
});

test('the name of a snapshot gives way to what was changed since, and comes back', async () => {
  const { screen } = await openStudio(guides());
  const button = () => within(document.body).getByRole('button', { name: /^Snapshots/ });
  key('s', { ctrlKey: true, shiftKey: true });
  await expect.poll(() => button().textContent).toContain('Taken now');
  const seed = screen.getByRole('textbox', { name: 'Seed' });
  await fireEvent.input(seed, { target: { value: '99' } });
  await fireEvent.keyDown(seed, { key: 'Enter' });
  await expect.poll(() => button().textContent).toContain('Changed');
  key('z', { ctrlKey: true });
  await expect.poll(() => button().textContent).toContain('Taken now');
});

test('an error that nothing caught is said', async () => {
  const { screen } = await openStudio(guides());
  dispatchEvent(new ErrorEvent('error', { error: new Error('the first fault') }));
  dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop completed' }));
  const rejected = new Event('unhandledrejection');
  dispatchEvent(Object.assign(rejected, { reason: new Error('the second fault') }));
  expect(await screen.findByText(/A part of the window failed: the first fault/)).toBeTruthy();
  expect(await screen.findByText(/failed: the second fault/)).toBeTruthy();
  expect(screen.queryByText('ResizeObserver', { exact: false })).toBeNull();
});
