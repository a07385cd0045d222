// An answer of the mock provider, without any server: it arrives word by word and can be stopped.
import { beforeAll, expect, test } from 'vitest';

import { eventually } from './wait';
import { opens, studio } from './window-fixture';

opens(['Trivia Host', 'trivia_host.json']);

const ANSWER = '[data-talk] [data-turn]:last-of-type';

beforeAll(async () => {
  await studio.page.showTab('Run');
  studio.pointer.focus();
});

const shows = (words: RegExp): Promise<void> =>
  eventually(async () => {
    expect(await studio.page.content(ANSWER)).toMatch(words);
  });

test.each(['by Esc', 'by a press'])('an answer is stopped %s and keeps what came', async (way) => {
  await studio.pointer.click('textarea[aria-label="Next turn"]');
  studio.pointer.type('Which river is it?');
  studio.pointer.key('ctrl+Return');
  await shows(/This is[\s\S]*streaming/);
  if (way === 'by Esc') studio.pointer.key('Escape');
  else await studio.pointer.click('[role=tabpanel] button[aria-keyshortcuts="Escape"]');
  await shows(/This is[\s\S]*stopped/);
  expect(await studio.page.content(ANSWER)).not.toContain('The prompt ends with');
});
