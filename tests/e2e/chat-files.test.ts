// What is chosen in the Chat tab through the system's dialogs: a model folder, a GGUF file, a template
// to compare with; what they bring is what the command line renders, a change on disk is seen, and
// what is copied is what another program pastes.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck, root } from './programs';

const FILE = 'trivia_host.json';

/** The title the toolkit gives its dialogs. */
const OPEN_FILE = 'Open File';
const OPEN_FOLDER = 'Select Folder';

const modelPath = (name: string): string =>
  readFileSync(join(root, 'tests', 'chat-templates', `${name}.jinja`), 'utf8');

opens(['Trivia Host', FILE]);

beforeAll(async () => {
  await studio.page.showTab('Chat');
  // The deck has a call document; the messages here are those of the example.
  await studio.page.choose('Messages of', 'Example');
});

/** A GGUF file with nothing but metadata: texts, and lists of texts. */
const gguf = (metadata: Record<string, string | number | string[]>): Buffer => {
  const u32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const u64 = (value: number): Buffer => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
  };
  const words = (value: string): Buffer => {
    const bytes = Buffer.from(value);
    return Buffer.concat([u64(bytes.length), bytes]);
  };
  const [UINT32, STRING, ARRAY] = [4, 8, 9];
  const entries = Object.entries(metadata).map(([key, value]) => {
    if (typeof value === 'number') return [words(key), u32(UINT32), u32(value)];
    if (typeof value === 'string') return [words(key), u32(STRING), words(value)];
    return [words(key), u32(ARRAY), u32(STRING), u64(value.length), ...value.map(words)];
  });
  return Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(0),
    u64(entries.length),
    ...entries.flat(),
  ]);
};

/** A tokenizer that splits at white space. */
const tokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor: null,
  decoder: null,
  model: { type: 'WordLevel', vocab: { '[UNK]': 0 }, unk_token: '[UNK]' },
};

const chatText = (): Promise<string> => studio.page.chatText();

const prompt = async (): Promise<string> => {
  const seed = await studio.page.read('Seed');
  return promptdeck(['hydrate', join(home.registries, FILE), '--seed', seed], home.env);
};

const messages = async (): Promise<{ role: string; content: string }[]> => [
  { role: 'system', content: await prompt() },
  { role: 'user', content: 'Hello.' },
];

/** What the command line renders with a template. */
const expected = async (template: string, tokens: object = {}): Promise<string> => {
  const [file, question] = [
    join(home.folder, 'expected.jinja'),
    join(home.folder, 'question.json'),
  ];
  writeFileSync(file, template);
  const asked = {
    messages: await messages(),
    add_generation_prompt: true,
    extra: { enable_thinking: false },
    ...tokens,
  };
  writeFileSync(question, JSON.stringify(asked));
  const args = ['chat', 'render', question, '--template', file, '--format', 'json'];
  return (JSON.parse(promptdeck(args, home.env)) as { output: string }).output;
};

const agrees = (text: () => Promise<string>): Promise<void> =>
  eventually(async () => {
    expect(await chatText()).toBe(await text());
  });

/** Waits until a place shows these words. */
const shows = (selector: string, words: string | RegExp): Promise<void> =>
  eventually(async () => {
    expect(await studio.page.content(selector)).toMatch(words);
  });

const TAB = '[role=tabpanel]';
const PANEL = 'section[aria-label="Chat panel"]';

const alerts = async (): Promise<string> =>
  (await studio.page.lines(`${TAB} [role=alert]`)).join('\n');

const folder = (): string => join(home.folder, 'tiny-qwen3');

test('a model folder brings its template, its tokens and its tokenizer', async () => {
  mkdirSync(folder());
  const config = {
    chat_template: modelPath('qwen3'),
    eos_token: '<|im_end|>',
    name_or_path: 'Qwen3-tiny',
  };
  writeFileSync(join(folder(), 'tokenizer_config.json'), JSON.stringify(config));
  writeFileSync(join(folder(), 'tokenizer.json'), JSON.stringify(tokenizer));
  await studio.page.choose('Template', 'Open model folder…');
  await studio.choose(OPEN_FOLDER, folder());
  await agrees(() => expected(modelPath('qwen3'), { eos_token: '<|im_end|>' }));
  await shows(TAB, 'from tokenizer_config.json');
  const count = (await chatText()).split(/\s+/).filter((word) => word !== '').length;
  await shows(TAB, `${count.toLocaleString('en')} tokens, tiny-qwen3 tokenizer.json`);
});

test('it is read again when it changes, and reported when it is gone', async () => {
  const changed = modelPath('qwen3').replaceAll('<|im_end|>', '<|end|>');
  const path = join(folder(), 'chat_template.jinja');
  writeFileSync(path, changed);
  await agrees(() => expected(changed));
  const before = await chatText();
  // Gone at once: file by file, it would be read without its template for a moment.
  renameSync(folder(), `${folder()}-gone`);
  await eventually(async () => {
    expect(await alerts()).toMatch(/tiny-qwen3 cannot be read/);
  });
  expect(await chatText()).toBe(before);
  for (const theme of ['light', 'dark']) {
    await studio.page.setTheme(theme);
    await studio.picture(`chat-gone-${theme}`);
  }
  mkdirSync(folder());
  writeFileSync(path, modelPath('qwen3'));
  await agrees(() => expected(modelPath('qwen3')));
  await eventually(async () => {
    expect(await alerts()).toBe('');
  });
});

test('a GGUF file brings the template and the tokens of its header', async () => {
  const path = join(home.folder, 'tiny.gguf');
  const header = gguf({
    'general.architecture': 'llama',
    'general.name': 'Tiny Llama 3.1',
    'tokenizer.chat_template': modelPath('llama31'),
    'tokenizer.ggml.tokens': ['<unk>', '<|begin_of_text|>', '<|eot_id|>'],
    'tokenizer.ggml.bos_token_id': 1,
    'tokenizer.ggml.eos_token_id': 2,
  });
  writeFileSync(path, header);
  await studio.page.choose('Template', 'Open template or GGUF file…');
  await studio.choose(OPEN_FILE, path);
  await shows(TAB, 'from tiny.gguf');
  await agrees(async () =>
    expected(modelPath('llama31'), { bos_token: '<|begin_of_text|>', eos_token: '<|eot_id|>' }),
  );
  expect(await chatText()).toMatch(/^<\|begin_of_text\|><\|start_header_id\|>/);
});

test('two templates are compared over the test conversations', async () => {
  const path = join(home.folder, 'other.jinja');
  writeFileSync(path, modelPath('llama31'));
  await studio.page.pressIn('Chat panel', 'Compare');
  await studio.page.choose('Compare with', 'Another file…');
  await studio.choose(OPEN_FILE, path);
  // The one lacks the token texts begin with, and nothing else; neither takes two calls at once.
  await shows(PANEL, /1 of 11 identical.*Two calls at once\s+both fail/s);
  await studio.page.pressWords('One question');
  await shows(PANEL, '<|begin_of_text|>');
  writeFileSync(path, `<|begin_of_text|>${modelPath('llama31')}`);
  await shows(PANEL, '11 of 11 identical');
  for (const theme of ['light', 'dark']) {
    await studio.page.setTheme(theme);
    await studio.picture(`chat-compare-${theme}`);
  }
});

test('what is copied is what another program pastes', async () => {
  const copied = async (form: string, expected: string): Promise<string> => {
    await studio.page.menu('Copy the conversation', form);
    await eventually(async () => {
      expect(await studio.page.source()).toContain(expected);
    });
    return studio.clipboard();
  };
  const text = await chatText();
  expect(await copied('Copy chat text', 'Chat text copied.')).toBe(text);
  const body = await copied('Copy chat as JSON messages', 'Messages copied.');
  expect(JSON.parse(body)).toEqual({ messages: await messages() });
  const curl = await copied('Copy chat as curl', 'curl command copied.');
  const quoted = /^curl \S+ -H 'Content-Type: application\/json' -d '(.*)'\n$/s.exec(curl)?.[1];
  const sent = JSON.parse((quoted ?? '').replaceAll("'\\''", "'")) as { prompt: string };
  expect(sent.prompt).toBe(text);
});

test('a template file is counted with the tokenizer beside it, and marks what it trains', async () => {
  const marking = `{% for m in messages %}{% if m.role == 'assistant' %}<|assistant|>
{% generation %}{{ m.thinking }}: {{ m.content }}<|end|>{% endgeneration %}{% else %}<|{{ m.role }}|>
{{ m.content }}<|end|>{% endif %}{% endfor %}`;
  const templates = join(home.folder, 'templates');
  mkdirSync(templates);
  writeFileSync(join(templates, 'marking.jinja'), marking);
  writeFileSync(join(templates, 'tokenizer.json'), JSON.stringify(tokenizer));
  await studio.page.choose('Template', 'Open template or GGUF file…');
  await studio.choose(OPEN_FILE, join(templates, 'marking.jinja'));
  await shows(TAB, 'from marking.jinja');
  await studio.page.pressIn('Chat panel', 'Capabilities');
  await shows(TAB, 'tokens, marking.jinja tokenizer.json');

  await studio.page.pressIn('Chat panel', 'Conversation');
  await studio.page.pressWords('Add message');
  await studio.page.type('Content of message 2', 'Gladly.');
  await studio.page.press('Add fields to message 2');
  await studio.page.type('Additional fields of message 2', '{"reasoning_content": "Hm"}');
  const trained = async (): Promise<string> =>
    (await studio.page.lines(`${TAB} .text .generated`)).join('');
  await eventually(async () => {
    expect(await trained()).toBe('Hm: Gladly.<|end|>');
  });
  for (const theme of ['light', 'dark']) {
    await studio.page.setTheme(theme);
    await studio.window.executeScript(
      "document.querySelector('.text .generated').scrollIntoView({ block: 'nearest' })",
    );
    await studio.page.pointerAway();
    await studio.picture(`chat-trained-${theme}`);
  }
  await studio.page.setSwitch('Set reasoning under every field name that templates use', false);
  await eventually(async () => {
    expect(await trained()).toBe(': Gladly.<|end|>');
  });

  await studio.page.pressIn('Chat panel', 'Capabilities');
  for (const theme of ['light', 'dark']) {
    await studio.page.setTheme(theme);
    await studio.page.pressRow('button[title="Proof: Uses the clock"]');
    await shows('[role=dialog][aria-label="Proof: Uses the clock"]', /July 2024.*December 2031/s);
    await studio.picture(`chat-proof-${theme}`);
  }
});

test('the window itself never scrolls, however long a panel is', async () => {
  await shows(PANEL, 'Write tool calls into the content');
  const scrolled = await studio.window.executeScript<string[]>(
    `const scrolls = (each) => ['auto', 'scroll'].includes(getComputedStyle(each).overflowY);
     for (const each of document.querySelectorAll('body, body :not(.vh)')) {
       if (!scrolls(each)) each.scrollTop = 1000;
     }
     return [...document.querySelectorAll('body, body :not(.vh)')]
       .filter((each) => each.scrollTop > 0 && !scrolls(each))
       .map((each) => each.className)`,
  );
  expect(scrolled).toEqual([]);
});
