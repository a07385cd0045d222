// The processes of a program under measurement, and the memory they take.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** What the kernel tells of itself and of processes. */
export const read = (file: string): string => readFileSync(file, 'utf8');

/** The processes of a program and all they started. */
export const family = (program: string): number[] => {
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

/** Proportional set size of a process, in kB. */
const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${String(pid)}/smaps_rollup`))?.[1]);

/** The memory of a program and all it started, in MB. */
export const memoryOfFamily = (program: string): number =>
  family(program)
    .map(memoryOf)
    .reduce((all, one) => all + one, 0) / 1024;
