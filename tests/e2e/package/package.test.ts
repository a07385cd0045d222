// The package in a fresh system: it installs on what it depends on alone, both programs start as an
// ordinary user, the manual renders, a file is opened from the desktop entry, and removal leaves
// nothing but the user's own data.
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { root } from '../programs';
import { Home, Studio } from '../studio';
import { eventually } from '../wait';
import { HOME, System } from './system';

const deb = process.env.PROMPTDECK_DEB ?? '';
const version = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
).version;
const SAMPLES = '/usr/share/promptdeck/registries';

let system: System;

beforeAll(() => {
  system = new System();
  system.mustRun('apt-get', ['update']);
  copyFileSync(deb, system.path(`tmp/${basename(deb)}`));
});
afterAll(() => {
  system.remove();
});

/** Opens the window as the words of a command line do, and closes it afterwards. */
const inWindow = async (words: string[], look: (studio: Studio) => Promise<void>) => {
  const home = new Home();
  const studio = await Studio.open(home, undefined, system.launcher(words), []);
  try {
    await look(studio);
  } finally {
    await studio.close();
    await home.remove();
  }
};

/** The window prints what the command line prints for the same file and seed. */
const shows = async (studio: Studio, file: string) => {
  await studio.page.showRaw();
  await eventually(async () => {
    const seed = await studio.page.read('Seed');
    const printed = system.asUser('promptdeck', ['hydrate', file, '--seed', seed]);
    expect(printed.err).toBe('');
    expect(await studio.page.prompt()).toBe(printed.out.replace(/\n$/, ''));
  });
};

test('the smallest system lacks the libraries, and apt finds all of them', () => {
  const lacks = (name: string) => system.asRoot('dpkg-query', ['-W', name]).status !== 0;
  expect(lacks('libgtk-3-0')).toBe(true);
  expect(lacks('libwebkit2gtk-4.1-0')).toBe(true);
  system.install(`/tmp/${basename(deb)}`);
  expect(system.asRoot('dpkg', ['--audit']).out).toBe('');
  expect(system.asRoot('dpkg', ['--verify', 'promptdeck']).out).toBe('');
  for (const program of ['promptdeck', 'promptdeck-studio']) {
    expect(system.mustRun('ldd', [`/usr/bin/${program}`])).not.toContain('not found');
  }
  expect(system.mustRun('ldd', ['/usr/bin/promptdeck'])).not.toMatch(/gtk|gdk|webkit|X11|wayland/);
});

test('the command line answers an ordinary user', () => {
  for (const program of ['promptdeck', 'promptdeck-studio']) {
    const answer = system.asUser(program, ['--version']);
    expect(answer).toEqual({ status: 0, out: `${program} ${version}\n`, err: '' });
  }
  const sample = `${SAMPLES}/trivia_host.json`;
  const venue = ['--var', 'base_context::venue=The Brass Lantern'];
  const prompt = system.asUser('promptdeck', ['hydrate', sample, '--seed', '7', ...venue]);
  expect(prompt.err).toBe('');
  expect(prompt.out).toContain('The Brass Lantern');
  const measured = system.asUser('promptdeck', [
    'profile',
    sample,
    '--rolls',
    '20',
    '--tokenizer',
    'o200k_base',
  ]);
  expect(measured).toMatchObject({ status: 0, err: '' });
  expect(measured.out).toContain('o200k_base');
  expect(system.asUser('promptdeck', ['test', SAMPLES]).status).toBe(0);
});

test('the window opens on the samples, copied to the folder of the user', async () => {
  await inWindow(['promptdeck-studio'], async (studio) => {
    await shows(studio, `${HOME}/Promptdeck/trivia_host.json`);
    await studio.picture('package-first-start');
  });
  expect(system.names(`${HOME}/Promptdeck`)).toContain('noir_roller.json');
  expect(system.exists(`${HOME}/.local/share/promptdeck/store.sqlite`)).toBe(true);
});

test('the desktop entry opens a file in its folder', async () => {
  const entry = system.read('/usr/share/applications/promptdeck-studio.desktop');
  const exec = /^Exec=(.+)$/m.exec(entry)?.[1]?.split(' ') ?? [];
  const open = (file: string) => exec.map((word) => (word === '%f' ? file : word));
  const folder = `${HOME}/My decks`;
  system.mustRun('install', ['-d', '-o', 'author', folder]);
  for (const name of ['noir_roller.json', 'support_desk.json', 'trivia_host.json'])
    system.mustRun('install', ['-o', 'author', `${SAMPLES}/${name}`, folder]);
  await inWindow(open(`${folder}/support_desk.json`), (studio) =>
    shows(studio, `${folder}/support_desk.json`),
  );
  // Any other JSON file is refused by name, and the registries beside it stay at hand.
  system.write(`${folder}/package.json`, '{"name": "site"}');
  await inWindow(open(`${folder}/package.json`), async (studio) => {
    await eventually(async () => {
      expect(await studio.page.content('body')).toContain('package.json is not a registry');
    });
    // The text is there before its frame is painted.
    await studio.window.executeAsyncScript(
      'const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));',
    );
    await studio.picture('package-no-registry');
  });
});

test('registries are recognized, and other JSON files keep their program', () => {
  system.install('desktop-file-utils', 'shared-mime-info', 'libglib2.0-bin');
  const applications = '/usr/share/applications';
  system.mustRun('desktop-file-validate', [`${applications}/promptdeck-studio.desktop`]);
  const editor =
    '[Desktop Entry]\nType=Application\nName=Editor\nExec=cat %f\nMimeType=text/plain;\n';
  system.write(`${HOME}/.local/share/applications/editor.desktop`, editor);
  const defaults = '[Default Applications]\ntext/plain=editor.desktop\n';
  system.write(`${HOME}/.config/mimeapps.list`, defaults);
  const typeOf = (file: string) => {
    const { out } = system.asUser('gio', ['info', '-a', 'standard::content-type', file]);
    return /content-type: (.+)/.exec(out)?.[1];
  };
  const defaultOf = (type: string) =>
    /^Default .*: (.+)$/m.exec(system.asUser('gio', ['mime', type]).out)?.[1];
  const registry = 'application/x-promptdeck-registry+json';
  const samples = system.names(SAMPLES).filter((name) => /^[a-z_]+\.json$/.test(name));
  expect(samples.length).toBeGreaterThan(3);
  for (const name of samples) expect(typeOf(`${SAMPLES}/${name}`)).toBe(registry);
  expect(defaultOf(registry)).toBe('promptdeck-studio.desktop');
  for (const other of [`${HOME}/My decks/package.json`, `${SAMPLES}/noir_roller.checks.json`])
    expect(typeOf(other)).toBe('application/json');
  expect(defaultOf('application/json')).toBe('editor.desktop');
});

test('every page of the manual renders', () => {
  system.install('man-db');
  const { status, out } = system.asUser('man', ['promptdeck-hydrate']);
  expect(status).toBe(0);
  expect(out).toContain('promptdeck-hydrate - Print the prompt of a registry and a state');
  const folder = '/usr/share/man/man1';
  const pages = system.names(folder).filter((name) => name.startsWith('promptdeck'));
  const missing: string[] = [];
  for (const page of pages) {
    const manual = system.asUser('man', ['--warnings', '--local-file', `${folder}/${page}`]);
    expect({ page, status: manual.status, err: manual.err }).toEqual({ page, status: 0, err: '' });
    const named = manual.out.match(/promptdeck(-[a-z]+)*\(1\)/g) ?? [];
    missing.push(...named.filter((name) => !pages.includes(name.replace('(1)', '.1.gz'))));
  }
  expect(missing).toEqual([]);
  const verbs = system.asUser('promptdeck', ['completions', 'bash']).out;
  expect(system.read('/usr/share/bash-completion/completions/promptdeck')).toBe(verbs);
});

test("removal leaves nothing but the user's own data", () => {
  const before = system.paths();
  const owned = system.mustRun('dpkg', ['-L', 'promptdeck']).split('\n').filter(Boolean);
  const shared = (path: string) => system.asRoot('dpkg', ['-S', path]).out.includes(',');
  const foreign = owned.filter((path) => before.has(path) && !shared(path));
  expect(foreign.length).toBeGreaterThan(50);
  system.mustRun('apt-get', ['purge', '--yes', 'promptdeck']);
  const after = system.paths();
  expect(foreign.filter((path) => after.has(path))).toEqual([]);
  const left = [...after.keys()].filter(
    (path) => /promptdeck/i.test(path) && !path.startsWith(HOME),
  );
  expect(left).toEqual([]);
  expect(system.read('/var/lib/dpkg/status')).not.toMatch(/^Package: promptdeck$/m);
  for (const userFile of ['Promptdeck/trivia_host.json', '.local/share/promptdeck/store.sqlite'])
    expect(system.exists(join(HOME, userFile))).toBe(true);
});
