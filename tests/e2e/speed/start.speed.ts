// The studio's start and memory against a window of the same build with nothing in it: from the
// start of the process to the first card drawn, and the proportional memory of all its processes.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { afterAll, test } from 'vitest';

import { programs } from '../programs';
import { Home, Studio } from '../studio';
import { quantile } from './stopwatch';

const ROUNDS = 7;
/** Until what was asked for at the start has come, in milliseconds. */
const SETTLED = 1500;

interface Figures {
  start: number;
  memory: number;
}

const read = (file: string): string => readFileSync(file, 'utf8');

/** The processes of a program and all they started. */
const family = (program: string): number[] => {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)/.exec(line))
    .filter((row) => row !== null)
    .map(([, pid, parent, command]) => ({ pid: Number(pid), parent: Number(parent), command }));
  const found = table.filter(({ command }) => command === program).map(({ pid }) => pid);
  if (found.length !== 1)
    throw new Error(`${basename(program)} runs ${String(found.length)} times`);
  for (const pid of found) {
    found.push(...table.filter(({ parent }) => parent === pid).map((row) => row.pid));
  }
  return found;
};

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

/** Proportional set size of a process, in kB. */
const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${String(pid)}/smaps_rollup`))?.[1]);

const measure = async (program: string, home: Home): Promise<Figures> => {
  const studio = await Studio.open(home, undefined, program);
  try {
    await new Promise((resolve) => setTimeout(resolve, SETTLED));
    const painted: number = await studio.window.executeScript(
      "const [mark] = performance.getEntriesByName('first-card'); return performance.timeOrigin + mark.startTime;",
    );
    const pids = family(program);
    const memory = pids.map(memoryOf).reduce((all, one) => all + one, 0);
    return { start: painted - begun(pids[0] ?? 0), memory };
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
    'memory MB': (bareMemory / 1024).toFixed(1),
  };
  table.studio = {
    'first drawn ms': start.toFixed(0),
    'very first ms': first.studio.start.toFixed(0),
    'memory MB': (memory / 1024).toFixed(1),
    'start ratio': (start / bareStart).toFixed(2),
    'memory ratio': (memory / bareMemory).toFixed(2),
  };
});
