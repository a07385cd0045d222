// A raw completion through the window: the text of a chat template is sent, and the answer, which
// comes in channels, is taken apart while its final channel alone is judged.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Key } from 'selenium-webdriver';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

const PIECES = [
  '<|channel|>analysis<|message|>They want a round.',
  '<|end|><|start|>assistant<|channel|>commentary to=functions.draw<|message|>{"cards": 3}<|call|>',
  '<|start|>assistant<|channel|>final<|message|>Round one. Pens down.<|return|>',
];

const TEMPLATE =
  "{% for m in messages %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|end|>{% endfor %}<|start|>assistant{# '<|channel|>final' #}";

let server: Server;
const prompts: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      prompts.push((JSON.parse(body) as { prompt: string }).prompt);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      PIECES.forEach((text, at) => {
        const finish_reason = at + 1 === PIECES.length ? 'stop' : null;
        response.write(`data: ${JSON.stringify({ choices: [{ text, finish_reason }] })}\n\n`);
      });
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});

afterAll(() => {
  server.close();
});

opens(['Trivia Host', 'trivia_host.json']);

beforeAll(() => studio.page.showRuns());

const shows = (selector: string, words: string | RegExp): Promise<void> =>
  eventually(async () => {
    expect(await studio.page.content(selector)).toMatch(words);
  });

test('the answer of a raw completion is taken apart', async () => {
  const { port } = server.address() as AddressInfo;
  await studio.page.pressWords('Add a connection…');
  await studio.page.type('Name', 'raw');
  await studio.page.choose('Kind', 'OpenAI-compatible raw completions');
  await studio.page.type('Base URL', `http://127.0.0.1:${String(port)}`);
  await studio.page.type('Chat template', TEMPLATE);
  await studio.page.pressWords('Save');
  await shows('button[aria-label^="Connection: "]', 'raw');
  await studio.page.keys([Key.CONTROL], Key.ENTER);
  const beside = '[data-attempt] [aria-label="Reasoning, tool calls and channels of the answer"]';
  await shows(beside, 'Channels: analysis, commentary to functions.draw, final');
  await shows(beside, /draw\s*\{"cards":3\}/);
  expect(prompts[0]).toMatch(/^<\|start\|>user<\|message\|>[\s\S]*<\|start\|>assistant$/);
  const text = '[data-attempt] .output';
  const sentBody = (): Promise<string> =>
    studio.window.executeScript(
      `return [...document.querySelector(arguments[0]).childNodes]
         .filter((each) => each.nodeName !== 'DEL').map((each) => each.textContent).join('')`,
      text,
    );
  await eventually(async () => {
    expect((await sentBody()).trim()).toBe('Round one. Pens down.');
  });
  await studio.page.pressRow(`${beside} summary`);
  await eventually(async () => {
    expect(await studio.page.words(`${beside} details p`)).toBe('They want a round.');
  });
  for (const theme of ['light', 'dark']) {
    await studio.page.setTheme(theme);
    await studio.page.pointerAway();
    await studio.picture(`run-extracted-${theme}`);
  }
});
