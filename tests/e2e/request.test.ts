// A request in the real window: a history is edited until its rules hold, and the cache view is
// watched after another persona was chosen. The window's request is held against the command line's.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';
import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck } from './programs';

const FILE = 'trivia_host.json';
const CALL = 'calls/quiz_night.json';

interface Call {
  registry: string;
  message?: { text: string };
}

interface Body {
  messages: { role: string; content: string }[];
}

opens(['Trivia Host', FILE], ({ registries }) => {
  // The history begins with a response that answers nothing.
  const path = join(registries, CALL);
  const call = JSON.parse(readFileSync(path, 'utf8')) as {
    history: { tool_call_id?: string }[];
  };
  const response = call.history.find(({ tool_call_id }) => tool_call_id !== undefined);
  if (response) response.tool_call_id = 'call_other';
  writeFileSync(path, `${JSON.stringify(call, null, 2)}\n`);
});

beforeAll(async () => {
  await studio.page.setSwitch('Random item of personas', false);
  await studio.page.choose('Item of personas', 'quizmaster');
  await studio.page.showTab('Request');
});

const request = (): Promise<string> => studio.page.words('[role=tabpanel]');

test('a history that breaks a rule makes no request, and says why at its row', async () => {
  await eventually(async () => {
    expect(await request()).toContain('no tool call of message 2 has the id "call_other"');
  });
  await studio.page.pressWords('Edit conversation');
  await eventually(async () => {
    const rules = await studio.page.all('[data-order] [data-rule]', 'data-rule');
    expect(rules).toEqual(['tool_id_mismatch', 'tool_id_mismatch']);
  });
});

test('once corrected, the history is valid and there is a request', async () => {
  await studio.page.type('Call id of message 3', 'call_score');
  await eventually(async () => {
    expect(await studio.page.all('[data-rule]', 'data-rule')).toEqual([]);
    const words = await request();
    expect(words).toContain('5 messages, all four rules met');
    for (const layer of ['Static', 'Dynamic', 'Buffered', 'Trigger']) {
      expect(words).toContain(layer);
    }
  });
});

test('saved, the command line makes the same request of it', async () => {
  await studio.page.press('Save the call document');
  await studio.page.choose('Target', 'OpenAI chat completions');
  await studio.page.pressWords('Save the current state in the call');
  await eventually(async () => {
    await studio.page.keys([Key.CONTROL], 's');
    const body = JSON.parse(
      promptdeck(['request', join(home.registries, CALL), '--target', 'openai'], home.env),
    ) as Body;
    expect(body.messages[0]?.content).toBe(await systemOfWindow());
    expect(body.messages).toHaveLength(6);
  });
});

/** The system message of the body that the window shows. */
async function systemOfWindow(): Promise<string | undefined> {
  await studio.page.pressWords('Body');
  const lines = await studio.page.lines('[aria-label="Body"] .lines > div > :last-child');
  await studio.page.pressWords('Layers');
  return (JSON.parse(lines.join('\n')) as Body).messages[0]?.content;
}

test('after another persona the cache view names it, and undo brings all of it back', async () => {
  await studio.page.choose('Target', 'Gemini generateContent');
  await eventually(async () => {
    const words = await request();
    expect(words).toContain('Static');
    expect(words).toContain('No previous request');
  });
  await studio.page.press('Back to the deck');
  await studio.page.choose('Item of personas', 'deadpan');
  await eventually(async () => {
    expect(await studio.page.count('button[aria-label="Item of personas: deadpan"]')).toBe(1);
  });
  await eventually(async () => {
    const words = await request();
    expect(words).toContain('First changed span');
    expect(words).toContain('personas changed from quizmaster to deadpan.');
    expect(words).toMatch(/Shared prefix \d+ %/);
  });
  await studio.picture('request');
  await studio.page.keys([Key.CONTROL], 'z');
  await eventually(async () => {
    expect(await request()).toContain('personas changed from deadpan to quizmaster.');
  });
});

test('a modified call document follows its registry to another name and stays modified', async () => {
  const file = () => JSON.parse(readFileSync(join(home.registries, CALL), 'utf8')) as Call;
  const rename = async (title: string): Promise<void> => {
    studio.pointer.focus();
    await studio.pointer.click('[data-files]');
    await studio.page.sees('[role=row][aria-selected=true]:focus');
    studio.pointer.key('F2');
    await studio.page.sees('[role=row] input:focus');
    // Letters beyond ASCII are keys that the display has to be given first, which a busy machine may lose.
    studio.copy(title);
    studio.pointer.key('ctrl+a', 'ctrl+v', 'Return');
  };
  const follows = async (registry: string): Promise<void> => {
    await studio.page.sees(`[data-files][title$="${registry}"]`);
    await eventually(async () => {
      const saveStates = await studio.page.all('.statusbar .saved', 'title');
      expect(saveStates).toEqual(['Call document modified']);
      expect(file().registry).toBe(`../${registry}`);
    });
    expect(file().message?.text).not.toContain('Last one.');
    await studio.page.sees('[role=tabpanel] button[aria-label="Call: quiz night"]');
  };
  await studio.page.keys([Key.CONTROL], 's');
  await studio.page.pressWords('Edit conversation');
  await studio.page.type('Text of the new message', 'Last one.');
  await rename('Quiz night 2');
  await follows('quiz_night_2.json');
  studio.pointer.key('ctrl+z');
  await follows(FILE);
  studio.pointer.key('Escape');
  await rename('Quiz Größe');
  await follows('quiz_größe.json');
  // The undo is at hand when the list is opened again.
  studio.pointer.key('Escape');
  await studio.pointer.click('[data-files]');
  await studio.page.sees('.undo');
  studio.pointer.key('ctrl+z');
  await follows(FILE);
  studio.pointer.key('Escape');
  await studio.page.keys([Key.CONTROL], 's');
  await eventually(() => {
    expect(file()).toMatchObject({ registry: `../${FILE}`, message: { text: 'Last one.' } });
  });
});
