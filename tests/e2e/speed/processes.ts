// The processes of a program under measurement, and the memory they take.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** What the kernel tells of itself and of processes. */
export const read = (file: string): string => readFileSync(file, 'utf8');

/** The processes of a program, run with an argument where one is given, and all they started. */
export const family = (program: string, argument = ''): number[] => {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(line))
    .filter((row) => row !== null)
    .map(([, pid, parent, command = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      // The path may hold blanks, so the words of the command cannot be told apart.
      runs: `${command} `.startsWith(`${program} `) && command.includes(argument),
    }));
  const found = table.filter(({ runs }) => runs).map(({ pid }) => pid);
  if (found.length !== 1)
    throw new Error(`${basename(program)} runs ${String(found.length)} times`);
  for (const pid of found) {
    found.push(...table.filter(({ parent }) => parent === pid).map((row) => row.pid));
  }
  return found;
};

/** Proportional set size of a process, in MB: all of it, and the part that is no file's. */
const memoryOf = (pid: number): { all: number; own: number } => {
  const sizes = read(`/proc/${String(pid)}/smaps_rollup`);
  const size = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(sizes)?.[1]) / 1024;
  return { all: size('Pss'), own: size('Pss_Anon') };
};

/** The memory of a program and all it started, in MB. */
export const memoryOfFamily = (program: string, argument?: string): number =>
  family(program, argument)
    .map((pid) => memoryOf(pid).all)
    .reduce((all, one) => all + one, 0);

/** The memory of each process of a program, by the name of its executable. */
export const memoryByProcess = (program: string): Record<string, { all: number; own: number }> =>
  Object.fromEntries(
    family(program).map((pid) => [
      basename(readlinkSync(`/proc/${String(pid)}/exe`)),
      memoryOf(pid),
    ]),
  );

/** When a process began, in milliseconds of the Unix clock; the kernel counts hundredths. */
export const begun = (pid: number): number => {
  const booted = Date.now() - Number(read('/proc/uptime').split(' ')[0]) * 1000;
  // What follows the name in parentheses; the 22nd field of the whole is the start.
  const fields =
    read(`/proc/${String(pid)}/stat`)
      .split(') ')[1]
      ?.split(' ') ?? [];
  return booted + Number(fields[19]) * 10;
};
