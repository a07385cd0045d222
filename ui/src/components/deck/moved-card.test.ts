// A moved card says that the prompt keeps its order, and one press moves the text too.
import { fireEvent } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, lastEdits, openStudio } from '../../testing/studio';

const LINE = /^The prompt still prints notes after personas/;

async function movedNotes() {
  const opened = await openStudio(guides());
  const { screen } = opened;
  screen.getByRole('button', { name: 'Collapse notes' }).focus();
  expect(screen.queryByText(LINE)).toBeNull();
  key('ArrowUp', { altKey: true });
  await tick();
  // It passed a section that nothing prints: there is nothing to say.
  expect(screen.queryByText(LINE)).toBeNull();
  screen.getByRole('button', { name: 'Collapse notes' }).focus();
  key('ArrowUp', { altKey: true });
  await screen.findAllByText(LINE);
  screen.getByRole('button', { name: 'Collapse notes' }).focus();
  return opened;
}

test('one press moves the entries of the card, and the line goes', async () => {
  const { fake, screen } = await movedNotes();
  await fireEvent.click(screen.getByRole('button', { name: 'Move its entry too' }));
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([{ kind: 'move', path: ['registry', 'assembly_order'], from: 2, to: 0 }]);
  await expect.poll(() => document.querySelector('.moved')).toBeNull();
  await expect
    .poll(() => document.activeElement?.getAttribute('aria-label'))
    .toBe('Collapse notes');
});

test('the order of the prompt can be kept', async () => {
  const { fake, screen } = await movedNotes();
  const asked = fake.calls.length;
  await fireEvent.click(screen.getByRole('button', { name: 'Keep the order of the prompt' }));
  await expect.poll(() => screen.queryByText(LINE)).toBeNull();
  expect(fake.calls.slice(asked).filter(({ name }) => name === 'apply')).toEqual([]);
});

test('undo of the move takes the line away', async () => {
  const { screen } = await movedNotes();
  key('z', { ctrlKey: true });
  await expect.poll(() => screen.queryByText(LINE)).toBeNull();
});

test('a card that prints where it is moved to says nothing', async () => {
  const { screen } = await movedNotes();
  key('ArrowDown', { altKey: true });
  await expect.poll(() => screen.queryByText(LINE)).toBeNull();
});

const FILE =
  /The new order is kept on this computer only: runtime_injections is a well-known section/;

test('a move that the file does not follow says so, until the cards stand as in the file', async () => {
  const { fake, screen } = await openStudio(guides());
  screen.getByRole('button', { name: 'Collapse notes' }).focus();
  key('ArrowUp', { altKey: true });
  await screen.findAllByText(FILE);
  screen.getByRole('button', { name: 'Collapse notes' }).focus();
  key('ArrowDown', { altKey: true });
  await expect.poll(() => screen.queryByText(FILE)).toBeNull();
  screen.getByRole('button', { name: 'Collapse notes' }).focus();
  key('ArrowUp', { altKey: true });
  await screen.findAllByText(FILE);
  const asked = fake.calls.length;
  await fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await expect.poll(() => screen.queryByText(FILE)).toBeNull();
  expect(fake.calls.slice(asked).filter(({ name }) => name === 'apply')).toEqual([]);
});
