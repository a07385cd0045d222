// What the studio does on a machine without a display, or with a data folder that cannot be written.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { programs } from './programs';
import { opens, studio } from './window-fixture';

const started = (display: string) =>
  spawnSync(programs.studio, [], {
    encoding: 'utf8',
    env: { ...process.env, DISPLAY: display, WAYLAND_DISPLAY: '' },
  });

test('without a display it says so in one line', () => {
  for (const [display, why] of [
    ['', 'there is no display (DISPLAY and WAYLAND_DISPLAY are empty)'],
    [':9977', 'the display cannot be opened (DISPLAY=:9977)'],
  ] as const) {
    const { status, stdout, stderr } = started(display);
    expect([status, stdout]).toEqual([2, '']);
    const lines = stderr.split('\n').filter((line) => line.startsWith('promptdeck-studio:'));
    expect(lines).toEqual([`promptdeck-studio: ${why}; the command promptdeck works without one`]);
    expect(stderr).not.toContain('panicked');
  }
});

describe('where the data folder is a file', () => {
  opens(undefined, (home) => {
    writeFileSync(join(home.folder, 'data'), '');
  });

  test('the window opens and shows a registry', async () => {
    await studio.page.openRegistry('Trivia Host', 'trivia_host.json');
    await studio.page.showRaw();
    expect(await studio.page.prompt()).not.toBe('');
  });
});
