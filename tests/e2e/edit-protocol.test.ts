// A keystroke and the prompt it makes come in one frame; what takes longer comes by ticket.
import { expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json']);

/** Types into the field with the focus, and says whether the prompt had it before the page drew. */
const TYPE = `
  const [typed, done] = arguments;
  const preview = document.querySelector('[aria-label="Evaluated prompt"]');
  const field = document.activeElement;
  field.setRangeText(typed, field.value.length, field.value.length, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  // Pending work without an event is done first.
  let rounds = 0;
  const look = () => {
    if (preview.textContent.includes(typed)) done(true);
    else if (++rounds < 1000) queueMicrotask(look);
    else done(false);
  };
  look();
`;

test('what is typed is in the prompt before the page is drawn again', async () => {
  const { page, window } = studio;
  await page.menu('base_context actions', 'Edit items');
  await page.press('Edit pub_night');
  await page.enter('base_context.pub_night.text');
  let count = 0;
  // On a busy machine an edit may take longer than the page waits: then it comes a frame later.
  await eventually(async () => {
    count += 1;
    const typed = ` round ${String(count)}.`;
    expect(await window.executeAsyncScript(TYPE, typed), 'in the same frame').toBe(true);
  });
});

/** Asks as the page does, for a revision that never was, and gives the failure. */
const PASTE = `
  const [address, value, done] = arguments;
  const edits = [{ kind: 'set', path: ['registry', 'title'], value: value.repeat(1_000_000) }];
  const group = { base: 4_000_000_000, edits, label: 'Paste', burst: null };
  const request = new XMLHttpRequest();
  request.open('POST', window.__TAURI_INTERNALS__.convertFileSrc('apply', 'edit'), false);
  request.send(JSON.stringify({ document: address, group }));
  const answer = JSON.parse(request.responseText);
  if (request.status !== 202) done([request.status, answer.code]);
  else
    window.__TAURI_INTERNALS__
      .invoke('applied', { ticket: answer })
      .then(() => done(['applied']), (failure) => done([422, failure.code]));
`;

test('an edit of many megabytes arrives whole', async () => {
  // Read whole it is an edit; cut off anywhere it would be no JSON.
  const answer = await studio.window.executeAsyncScript(PASTE, 'trivia_host.json', 'twelve “bytes');
  expect(answer).toEqual([422, 'stale_revision']);
});
