// The window answers while something works: slow trials of an output policy, open dialogs, and a
// pipe that lies in the folder. Asked through the window's real commands.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { opens, studio } from './window-fixture';

const SOON = 4000;
const TITLE = 'Export model JSON';

/** As much work for each trial as the limits of patterns grant it. */
const slow = {
  version: 22,
  title: 'Slow',
  assembly_order: ['base_context'],
  base_context: { required: true, items: [{ id: 'scene', text: 'You are at the bar.' }] },
  output_policy: {
    forbidden_patterns: Array.from({ length: 4000 }, (_, n) => `(?i)[a-y ]+z${String(n)}!`),
  },
};

opens(['Slow', 'slow.json'], (home) => {
  writeFileSync(join(home.registries, 'slow.json'), JSON.stringify(slow));
  execFileSync('mkfifo', [
    join(home.registries, 'a_pipe.json'),
    join(home.registries, 'calls', 'a_pipe.json'),
  ]);
});

interface Answers {
  /** Milliseconds until each command answered. */
  took: Record<string, number>;
  /** How many trials were answered by then. */
  trials: number;
}

/** Asks commands one after the other while the slow ones run; `begin` starts those. */
const ask = (begin: string): Promise<Answers> =>
  studio.window.executeAsyncScript<Answers>(`
    const done = arguments[arguments.length - 1];
    const { invoke } = window.__TAURI_INTERNALS__;
    const document = 'slow.json';
    const text = 'quite a long text without that letter '.repeat(10000);
    let trials = 0;
    const over = () => (trials += 1);
    ${begin}
    const asked = [
      ['save', { document }],
      ['roll', { document }],
      ['undo', { document }],
      ['redo', { document }],
      ['take_snapshot', { document, name: null }],
      ['workspace', {}],
      ['calls', {}],
      ['view', { file: document }],
      ['model_json', { document }],
      ['snapshots', { query: { limit: 10, offset: 0 } }],
    ];
    (async () => {
      const took = {};
      await new Promise((resolve) => setTimeout(resolve, 300));
      for (const [command, args] of asked) {
        const begun = performance.now();
        await invoke(command, args).catch((error) => console.error(command, error));
        took[command] = performance.now() - begun;
      }
      done({ took, trials });
    })();
  `);

const answered = ({ took }: Answers, beside: string) => {
  const times = Object.values(took);
  for (const [command, time] of Object.entries(took)) expect(time, command).toBeLessThan(SOON);
  const slowest = Math.round(Math.max(...times));
  console.log(
    `commands answered beside ${beside}: ${String(times.length)}, slowest ${String(slowest)} ms`,
  );
};

test('two slow trials of an output policy keep no command waiting', async () => {
  const trial = `invoke('try_policy', { document, text }).then(over, () => undefined);`;
  const answers = await ask(trial + trial);
  answered(answers, `two slow trials, ${String(answers.trials)} over by then`);
});

test('open dialogs keep no command waiting', async () => {
  const dialog = `void invoke('export_file', { document });`;
  answered(await ask(dialog + dialog), 'two open dialogs');
  for (let open = 0; open < 2; open += 1) await studio.dismiss(TITLE);
});
