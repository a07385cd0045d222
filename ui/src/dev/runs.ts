// Connections and runs to look at: a history of all kinds, and runs that reject once and then
// stream endlessly. Only the dev entry uses it.
import type { RunSummary } from '$lib/ipc';
import { attempt, detail, summary, type FakeRuns, type FakeRunsScene } from '../testing/fake-runs';

const REFUSED = 'The answer is: the Black Sea. Lovely effort, caller six, and a lovely sea.';
const ARRIVING =
  'Caller six, a bold answer, and the Danube thanks you for the attempt. It ends in the Black ' +
  'Sea, as most of us will. Now, pens up for question';

const rejected = attempt(REFUSED, {
  accepted: false,
  reason: 'forbidden substring: "The answer is:"',
  total_ms: 2100,
  completion_tokens: 61,
});

const at = (minutes: number) => Date.now() - minutes * 60_000;

const changed = attempt('', {
  changes: [
    { kind: 'removed', text: 'Sure! ' },
    { kind: 'same', text: 'That is correct, and nobody is sorrier than I am.' },
    { kind: 'removed', text: '\n\n\n' },
    { kind: 'added', text: '\n' },
    { kind: 'same', text: 'Next caller.' },
  ],
  completion_tokens: 54,
});

const runs = [
  detail(
    summary(4, {
      started_at: at(1),
      model: 'llama3.1:8b',
      text: 'That is correct, and nobody is sorrier than I am.',
      tokens: 115,
    }),
    [rejected, changed],
  ),
  detail(
    summary(3, {
      started_at: at(4),
      model: 'llama3.1:8b',
      text: 'Pens down. Hope up. The sea is the Caspian.',
      tokens: 41,
    }),
    [attempt('Pens down. Hope up. The sea is the Caspian.')],
  ),
  detail(
    summary(2, {
      started_at: at(9),
      model: 'llama3.1:8b',
      status: 'rejected',
      reason: 'forbidden substring: "AI"',
      text: 'As an AI language model, I would say the Rhine.',
      tokens: 38,
    }),
    [rejected],
  ),
  detail(
    summary(1, {
      started_at: at(1500),
      model: 'llama3.1:8b',
      status: 'failed',
      text: '',
      tokens: null,
      fault: {
        code: 'refused',
        message:
          'http://localhost:11434/api/chat: nothing answers; start the server or correct the base URL',
      },
    }),
  ),
];

/** Rejects once, then streams on; every other seed of several is done at once. */
function started(fake: FakeRuns): void {
  const several = document.querySelector('[aria-label="Seeds to run"] output')?.textContent;
  const count = Number(several ?? 1);
  for (let number = 0; number < count; number += 1) {
    const glance = number % 2 === 0 ? 'deadpan, sentiment 8' : 'quizmaster, sentiment 3';
    const run: RunSummary = summary(10 + number, {
      started_at: Date.now(),
      model: 'llama3.1:8b',
      status: 'running',
      seed: 740291883516 + number * 7919,
      glance: { text: glance, detail: glance },
    });
    fake.emit({ step: 'begun', run });
    if (count > 1 && number < count - 1) {
      fake.emit({ step: 'judged', id: run.id, attempt: changed });
      const over = { ...run, status: number === 2 ? 'rejected' : 'accepted' } as const;
      fake.emit({ step: 'ended', run: over });
      continue;
    }
    fake.emit({ step: 'judged', id: run.id, attempt: rejected });
    setTimeout(() => fake.emit({ step: 'delta', id: run.id, text: ARRIVING }), 300);
  }
}

const local = {
  name: 'ollama',
  kind: 'ollama',
  base_url: 'http://localhost:11434',
  model: 'llama3.1:8b',
  template: '',
  keyed: false,
  variable: 'PROMPTDECK_API_KEY_OLLAMA',
  in_environment: false,
};

const scene: FakeRunsScene = { connections: [local], runs, started };
export { scene as runs };
