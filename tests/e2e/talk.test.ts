// The conversation with the deck, by mouse and keys at the display: with the mock provider alone,
// and with a server that answers slowly, so that an answer can be stopped and cut short by a kill.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { home, opens, reopen, studio } from './window-fixture';
import { eventually } from './wait';

const CALL = 'calls/quiz_night.json';
const NEXT = 'textarea[aria-label="Next turn"]';
const LOG = '[data-talk]';
const LAST = `${LOG} [data-turn]:last-of-type`;

interface Call {
  history: { role: string; content: string; tool_calls?: unknown[] }[];
  message: { text: string };
}

let server: Server;
/** The bodies that the server got. */
const received: string[] = [];

/** Answers word by word, for as long as anybody listens. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => received.push(Buffer.concat(pieces).toString('utf8')));
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      const content = `word${String(count)} `;
      response.write(`${JSON.stringify({ message: { content }, done: false })}\n`);
    }, 40);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

opens(['Trivia Host', 'trivia_host.json']);

beforeAll(async () => {
  await studio.page.showTab('Request');
  await studio.page.choose('Target', 'OpenAI chat completions');
  await studio.page.showTab('Run');
  studio.pointer.focus();
});

const shows = (selector: string, words: string | RegExp): Promise<void> =>
  eventually(async () => {
    expect(await studio.page.content(selector)).toMatch(words);
  });

const counts = (selector: string, wanted: number): Promise<void> =>
  eventually(async () => {
    expect(await studio.page.count(selector)).toBe(wanted);
  });

/** Types the next turn and sends it. */
async function send(words: string): Promise<void> {
  await studio.pointer.click(NEXT);
  studio.pointer.type(words);
  await eventually(async () => {
    expect(await studio.page.read('Next turn')).toBe(words);
  });
  studio.pointer.key('ctrl+Return');
}

test('a turn is sent by its key, and the answer has the verdict of the policy', async () => {
  await send('Which river is it?');
  await shows(LAST, /This is the mock provider[\s\S]*Which river is it\?[\s\S]*accepted/);
  await counts(`${LOG} [data-turn]`, 2);
  await counts(`${LOG} [data-before]`, 5);
  // The model's turn of the call document holds no text, only what it asks of a tool.
  await shows(`${LOG} [data-before="1"]`, 'read_score');
  await studio.picture('talk');
});

test('a message of the call leads to where it is edited', async () => {
  await studio.pointer.click(`${LOG} [data-before="0"] button.link`);
  await eventually(async () => {
    expect(await studio.page.focused()).toContain('Text of message 1');
  });
  await studio.page.press('Back to the deck');
});

test('the request that is shown ends with the turn that was sent', async () => {
  await studio.page.pressWords('See request');
  await shows('[aria-label="Body"]', /"role": "assistant"[\s\S]*This is the mock provider/);
  await studio.page.pressWords('See request');
});

test('rolling again makes a branch, and arrows go between the branches', async () => {
  await studio.pointer.click(`${LAST} [aria-label="Roll again"]`);
  await shows(`${LAST} [data-switcher]`, '2 of 2');
  await studio.pointer.click(`${LAST} [aria-label="Previous branch"]`);
  await shows(`${LAST} [data-switcher]`, '1 of 2');
  studio.pointer.key('Right');
  await shows(`${LAST} [data-switcher]`, '2 of 2');
});

test('an edited turn is a separate branch, and the old one stays', async () => {
  await studio.pointer.click(`${LOG} [data-turn]:not(.answer) [aria-label="Edit this turn"]`);
  await studio.page.sees('textarea[aria-label="Edit this turn"]');
  studio.pointer.key('ctrl+a');
  studio.pointer.type('Which lake is it?');
  studio.pointer.key('ctrl+Return');
  await shows(LAST, /Which lake is it\?[\s\S]*accepted/);
  await shows('[role=tabpanel]', '3 branches');
  await studio.pointer.click(`${LOG} [data-turn]:not(.answer) [aria-label="Previous branch"]`);
  await shows(LOG, 'Which river is it?');
});

/** Types words that a button with the focus would take for presses, and empties the field again. */
async function typesOn(words: string): Promise<void> {
  studio.pointer.type(words);
  await eventually(async () => {
    expect(await studio.page.read('Next turn')).toBe(words);
  });
  expect(await studio.page.focused()).toBe('Next turn');
  studio.pointer.key('ctrl+a');
  studio.pointer.key('BackSpace');
  await eventually(async () => {
    expect(await studio.page.read('Next turn')).toBe('');
  });
}

test('whatever was pressed in the conversation, the words typed then are the next turn', async () => {
  const turns = await studio.page.count(`${LOG} [data-turn]`);
  const mine = `${LOG} [data-turn]:not(.answer)`;
  await typesOn('now do it');
  await studio.pointer.click(`${mine} [aria-label="Edit this turn"]`);
  await studio.page.sees('textarea[aria-label="Edit this turn"]');
  studio.pointer.type(' Or sea?');
  studio.pointer.key('ctrl+Return');
  await counts('textarea[aria-label="Edit this turn"]', 0);
  await typesOn('now do it');
  await shows(LAST, /Or sea\?[\s\S]*accepted/);
  await counts(`${LOG} [data-turn]`, turns);
  await studio.pointer.click(`${mine} [aria-label="Previous branch"]`);
  await shows(`${mine} [data-switcher]`, '2 of 3');
  await typesOn('now do it');
  await shows(`${mine} [data-switcher]`, '2 of 3');
  await studio.pointer.click(`${LAST} [aria-label="Roll again"]`);
  await typesOn('now do it');
  await shows(`${LAST} [data-switcher]`, '2 of 2');
  await studio.pointer.click(`${mine} [aria-label="Turn actions"]`);
  await studio.pointer.click('[role=menuitem][data-row="Continue from here"]');
  await counts(`${LOG} [data-turn]`, turns - 1);
  await typesOn('now do it');
  await studio.page.pressWords('branches');
  await studio.pointer.click('[role=menuitemradio]:last-child');
  await typesOn('now do it');
  await shows(LOG, 'Which river is it?');
  await studio.pointer.click(`${LAST} [aria-label="Next branch"]`);
  await shows(`${LAST} [data-switcher]`, '2 of 2');
});

test('siblings are listed and compared', async () => {
  await studio.pointer.click(`${LAST} [aria-label="Compare with its siblings"]`);
  await counts('[aria-label="Siblings of this turn"] > li', 2);
  await studio.pointer.click('[aria-label="Changes from branch 1"]');
  await shows('[data-difference]', 'This is the mock provider');
  await studio.picture('talk-siblings');
});

test('an answer is kept as an example, and undo takes it out', async () => {
  await studio.pointer.click(`${LAST} [aria-haspopup="menu"][aria-expanded]:not(.ibtn)`);
  await studio.pointer.click('[role=menuitem][data-row="As example in examples, banter"]');
  await shows('.notices', 'Added to the examples of banter.');
  await studio.page.takeUp('Added to the examples of banter.', 'Undo');
});

test('a tool call is answered by hand', async () => {
  await send('Please call read_score.');
  await shows(LAST, /read_score[\s\S]*waits for you/);
  await studio.page.sees('textarea[aria-label="Result of read_score"]:focus');
  studio.pointer.type('{"points": 19}');
  await shows('[data-call] [role=status]', 'JSON');
  studio.pointer.key('ctrl+Return');
  await shows(LAST, /This is the mock provider[\s\S]*"points": 19[\s\S]*accepted/);
  await studio.picture('talk-tool');
});

test('a branch is kept as the call, and undo shows it again', async () => {
  const keep = async () => {
    await studio.pointer.click(`${LAST} [aria-haspopup="menu"][aria-expanded]:not(.ibtn)`);
    await studio.pointer.click('[role=menuitem][data-row^="As call"]');
    await shows('.notices', `The branch is in ${CALL} now, with the state`);
    await counts(`${LOG} [data-turn]`, 0);
  };
  const turns = await studio.page.count(`${LOG} [data-turn]`);
  await keep();
  await studio.page.takeUp('The branch is in', 'Undo');
  await counts(`${LOG} [data-turn]`, turns);
  await keep();
  await counts(`${LOG} [data-before]`, 11);
  await studio.page.command('>save call');
  await eventually(() => {
    const call = JSON.parse(readFileSync(join(home.registries, CALL), 'utf8')) as Call;
    expect(call.history.map(({ role }) => role).slice(-4)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    return Promise.resolve();
  });
});

test('an answer is stopped by Esc and keeps what came', async () => {
  const { port } = server.address() as AddressInfo;
  await studio.page.command('>add a connection');
  await studio.page.type('Name', 'slow');
  await studio.page.choose('Kind', 'Ollama');
  await studio.page.type('Base URL', `http://127.0.0.1:${String(port)}`);
  await studio.page.type('Model', 'slow');
  await studio.page.pressWords('Save');
  await shows('button[aria-label^="Connection: "]', 'slow');
  await studio.pointer.click(NEXT);
  studio.pointer.type('Say a lot.');
  await studio.page.pressWords('See request');
  await shows('[aria-label="Body"]', /Say a lot\.[\s\S]*"stream": true/);
  const bodyLines = await studio.page.lines('[aria-label="Body"] .lines > div > :last-child');
  await studio.page.pressWords('See request');
  await studio.pointer.click(NEXT);
  studio.pointer.key('ctrl+Return');
  await shows(LAST, /word3[\s\S]*streaming/);
  // Compact on the wire, in lines on the page; the same keys in the same order.
  expect(JSON.stringify(JSON.parse(bodyLines.join('\n')))).toBe(received.at(-1));
  await studio.picture('talk-stream');
  studio.pointer.key('Escape');
  await shows(LAST, /word3[\s\S]*stopped/);
});

test('an answer is stopped by a press, and the next turn is sent at once', async () => {
  await send('Say a lot again.');
  await shows(LAST, /word3[\s\S]*streaming/);
  await studio.pointer.click('[role=tabpanel] button[aria-keyshortcuts="Escape"]');
  await shows(LAST, /word3[\s\S]*stopped/);
  const answers = await studio.page.count(`${LOG} [data-turn]`);
  await send('And once more.');
  await shows(LAST, /word2[\s\S]*streaming/);
  await counts(`${LOG} [data-turn]`, answers + 2);
  studio.pointer.key('Escape');
  await shows(LAST, /stopped/);
});

test('what streamed before a kill is there after the restart', async () => {
  await send('Say more.');
  await shows(LAST, /word30[\s\S]*streaming/);
  await studio.kill(home);
  await reopen();
  await studio.page.showTab('Run');
  await shows(LAST, /word1 word2 word3[\s\S]*interrupted/);
  await shows(LOG, 'Say a lot.');
});
