// A next turn that is too long for a textarea: it is in no document, so undo is that of its field.
import { fireEvent } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, test } from 'vitest';
import { selectIn } from '$lib/window/text-offsets';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

const LONG = 'Tell me of the sea.\n'.repeat(600);

test('what is typed into a long turn is taken back there, and the deck stays', async () => {
  const { fake, screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('tab', { name: 'Run' }));
  const find = () => screen.findByRole('textbox', { name: 'Next turn' });
  const area = await find();
  area.focus();
  await fireEvent.input(area, { target: { value: LONG } });
  area.blur();
  await tick();
  const field = await find();
  expect(field).not.toBeInstanceOf(HTMLTextAreaElement);
  field.focus();
  selectIn(field, { start: 0, end: 0 });
  document.dispatchEvent(new Event('selectionchange'));
  const event = new InputEvent('beforeinput', {
    inputType: 'insertText',
    data: 'Hm. ',
    bubbles: true,
    cancelable: true,
  });
  Object.assign(event, { getTargetRanges: () => [] });
  field.dispatchEvent(event);
  await expect.poll(() => field.textContent).toBe(`Hm. ${LONG}`);
  key('z', { ctrlKey: true });
  await expect.poll(() => field.textContent).toBe(LONG);
  expect(fake.calls.filter(({ name }) => name === 'undo')).toEqual([]);
});
