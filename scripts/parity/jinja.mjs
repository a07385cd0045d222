// Renders chat templates with npm's @huggingface/jinja. Reads cases from standard input, a JSON
// document each line, and writes what it makes of each. The argument is the time of the cases.
import { createInterface } from 'node:readline';

import { Template } from '@huggingface/jinja';

/** How often a case is rendered; the fastest time counts. */
const ROUNDS = 5;

/** The functions of the engine read the clock of the program. */
const now = new Date(process.argv[2]);
globalThis.Date = class extends Date {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now] : parts));
  }
};

const templates = new Map();
const compiled = (source) => {
  if (!templates.has(source)) {
    let template;
    try {
      template = new Template(source);
    } catch {
      template = undefined;
    }
    templates.set(source, template);
  }
  return templates.get(source);
};

const rendered = ({ template: source, context }) => {
  let nanoseconds;
  try {
    let text;
    const template = compiled(source);
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = process.hrtime.bigint();
      text = template.render(context);
      const passed = Number(process.hrtime.bigint() - began);
      nanoseconds = Math.min(passed, nanoseconds ?? passed);
    }
    return { text, nanoseconds };
  } catch {
    return { text: null, nanoseconds: null };
  }
};

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const answer = { '@huggingface/jinja': rendered(JSON.parse(line)) };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
