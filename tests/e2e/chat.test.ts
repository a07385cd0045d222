// The Chat tab in the real window: the text of builtin formats and of a template is what the command
// line prints, a broken template shows its line, thinking and polyfills are switched, and everything
// is there again after a restart.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, reopen, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck } from './programs';

const FILE = 'trivia_host.json';
const TOOLS = '[{"type": "function", "function": {"name": "look_up", "parameters": {}}}]';

opens(['Trivia Host', FILE]);

// An edit makes a draft, which brings the same seed back after a restart.
beforeAll(() => studio.page.press('Roll'));

/** What the command line renders for the prompt and a conversation. */
const expected = async (
  flags: string[],
  question: { messages?: object[]; tools?: unknown; thinking: boolean },
): Promise<string> => {
  const seed = await studio.page.read('Seed');
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

/** The messages that a request of the call document in use sends, and its tools. */
const ofCall = (): { messages: object[]; tools: unknown } => {
  const call = JSON.parse(
    readFileSync(join(home.registries, 'calls', 'quiz_night.json'), 'utf8'),
  ) as { history: Record<string, unknown>[]; message: { text: string }; tools: unknown };
  const history = call.history.map((message) => {
    const sent = { ...message };
    delete sent.language;
    return sent;
  });
  const messages = [...history, { role: 'user', content: call.message.text }];
  return { messages, tools: call.tools };
};

const agrees = (text: () => Promise<string>): Promise<void> =>
  eventually(async () => {
    expect(await studio.page.chatText()).toBe(await text());
  });

/** What the editor holds; it lives in a shadow root. */
const template = (): Promise<string> =>
  studio.window.executeScript(
    `const lines = document.querySelector('.editor').shadowRoot.querySelectorAll('.cm-line');
     return [...lines].map((line) => line.textContent).join('\\n')`,
  );

/** What is drawn as wrong: an engine leaves out what it can't read of a style. */
const marked = (): Promise<string[]> =>
  studio.window.executeScript(
    `const root = document.querySelector('.editor').shadowRoot;
     return [...root.querySelectorAll('.cm-lintRange-error')]
       .filter((mark) => getComputedStyle(mark).textDecorationStyle === 'wavy')
       .map((mark) => mark.textContent)`,
  );

/** Puts the caret into the editor, in front of everything. */
const toBeginning = async (): Promise<void> => {
  await studio.page.pressRow('.editor');
  await studio.page.keys([Key.CONTROL], Key.HOME);
};

const alerts = async (): Promise<string> =>
  (await studio.page.lines('[role=tabpanel] [role=alert]')).join('\n');

const flags = async (): Promise<string[]> => {
  const file = join(home.folder, 'own.jinja');
  writeFileSync(file, await template());
  return ['--template', file];
};

test('the messages are those of the call document in use, until the example is taken', async () => {
  const { page, pointer } = studio;
  await page.showTab('Chat');
  const family = ['--family', 'QWEN_3_X'];
  await agrees(() => expected(family, { ...ofCall(), thinking: false }));
  await page.setSwitch('Thinking', true);
  await agrees(() => expected(family, { ...ofCall(), thinking: true }));
  await page.setSwitch('Thinking', false);
  for (const theme of ['light', 'dark']) {
    await page.setTheme(theme);
    await studio.picture(`chat-call-${theme}`);
  }

  // A message of it is edited where the call document is, and the text follows.
  await pointer.click('button[aria-label="Open message 1"]');
  const first = '[data-conversation] [data-message] textarea';
  await eventually(async () => {
    expect(
      await studio.window.executeScript(
        'return document.activeElement === document.querySelector(arguments[0])',
        first,
      ),
    ).toBe(true);
  });
  pointer.focus();
  pointer.key('ctrl+Home');
  pointer.type('Right, ');
  await eventually(async () => {
    expect(await page.chatText()).toContain('Right, We are ready.');
  });
  pointer.key('ctrl+z');
  await agrees(() => expected(family, { ...ofCall(), thinking: false }));

  await pointer.click('button[aria-label^="Messages of: "]');
  await pointer.click('[role=listbox] [role=option][data-row="Example"]');
  await agrees(() => expected(family, { thinking: false }));
});

test('the prompt through a builtin format is what the command line prints', async () => {
  await agrees(() => expected(['--family', 'QWEN_3_X'], { thinking: false }));
  await studio.page.setSwitch('Thinking', true);
  await agrees(() => expected(['--family', 'QWEN_3_X'], { thinking: true }));
  await studio.page.setSwitch('Thinking', false);
  await studio.page.choose('Template', 'Llama 3');
  await agrees(() => expected(['--family', 'LLAMA_3_X'], { thinking: false }));
});

test('an error in an edited template is shown at its line and can be corrected', async () => {
  await studio.page.pressIn('Chat panel', 'Template');
  await studio.page.pressWords('Write a template');
  await eventually(async () => {
    expect(await template()).toContain('<|im_start|>');
  });
  const before = await template();
  await agrees(async () => expected(await flags(), { thinking: false }));

  await toBeginning();
  await studio.window.actions().sendKeys('{% bogus %}').perform();
  await eventually(async () => {
    expect(await alerts()).toMatch(/line 1, column \d+.*bogus/s);
    expect((await marked()).join('')).toContain('bogus');
  });
  for (const theme of ['light', 'dark']) {
    await studio.page.setTheme(theme);
    await studio.picture(`chat-broken-${theme}`);
  }

  await toBeginning();
  for (let each = 0; each < '{% bogus %}'.length; each += 1) {
    await studio.window.actions().sendKeys(Key.DELETE).perform();
  }
  await eventually(async () => {
    expect(await alerts()).toBe('');
    expect(await template()).toBe(before);
  });
  await agrees(async () => expected(await flags(), { thinking: false }));
  await studio.page.setSwitch('Thinking', true);
  await agrees(async () => expected(await flags(), { thinking: true }));
});

test('several lines are pasted into the editor alone, and the editor finds and replaces in them', async () => {
  const { page, pointer } = studio;
  const before = await template();
  const inEditor = <T>(script: string): Promise<T> =>
    studio.window.executeScript<T>(
      `const root = document.querySelector('.editor').shadowRoot; ${script}`,
    );
  const focused = () => inEditor<string | null>('return root.activeElement?.getAttribute("name")');
  await page.pressRow('.editor');
  pointer.focus();
  pointer.key('ctrl+a');
  studio.copy('{{ one }}\n{# two one #}\n');
  pointer.key('ctrl+v');
  await eventually(async () => {
    expect(await template()).toBe('{{ one }}\n{# two one #}\n');
  });
  pointer.key('ctrl+f');
  await eventually(async () => {
    expect(await focused()).toBe('search');
  });
  expect(await page.count('dialog[open]')).toBe(0);
  pointer.type('one');
  await eventually(async () => {
    expect(await inEditor<number>('return root.querySelectorAll(".cm-searchMatch").length')).toBe(
      2,
    );
  });
  // What is typed in the search is undone there.
  pointer.type('x');
  pointer.key('ctrl+z');
  await eventually(async () => {
    const words = 'return root.querySelector(".cm-search [name=search]").value';
    expect(await inEditor<string>(words)).not.toContain('x');
  });
  pointer.key('ctrl+a');
  pointer.type('one');
  pointer.key('ctrl+h');
  await eventually(async () => {
    expect(await focused()).toBe('replace');
  });
  pointer.type('three');
  for (const theme of ['light', 'dark']) {
    await page.setTheme(theme);
    await studio.picture(`chat-search-${theme}`);
  }
  await inEditor('root.querySelector(".cm-search [name=replaceAll]").click()');
  await eventually(async () => {
    expect(await template()).toBe('{{ three }}\n{# two three #}\n');
  });
  // A picture in the other theme took the focus away.
  await inEditor('root.querySelector(".cm-search [name=search]").focus()');
  pointer.key('Escape');
  await eventually(async () => {
    expect(await inEditor<number>('return root.querySelectorAll(".cm-search").length')).toBe(0);
  });
  pointer.key('ctrl+z');
  pointer.key('ctrl+z');
  await eventually(async () => {
    expect(await template()).toBe(before);
  });
});

test('polyfills are switched and the conversation grows', async () => {
  const flagStates = await flags();
  const tools = JSON.parse(TOOLS) as unknown;
  await studio.page.pressIn('Chat panel', 'Conversation');
  await studio.page.type('Tools', TOOLS);
  await agrees(() => expected([...flagStates, '--polyfill'], { thinking: true, tools }));
  expect(await studio.page.chatText()).toContain('look_up');

  await studio.page.pressIn('Chat panel', 'Capabilities');
  await studio.page.pressLabel('Describe tools in the system message');
  await eventually(async () => {
    expect(await studio.page.chatText()).not.toContain('look_up');
  });
  for (const theme of ['light', 'dark']) {
    await studio.page.setTheme(theme);
    await studio.page.pointerAway();
    await studio.picture(`chat-${theme}`);
  }
});

test('what was set is there again after a restart', async () => {
  await studio.page.pressIn('Chat panel', 'Conversation');
  await studio.page.pressWords('Add message');
  await studio.page.type('Content of message 2', 'Well?');
  const before = await eventually(async () => {
    const text = await studio.page.chatText();
    expect(text).toContain('assistant\nWell?');
    return text;
  });
  // The driver ends the window without asking; work not yet in the store would be lost by that.
  await eventually(() => {
    expect(home.keeps('Well?')).toBe(true);
  });
  await studio.close();
  await reopen();
  await eventually(async () => {
    expect(await studio.page.chatText()).toBe(before);
  });
});
