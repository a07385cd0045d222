// The Chat tab in the real window: the text of builtin formats and of a template is what the command
// line prints, a broken template shows its line, thinking and polyfills are switched, and everything
// is there again after a restart.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { By, Key } from 'selenium-webdriver';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { promptdeck } from './programs';
import { Home, Studio } from './studio';

const FILE = 'trivia_host.json';
const TOOLS = '[{"type": "function", "function": {"name": "look_up", "parameters": {}}}]';

let home: Home;
let studio: Studio;

const open = async (): Promise<void> => {
  studio = await Studio.open(home);
  await studio.hands.openRegistry('Trivia Host', FILE);
};

beforeAll(async () => {
  home = new Home();
  await open();
  // An edit makes a draft, which brings the same seed back after a restart.
  await studio.hands.press('Roll');
});

afterAll(async () => {
  await studio.close();
  await home.remove();
});

/** The text the tab shows, to the last character; the prompt is unfolded for it. */
const shown = async (): Promise<string> => {
  const folds = await studio.window.findElements(By.css('button[title="Show the whole prompt"]'));
  await folds[0]?.click();
  return studio.window.executeScript(
    `return [...document.querySelectorAll('[aria-label="Chat text"] [data-piece]')]
       .map((piece) => piece.textContent).join('')`,
  );
};

/** What the command line renders for the prompt and a conversation. */
const expected = async (
  flags: string[],
  question: { messages?: object[]; tools?: unknown; thinking: boolean },
): Promise<string> => {
  const seed = await studio.hands.read('Seed');
  const prompt = promptdeck(['hydrate', join(home.registries, FILE), '--seed', seed], home.env);
  const document = {
    messages: [
      { role: 'system', content: prompt },
      ...(question.messages ?? [{ role: 'user', content: 'Hello.' }]),
    ],
    tools: question.tools,
    add_generation_prompt: true,
    extra: { enable_thinking: question.thinking },
  };
  const file = join(home.folder, 'question.json');
  writeFileSync(file, JSON.stringify(document));
  const answer = promptdeck(['chat', 'render', file, ...flags, '--format', 'json'], home.env);
  return (JSON.parse(answer) as { output: string }).output;
};

const agrees = (text: () => Promise<string>): Promise<void> =>
  vi.waitFor(async () => {
    expect(await shown()).toBe(await text());
  }, 15_000);

/** What the editor holds; it lives in a shadow root. */
const template = (): Promise<string> =>
  studio.window.executeScript(
    `const lines = document.querySelector('.editor').shadowRoot.querySelectorAll('.cm-line');
     return [...lines].map((line) => line.textContent).join('\\n')`,
  );

const marked = (): Promise<string[]> =>
  studio.window.executeScript(
    `const root = document.querySelector('.editor').shadowRoot;
     return [...root.querySelectorAll('.cm-lintRange-error')].map((mark) => mark.textContent)`,
  );

/** Puts the caret into the editor, in front of everything. */
const toBeginning = async (): Promise<void> => {
  await studio.window.findElement(By.css('.editor')).click();
  await studio.hands.keys([Key.CONTROL], Key.HOME);
};

const alerts = async (): Promise<string> => {
  const found = await studio.window.findElements(By.css('[role=tabpanel] [role=alert]'));
  return (await Promise.all(found.map((alert) => alert.getText()))).join('\n');
};

const flags = async (): Promise<string[]> => {
  const file = join(home.folder, 'own.jinja');
  writeFileSync(file, await template());
  return ['--template', file];
};

test('the prompt through a builtin format is what the command line prints', async () => {
  await studio.hands.showTab('Chat');
  await agrees(() => expected(['--family', 'QWEN_3_X'], { thinking: false }));
  await studio.hands.setSwitch('Thinking', true);
  await agrees(() => expected(['--family', 'QWEN_3_X'], { thinking: true }));
  await studio.hands.setSwitch('Thinking', false);
  await studio.hands.choose('Template', 'Llama 3');
  await agrees(() => expected(['--family', 'LLAMA_3_X'], { thinking: false }));
});

test('a template is written, broken, seen where it is broken, and mended', async () => {
  await studio.hands.pressWords('Template');
  await studio.hands.pressWords('Write a template');
  await vi.waitFor(async () => {
    expect(await template()).toContain('<|im_start|>');
  }, 10_000);
  const before = await template();
  await agrees(async () => expected(await flags(), { thinking: false }));

  await toBeginning();
  await studio.window.actions().sendKeys('{% bogus %}').perform();
  await vi.waitFor(async () => {
    expect(await alerts()).toMatch(/line 1, column \d+.*bogus/s);
    expect((await marked()).join('')).toContain('bogus');
  }, 10_000);
  for (const theme of ['light', 'dark']) {
    await studio.hands.setTheme(theme);
    await studio.picture(`chat-broken-${theme}`);
  }

  await toBeginning();
  for (let each = 0; each < '{% bogus %}'.length; each += 1) {
    await studio.window.actions().sendKeys(Key.DELETE).perform();
  }
  await vi.waitFor(async () => {
    expect(await alerts()).toBe('');
    expect(await template()).toBe(before);
  }, 10_000);
  await agrees(async () => expected(await flags(), { thinking: false }));
  await studio.hands.setSwitch('Thinking', true);
  await agrees(async () => expected(await flags(), { thinking: true }));
});

test('polyfills are switched and the conversation grows', async () => {
  const own = await flags();
  const tools = JSON.parse(TOOLS) as unknown;
  await studio.hands.pressWords('Conversation');
  await studio.hands.type('Tools', TOOLS);
  await agrees(() => expected([...own, '--polyfill'], { thinking: true, tools }));
  expect(await shown()).toContain('look_up');

  await studio.hands.pressWords('Capabilities');
  const polyfill = By.xpath('//label[contains(., "Tools are described in the system message")]');
  await studio.window.findElement(polyfill).click();
  await vi.waitFor(async () => {
    expect(await shown()).not.toContain('look_up');
  }, 10_000);
  for (const theme of ['light', 'dark']) {
    await studio.hands.setTheme(theme);
    await studio.hands.pointerAway();
    await studio.picture(`chat-${theme}`);
  }
});

test('what was set is there again after a restart', async () => {
  await studio.hands.pressWords('Conversation');
  await studio.hands.pressWords('Add message');
  await studio.hands.type('Content of message 2', 'Well?');
  const before = await vi.waitFor(async () => {
    const text = await shown();
    expect(text).toContain('assistant\nWell?');
    return text;
  }, 10_000);
  // The driver ends the window without asking; work of the last second may be lost by that.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await studio.close();
  studio = await Studio.open(home);
  await vi.waitFor(async () => {
    expect(await shown()).toBe(before);
  }, 20_000);
});
