// Chat texts on Ray Data, two actors on two processors: a stage with the wheel against a stage with
// transformers, both less a stage that only passes the rows on. Conversations of 20 turns, equal
// texts demanded on every row.
import { join } from 'node:path';

import { root } from '../paths.mjs';
import { turns } from './cases/turns.mjs';
import { measured, printRatios, requireBenchEnvironment } from './shared/wheel.mjs';

await requireBenchEnvironment();
const templates = ['qwen3', 'llama31', 'gptoss'].map((name) =>
  join(root, 'tests', 'chat-templates', `${name}.jinja`),
);
const { rows, passing } = measured(
  'ray_stages.py',
  [],
  JSON.stringify({ messages: turns(20), templates, goals: { qwen3: 6 } }),
);
// Where others load the machine, a stage can take less than passing the rows on took before.
const measurable = rows.filter(({ ours, theirs }) => ours > 0 && theirs > 0);
printRatios(measurable, 'µs a row', (seconds) => (seconds * 1e6).toFixed(1));
for (const { name } of rows.filter((row) => !measurable.includes(row)))
  console.log(`${name}: NOT MEASURED, the machine is too busy`);
console.log(`passing the rows on takes ${(passing * 1e6).toFixed(1)} µs a row`);
