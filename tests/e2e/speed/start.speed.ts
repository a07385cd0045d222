// The studio's start and memory against a window of the same build with nothing in it: from the
// start of the process to the first card drawn, and the proportional memory of all its processes.
import { afterAll, test } from 'vitest';

import { programs } from '../programs';
import { Home, Studio } from '../studio';
import { family, memoryOfFamily, read } from './processes';
import { quantile } from './stopwatch';

const ROUNDS = 7;
/** Until what was asked for at the start has come, in milliseconds. */
const SETTLED = 1500;

/** When the first frame with something to see was drawn: a card, where there are cards. */
const PAINTED = `
  const [frame] = performance.getEntriesByName('first-contentful-paint');
  const [card] = performance.getEntriesByName('first-card');
  return performance.timeOrigin + Math.max(frame.startTime, card?.startTime ?? 0);
`;

interface Figures {
  start: number;
  memory: number;
}

/** When a process began, in milliseconds of the Unix clock; the kernel counts hundredths. */
const begun = (pid: number): number => {
  const booted = Date.now() - Number(read('/proc/uptime').split(' ')[0]) * 1000;
  // What follows the name in parentheses; the 22nd field of the whole is the start.
  const fields =
    read(`/proc/${String(pid)}/stat`)
      .split(') ')[1]
      ?.split(' ') ?? [];
  return booted + Number(fields[19]) * 10;
};

const measure = async (program: string, home: Home): Promise<Figures> => {
  const studio = await Studio.open(home, undefined, program);
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLED));
    const painted: number = await studio.window.executeScript(PAINTED);
    const [first = 0] = family(program);
    return { start: painted - begun(first), memory: memoryOfFamily(program) };
  } finally {
    await studio.close();
    await home.ended();
  }
};

const table: Record<string, Record<string, string>> = {};
// Each program starts again where it was before; the first start of all makes store and caches and
// is shown apart.
const [bareHome, studioHome] = [new Home(), new Home()];

afterAll(async () => {
  console.table(table);
  await bareHome.remove();
  await studioHome.remove();
});

test('start and memory', async () => {
  const first = {
    bare: await measure(programs.bareWindow, bareHome),
    studio: await measure(programs.studio, studioHome),
  };
  const rounds: { studio: Figures; bare: Figures }[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    rounds.push({
      bare: await measure(programs.bareWindow, bareHome),
      studio: await measure(programs.studio, studioHome),
    });
  }
  const middle = (of: (round: (typeof rounds)[number]) => number) => quantile(rounds.map(of), 0.5);
  const [bareStart, start] = [middle((r) => r.bare.start), middle((r) => r.studio.start)];
  const [bareMemory, memory] = [middle((r) => r.bare.memory), middle((r) => r.studio.memory)];
  table['bare window'] = {
    'first drawn ms': bareStart.toFixed(0),
    'very first ms': first.bare.start.toFixed(0),
    'memory MB': bareMemory.toFixed(1),
  };
  table.studio = {
    'first drawn ms': start.toFixed(0),
    'very first ms': first.studio.start.toFixed(0),
    'memory MB': memory.toFixed(1),
    'start ratio': (start / bareStart).toFixed(2),
    'memory ratio': (memory / bareMemory).toFixed(2),
  };
});
