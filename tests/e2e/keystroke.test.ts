// A keystroke and the prompt it makes come in one frame.
import { expect, test } from 'vitest';

import { opens, studio } from './opened';
import { eventually } from './patience';

opens(['Trivia Host', 'trivia_host.json']);

/** Types into the field with the focus, and says whether the prompt had it before the page drew. */
const TYPE = `
  const [typed, done] = arguments;
  const preview = document.querySelector('[aria-label="Evaluated prompt"]');
  const field = document.activeElement;
  field.setRangeText(typed, field.value.length, field.value.length, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  // Whatever is left to do without an event of its own is done first.
  let rounds = 0;
  const look = () => {
    if (preview.textContent.includes(typed)) done(true);
    else if (++rounds < 1000) queueMicrotask(look);
    else done(false);
  };
  look();
`;

test('what is typed is in the prompt before the page is drawn again', async () => {
  const { hands, window } = studio;
  await hands.menu('base_context actions', 'Edit items');
  await hands.press('Edit pub_night');
  await hands.enter('base_context.pub_night.text');
  let count = 0;
  // On a busy machine an edit may take longer than the page waits: then it comes a frame later.
  await eventually(async () => {
    count += 1;
    const typed = ` round ${String(count)}.`;
    expect(await window.executeAsyncScript(TYPE, typed), 'in the same frame').toBe(true);
  });
});
