// Runs through the window against a real llama.cpp server: a connection is added and tested, text
// streams, the policy rejects and asks again, a person stops, seeds are shown side by side, a
// server that stopped is reported, and a run of the history is opened again.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Llama } from './llama';
import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';

const KEY = 'sk-planted-7f3a9c21e5';
const never = { forbidden_patterns: ['(?s).'] };

/** A registry whose routes are the cases: short texts, texts that are rejected, or always rejected. */
const registry = {
  version: 22,
  title: 'Runner',
  assembly_order: ['greeting', 'tone'],
  greeting: { required: true, items: [{ id: 'hello', text: 'Say something about the sea.' }] },
  tone: {
    required: true,
    section_random: true,
    items: ['calm', 'loud', 'dry', 'kind', 'odd'].map((id) => ({ id, text: `Be ${id}.` })),
  },
  generation: { max_tokens: 24, temperature: 0, retries: 2 },
  routes: {
    refused: { output_policy: never },
    endless: { output_policy: never, generation: { max_tokens: 400, retries: 200 } },
  },
};

let llama: Llama;

beforeAll(async () => {
  llama = await Llama.start(KEY);
  process.env.PROMPTDECK_API_KEY_LOCAL = KEY;
});

afterAll(() => {
  llama.kill();
});

opens(['Runner', 'runner.json'], ({ registries }) => {
  writeFileSync(join(registries, 'runner.json'), JSON.stringify({ registry }, null, 2));
});

beforeAll(() => studio.page.showRuns());

/** In milliseconds: a server has to answer in it, and the model is run by the same processor. */
const PATIENCE_WITH_MODEL = 60_000;

/** Waits until the window shows these words in a place. */
const shows = (selector: string, words: string | RegExp) =>
  eventually(async () => {
    expect(await studio.page.content(selector)).toMatch(words);
  }, PATIENCE_WITH_MODEL);

const run = () => studio.page.keys([Key.CONTROL], Key.ENTER);

test('a connection is added once its server has answered', async () => {
  await studio.page.pressWords('Add a connection…');
  await studio.page.type('Name', 'local');
  await studio.page.choose('Kind', 'OpenAI-compatible chat');
  await studio.page.type('Base URL', 'http://127.0.0.1:9');
  await studio.page.pressWords('Test');
  await shows('dialog [role=alert]', 'nothing answers');
  await studio.page.type('Base URL', llama.address);
  await studio.page.pressWords('Test');
  await shows('dialog [role=status]', 'Connected. 1 model: tiny.');
  await studio.page.pressWords('Save');
  await shows('button[aria-label^="Connection: "]', 'local');
});

test('a model is chosen from the list of the server', async () => {
  await studio.page.press('Model');
  await studio.page.pressWords('Fetch the list from the server');
  await shows('[role=dialog] [role=status]', '1 model');
  await studio.page.type('Find a model or type its name', 'tin');
  await studio.page.type('Find a model or type its name', `tiny${Key.ENTER}`);
  await shows('button[aria-label^="Model: "]', 'tiny');
});

test('a text streams, and is what the server says to the body that is kept', async () => {
  await run();
  await shows('[data-attempt="1"] h3', 'Attempt 1');
  await shows('[data-attempt="1"]', /accepted[\s\S]*first token[\s\S]*tokens\/s[\s\S]*24 tokens/);
  const text = await studio.page.content('[data-attempt="1"] [data-changed]');
  await studio.page.pressIn('Show', 'Request');
  const body = JSON.parse(await studio.page.content('pre[aria-label="Request"]')) as object;
  expect(body).toMatchObject({ model: 'tiny', stream: true, max_tokens: 24 });
  const answer = await llama.answer(body, KEY);
  // The blanks that the policy took away are shown, struck out.
  const words = (text: string) => text.trim().replaceAll(/\s+/g, ' ');
  expect(words(text)).toBe(words(answer));
  await studio.page.pressIn('Show', 'Output');
});

test('a refused text is asked for again and every attempt says why', async () => {
  await studio.page.choose('Route', 'refused');
  await run();
  await shows('[data-attempt="2"]', /Attempt 2 of 2[\s\S]*rejected[\s\S]*forbidden pattern/);
  await shows('[data-attempt="1"]', /rejected[\s\S]*forbidden pattern/);
  await shows('[data-run]', /rejected/);
});

test('Esc stops it, and what arrived is kept', async () => {
  await studio.page.choose('Route', 'endless');
  await run();
  await shows('[data-attempt="1"]', /rejected/);
  await studio.picture('run-streaming');
  await studio.page.keys([], Key.ESCAPE);
  await shows('[data-run]', /stopped/);
  const attempts = await studio.page.count('[data-attempt]');
  expect(attempts).toBeLessThan(200);
  await studio.page.choose('Route', 'default');
});

test('seeds are shown side by side', async () => {
  await studio.page.press('More seeds');
  await studio.page.press('More seeds');
  await run();
  await eventually(async () => {
    expect(await studio.page.count('[aria-label="Seeds side by side"] > li')).toBe(3);
    expect(await studio.page.content('[aria-label="Seeds side by side"]')).not.toMatch('running');
  }, PATIENCE_WITH_MODEL);
  await shows('.progress', '3 of 3 seeds');
  await studio.picture('run-seeds');
  await studio.page.press('Fewer seeds');
  await studio.page.press('Fewer seeds');
});

test('a run is opened again as the state it was', async () => {
  const before = await studio.page.read('Seed');
  const runs = await studio.page.count('[data-run]');
  await run();
  await eventually(async () => {
    expect(await studio.page.count('[data-run]')).toBeGreaterThan(runs);
  });
  await shows('[data-attempt="1"]', 'accepted');
  await studio.page.press('Roll');
  await eventually(async () => {
    expect(await studio.page.read('Seed')).not.toBe(before);
  });
  await studio.page.pressRow('[data-run]');
  await studio.page.pressWords('Reopen');
  await eventually(async () => {
    expect(await studio.page.read('Seed')).toBe(before);
  });
});

test('a server that stopped is reported with a remedy, after a retry', async () => {
  llama.kill();
  await run();
  await shows('.run [role=alert]', /nothing answers.*start the server/);
  await shows('.run', /Try 2 failed: .*nothing answers/);
});

test('the key is in the request alone', async () => {
  expect(await studio.page.source()).not.toContain(KEY);
  const search = (folder: string): number =>
    readdirSync(folder)
      .map((name) => join(folder, name))
      .map((path) => {
        const found = statSync(path);
        if (found.isDirectory()) return search(path);
        if (!found.isFile()) return 0;
        expect(readFileSync(path).includes(KEY), path).toBe(false);
        return 1;
      })
      .reduce((sum, count) => sum + count, 0);
  expect(search(home.folder)).toBeGreaterThan(5);
});
