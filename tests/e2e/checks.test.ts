// Checks by mouse and keyboard at the display: a prompt is kept as a check, an edit breaks it, its
// seed is opened and its new golden text accepted. The verdicts on the screen are those that the
// command line gives for the saved files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { promptdeck } from './programs';
import { eventually } from './wait';
import { home, opens, studio } from './window-fixture';

const FILE = 'trivia_host.json';
const CHECKS = 'trivia_host.checks.json';
const KEEP = '[data-column="preview"] button[aria-label="Keep the prompt as check"]';

opens(['Trivia Host', FILE]);

interface Verdict {
  name: string;
  status: 'passed' | 'failed' | 'invalid';
  failures?: { expectation: string; seed: number | null; found: string; actual?: string }[];
}

/** What the command line says of the files as they are saved. */
const verdicts = (): Verdict[] => {
  const file = join(home.registries, FILE);
  const args = ['test', file, '--format', 'json'];
  let text: string;
  try {
    text = promptdeck(args, home.env);
  } catch (error) {
    // Status 1: some checks fail, and the report is printed all the same.
    text = String((error as { stdout: unknown }).stdout);
  }
  const [report] = JSON.parse(text) as { checks: Verdict[] }[];
  return report?.checks ?? [];
};

const checksFile = (): {
  checks: { name: string; given?: unknown; expect: { text?: string }[] }[];
} =>
  JSON.parse(readFileSync(join(home.registries, CHECKS), 'utf8')) as ReturnType<typeof checksFile>;

/** The names of the checks on the screen with the list each is in. */
const rows = async (): Promise<[string, string][]> => {
  const { page } = studio;
  const names = await page.lines('[data-check] .name');
  const groups = await page.all('[data-check]', 'data-group');
  return names.map((name, index) => [name, groups[index] ?? '']);
};

const group = async (name: string): Promise<string | undefined> =>
  (await rows()).find(([each]) => each === name)?.[1];

/** Whether each check holds, by name: once as the window shows it, once as the command line prints it. */
const sameAsCommandLine = async (): Promise<void> => {
  await eventually(async () => {
    const window = (await rows()).map(([name, state]) => [name, state === 'holds']);
    const printed = verdicts().map(({ name, status }) => [name, status === 'passed']);
    const byName = (one: unknown[], other: unknown[]) =>
      String(one[0]).localeCompare(String(other[0]));
    expect(window.toSorted(byName)).toEqual(printed.toSorted(byName));
  });
};

test('the samples’ checks hold in the window as on the command line', async () => {
  const { page } = studio;
  await page.showTab('Checks');
  await page.sees('[data-check]');
  expect((await rows()).length).toBe(verdicts().length);
  await sameAsCommandLine();
});

test('a prompt kept as check goes red with an edit, and opens at its seed', async () => {
  const { page, pointer } = studio;
  pointer.focus();
  const seed = await page.read('Seed');
  const name = `prompt of seed ${seed}`;
  await page.showTab('Prompt');
  await page.showRaw();
  const golden = await page.prompt();
  await pointer.click(KEEP);
  await page.takeUp(`Kept as check “${name}”.`, 'Show');
  await eventually(async () => expect(await group(name)).toBe('holds'));
  pointer.key('ctrl+s');
  await eventually(() => {
    const lastCheck = checksFile().checks.at(-1);
    expect(lastCheck?.name).toBe(name);
    expect(lastCheck?.given).toMatchObject({ seed: Number(seed) });
    expect(lastCheck?.expect[0]?.text).toBe(golden);
  });
  await sameAsCommandLine();

  // The last text of the prompt, typed on where it is printed.
  await page.showTab('Prompt');
  await page.press('Show raw text');
  const spots = await page.all('[aria-label="Evaluated prompt"] [data-spot]', 'data-spot');
  await pointer.click(`[data-spot="${spots.at(-1) ?? ''}"]`);
  await page.sees('[aria-label="Evaluated prompt"] .open');
  pointer.key('End');
  pointer.type(' Now.');
  pointer.key('Escape');
  await page.showTab('Checks');
  await eventually(async () => expect(await group(name)).toBe('review'));
  expect(await page.content('[role="tab"][aria-selected="true"] .badge')).not.toBe('0');
  pointer.key('ctrl+s');
  await sameAsCommandLine();

  const failing = verdicts().find((verdict) => verdict.name === name);
  expect(failing?.failures?.[0]?.seed).toBe(Number(seed));
  // Another roll is on the screen; the check leads back to its own.
  await page.command('roll every');
  await eventually(async () => expect(await page.read('Seed')).not.toBe(seed));
  const row = (await rows()).findIndex(([each]) => each === name);
  const index = (await page.all('[data-check]', 'data-check'))[row] ?? '';
  await pointer.click(`[data-check="${index}"]`);
  pointer.key('Return');
  await eventually(async () => expect(await page.read('Seed')).toBe(seed));
  await page.showRaw();
  await eventually(async () =>
    expect(await page.prompt()).toBe(failing?.failures?.[0]?.actual ?? ''),
  );
});

test('the new golden text is accepted, undone, accepted again and saved', async () => {
  const { page, pointer } = studio;
  const seed = await page.read('Seed');
  const name = `prompt of seed ${seed}`;
  const before = readFileSync(join(home.registries, CHECKS), 'utf8');
  await page.showTab('Checks');
  await eventually(async () => expect(await group(name)).toBe('review'));
  const accept = `button[aria-label="Accept the new text of ${name}"]`;
  if ((await page.count(accept)) === 0) {
    const row = (await rows()).findIndex(([each]) => each === name);
    const index = (await page.all('[data-check]', 'data-check'))[row] ?? '';
    await pointer.click(`[data-check="${index}"]`);
  }
  await pointer.click(accept);
  await eventually(async () => expect(await group(name)).toBe('holds'));
  expect(readFileSync(join(home.registries, CHECKS), 'utf8')).toBe(before);
  const row = (await rows()).findIndex(([each]) => each === name);
  const index = (await page.all('[data-check]', 'data-check'))[row] ?? '';
  await pointer.click(`[data-check="${index}"]`);
  pointer.key('ctrl+z');
  await eventually(async () => expect(await group(name)).toBe('review'));
  pointer.key('ctrl+shift+z');
  await eventually(async () => expect(await group(name)).toBe('holds'));
  pointer.key('ctrl+s');
  await eventually(() =>
    expect(readFileSync(join(home.registries, CHECKS), 'utf8')).not.toBe(before),
  );
  await sameAsCommandLine();
  // The checks of the sample keep their layout.
  const samples = before.slice(0, before.indexOf(name));
  expect(readFileSync(join(home.registries, CHECKS), 'utf8').startsWith(samples)).toBe(true);
});
