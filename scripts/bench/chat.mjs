// Chat templates over conversations of 20 turns, templates compiled before: this engine against
// Python's jinja2 and npm's @huggingface/jinja, in one run; equal texts demanded. And what one more
// message costs in conversations of 20 and of 200 turns, what inspecting a template takes, and how
// soon templates made to harm are stopped.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Template } from '@huggingface/jinja';

import { oraclePython, root } from '../paths.mjs';
import { stop } from '../say.mjs';

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather at a place.',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'Where.' },
          unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        },
        required: ['city'],
      },
    },
  },
  {
    type: 'function',
    function: {
      name: 'search',
      description: 'Looks something up.',
      parameters: { type: 'object', properties: { query: { type: 'string' } } },
    },
  },
];

const turns = (count) => [
  { role: 'system', content: 'You are a helpful assistant.' },
  ...Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { role: 'user', content: `Question ${index}: what comes next, and why would it?` }
      : {
          role: 'assistant',
          content: `Answer ${index}.\n\nIt depends on a few things, and here they are in some detail.`,
        },
  ),
  { role: 'user', content: 'And now?' },
];

const folder = join(root, 'tests', 'chat-templates');
const cases = readdirSync(folder)
  .sort()
  .flatMap((file) => {
    const name = file.replace('.jinja', '');
    const base = {
      template: readFileSync(join(folder, file), 'utf8'),
      messages: turns(20),
      tools: null,
      bos_token: '<s>',
      eos_token: '</s>',
    };
    return [
      { ...base, name },
      { ...base, name: `${name}, tools`, tools: TOOLS },
      { ...base, name: `${name}, 200 turns`, messages: turns(200) },
    ];
  });

const medianTime = (call) => {
  const samples = Array.from({ length: 9 }, () => {
    const begun = process.hrtime.bigint();
    let calls = 0;
    let passed = 0n;
    while (passed < 40_000_000n) {
      call();
      calls += 1;
      passed = process.hrtime.bigint() - begun;
    }
    return Number(passed) / calls;
  });
  return samples.toSorted((a, b) => a - b)[4];
};

/** The same clock for all three. */
const strftime = (format) =>
  format.replace('%Y-%m-%d', '2024-07-26').replace('%d %b %Y', '26 Jul 2024');

const inJavaScript = ({ name, template, messages, tools, bos_token, eos_token }) => {
  try {
    const compiled = new Template(template);
    const variables = {
      messages,
      tools,
      documents: null,
      add_generation_prompt: true,
      bos_token,
      eos_token,
      strftime_now: strftime,
      raise_exception: (message) => {
        throw new Error(message);
      },
    };
    const text = compiled.render(variables);
    return { name, text, whole: medianTime(() => compiled.render(variables)) };
  } catch (error) {
    return { name, failed: error.message };
  }
};

/** What a program prints, line by line; its messages are shown. */
const lines = (command, args, env = {}) => {
  const { status, stdout } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) stop(`${command} ended with exit status ${status}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
};

const temporary = mkdtempSync(join(tmpdir(), 'promptdeck-bench-'));
try {
  const path = join(temporary, 'cases.json');
  writeFileSync(path, JSON.stringify(cases));
  const ours = lines(
    'cargo',
    ['bench', '--locked', '--quiet', '--package', 'promptdeck-tests', '--bench', 'chat_templates'],
    { PROMPTDECK_BENCH_CASES: path },
  );
  const python = lines(oraclePython, [join(root, 'scripts', 'bench', 'chat.py'), path]);
  const javascript = cases.map(inJavaScript);
  const micro = (nanoseconds) => (nanoseconds / 1000).toFixed(1);
  console.log('microseconds for one rendering; how many times faster this engine is');
  console.log(
    `${'template'.padEnd(22)}${['here', 'jinja2', 'x', 'hf/jinja', 'x', 'one more', 'inspect ms'].map((head) => head.padStart(11)).join('')}`,
  );
  for (const [index, own] of ours.entries()) {
    if (own.text !== python[index].text) stop(`${own.name}: jinja2 gives another text`);
    const other = javascript[index];
    const cells = [
      micro(own.whole),
      micro(python[index].whole),
      (python[index].whole / own.whole).toFixed(1),
      other.failed ? 'fails' : micro(other.whole),
      other.failed ? '' : (other.whole / own.whole).toFixed(1),
      micro(own.incremental),
      (own.inspect / 1e6).toFixed(2),
    ];
    const note = other.failed
      ? `  ${other.failed}`
      : other.text === own.text
        ? ''
        : '  hf/jinja: another text';
    console.log(`${own.name.padEnd(22)}${cells.map((cell) => cell.padStart(11)).join('')}${note}`);
  }
  console.log('\ntemplates made to harm, and how soon they are stopped');
  const { status } = spawnSync(
    'cargo',
    [
      'bench',
      '--locked',
      '--quiet',
      '--package',
      'promptdeck-tests',
      '--bench',
      'hostile_templates',
    ],
    { cwd: root, stdio: 'inherit' },
  );
  if (status !== 0) stop('a hostile template ran for more than a quarter of a second');
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
