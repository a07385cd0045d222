// The studio's start and memory against a window of the same build with nothing in it: from the
// start of the process to the first card drawn, step by step, and the proportional memory of all
// its processes.
import { afterAll, test } from 'vitest';

import { programs } from '../programs';
import { Home, Studio } from '../studio';
import { atMost, type Goal } from './goals';
import { begun, family, memoryByProcess } from './processes';
import { quantile } from './stopwatch';

const ROUNDS = 7;
/** Until what was asked for at the start has come, in milliseconds. */
const SETTLED = 1500;
const START_GOAL = 1.4;
const MEMORY_GOAL = 1.3;

/** The moments of a start, in milliseconds of the Unix clock; those of the page that has them. */
const MOMENTS = `
  const marked = (name) => performance.getEntriesByName(name)[0]?.startTime ?? 0;
  const { timeOrigin } = performance;
  return {
    navigation: timeOrigin,
    script: timeOrigin + marked('script-run'),
    answer: timeOrigin + marked('first-answer'),
    card: timeOrigin + marked('first-card'),
    drawn: timeOrigin + Math.max(marked('first-contentful-paint'), marked('first-card')),
  };
`;

interface Moments {
  navigation: number;
  script: number;
  answer: number;
  card: number;
  drawn: number;
}

interface Figures {
  /** From one moment to the next. */
  steps: Record<string, number>;
  start: number;
  memory: Record<string, { all: number; own: number }>;
}

const measure = async (program: string, home: Home): Promise<Figures> => {
  const studio = await Studio.open(home, undefined, program);
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLED));
    const at: Moments = await studio.window.executeScript(MOMENTS);
    const [first = 0] = family(program);
    const process = begun(first);
    const ofPage: Record<string, number> =
      program === programs.studio
        ? {
            'page and script loaded and run': at.script - at.navigation,
            'answer of the service': at.answer - at.script,
            'cards made': at.card - at.answer,
            'layout and paint': at.drawn - at.card,
          }
        : { 'layout and paint': at.drawn - at.navigation };
    return {
      steps: { 'process, toolkit, WebKit': at.navigation - process, ...ofPage },
      start: at.drawn - process,
      memory: memoryByProcess(program),
    };
  } finally {
    await studio.close();
    await home.ended();
  }
};

const whole = (memory: Figures['memory']): number =>
  Object.values(memory).reduce((all, one) => all + one.all, 0);

const middle = (rounds: Figures[], of: (figures: Figures) => number): number =>
  quantile(rounds.map(of), 0.5);

const tables: Record<string, Record<string, string> | Goal>[] = [];
// Each program starts again where it was before; the first start of all makes store and caches and
// is shown apart.
const homes = { bare: new Home(), studio: new Home() };

afterAll(async () => {
  for (const table of tables) console.table(table);
  await homes.bare.remove();
  await homes.studio.remove();
});

test('start and memory', async () => {
  const first = {
    bare: await measure(programs.bareWindow, homes.bare),
    studio: await measure(programs.studio, homes.studio),
  };
  const rounds: { bare: Figures[]; studio: Figures[] } = { bare: [], studio: [] };
  for (let n = 0; n < ROUNDS; n += 1) {
    rounds.bare.push(await measure(programs.bareWindow, homes.bare));
    rounds.studio.push(await measure(programs.studio, homes.studio));
  }

  const columns = ['bare', 'studio'] as const;
  const row = (digits: number, of: (figures: Figures) => number) =>
    Object.fromEntries(
      columns.map((column) => [column, middle(rounds[column], of).toFixed(digits)]),
    );
  const steps = Object.keys(first.studio.steps).map((step) => [
    `${step}, ms`,
    row(0, (figures) => figures.steps[step] ?? 0),
  ]);
  const processes = columns
    .flatMap((column) => Object.keys(first[column].memory))
    .flatMap((name) => [
      [`${name}, MB`, row(1, (figures) => figures.memory[name]?.all ?? 0)],
      [`${name}, no file, MB`, row(1, (figures) => figures.memory[name]?.own ?? 0)],
    ]);
  const ratio = (of: (figures: Figures) => number) =>
    middle(rounds.studio, of) / middle(rounds.bare, of);
  tables.push(
    Object.fromEntries([
      ...steps,
      ['first drawn, ms', row(0, (figures) => figures.start)],
      [
        'first drawn at the very first start, ms',
        Object.fromEntries(columns.map((column) => [column, first[column].start.toFixed(0)])),
      ],
    ]),
    Object.fromEntries([...processes, ['all, MB', row(1, (figures) => whole(figures.memory))]]),
    {
      start: atMost(
        ratio((figures) => figures.start),
        START_GOAL,
        'x',
        2,
      ),
      memory: atMost(
        ratio((figures) => whole(figures.memory)),
        MEMORY_GOAL,
        'x',
        2,
      ),
    },
  );
});
