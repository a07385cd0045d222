// The field on a card whose text is edited in the prompt.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import { guides } from '../../testing/guides';
import { field, input, openSpot, source } from '../../testing/open-text';
import { openStudio } from '../../testing/studio';

/** The field of the first tip on its card. */
const tip = () =>
  document.querySelector<HTMLTextAreaElement>('textarea[aria-label$="tips entry 1"]');

/** Opens the first tip in the prompt, with its field on the card; the frames that follow wait. */
async function openMirrored() {
  const scene = guides();
  let typed = '';
  const words = () => `Breathe.${typed}`;
  const { screen } = await openStudio({
    ...scene,
    editPrompt: ({ edit }) => {
      if (edit.kind === 'replace') typed += edit.text;
      const path = ['registry', 'personas', 'items', 0, 'tips', 0];
      return { edits: [{ kind: 'set', path, value: words() }], caret: words().length };
    },
    preview: (tree) => {
      const middle = [{ text: words(), source: source('tips', { entry: 0 }) }];
      return { ...scene.preview(tree), rolled: [], segments: { head: 0, middle, tail: 0 } };
    },
  });
  await fireEvent.click(screen.getByRole('button', { name: 'Edit items of personas' }));
  const card = document.querySelector<HTMLElement>('[data-card="personas"]');
  const expand = within(card!).queryByRole('button', { name: /^Expand .*calm/ });
  if (expand) await fireEvent.click(expand);
  await openSpot('Breathe.');
  await expect.poll(() => document.querySelector('.step textarea')).toBe(tip());

  const frames: FrameRequestCallback[] = [];
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((frame) => frames.push(frame));
  const draw = () => {
    for (const frame of frames.splice(0)) frame(0);
  };
  return { screen, typed: () => typed, frames, draw };
}

test('it follows a frame after a key, and at once when the prompt is left', async () => {
  const { typed, frames, draw } = await openMirrored();
  input('insertText', '!');
  await expect.poll(typed).toBe('!');
  await vi.waitFor(() => expect(frames.length).toBeGreaterThan(0));
  expect(tip()?.value).toBe('Breathe.');
  draw();
  await expect.poll(() => tip()?.value).toBe('Breathe.!');
  input('insertText', '?');
  await expect.poll(typed).toBe('!?');
  await fireEvent.keyDown(field()!, { key: 'Escape' });
  await expect.poll(() => tip()?.value).toBe('Breathe.!?');
});

test('a field that is gone before the frame reads no value', async () => {
  const { screen, typed, frames, draw } = await openMirrored();
  const warn = vi.spyOn(console, 'warn');
  input('insertText', '!');
  await expect.poll(typed).toBe('!');
  await vi.waitFor(() => expect(frames.length).toBeGreaterThan(0));
  screen.unmount();
  draw();
  await new Promise((done) => setTimeout(done));
  expect(warn).not.toHaveBeenCalled();
});
