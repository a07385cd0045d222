// What has no value in a prompt of Jinja templates: shown where it would be printed, never part of the
// text that is copied, and a press away from where it is written.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  template_engine: 'jinja',
  assembly_order: ['scene', 'end'],
  scene: {
    template_vars: ['river'],
    items: [{ id: 'quay', text: '{{ args.captain }} steers on the {river}.' }],
  },
  end: {
    items: [{ id: 'go', text: '{% for guest in args.guests %}Greet {{ guest }}.{% endfor %} Go.' }],
  },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

test('expressions and variables without a value are shown and not copied', async () => {
  const { page, pointer } = studio;
  await eventually(async () => {
    const names = await page.all('.prompt .gap', 'data-name');
    expect(names).toEqual(['args.captain', 'river', 'args.guests']);
  });
  await studio.picture('jinja-gaps');
  await pointer.click('button[aria-label="Copy prompt"]');
  await eventually(() => {
    const words = ['-selection', 'clipboard', '-out'];
    const env = { ...process.env, DISPLAY: studio.display.name };
    const copied = execFileSync('xclip', words, { encoding: 'utf8', env });
    expect(copied).toBe(' steers on the .\n\n Go.');
  });
});

test('a press on one leads to where it is written', async () => {
  const { page, pointer } = studio;
  await pointer.click('.prompt .gap[data-name="args.captain"]');
  await eventually(async () => {
    expect(await page.focused()).toBe('scene.quay.text');
  });
  await eventually(async () => {
    const behind = await studio.window.executeScript<string>(
      'const { value, selectionStart } = document.activeElement; return value.slice(selectionStart);',
    );
    expect(behind).toMatch(/^args\.captain/);
  });
  await pointer.click('.prompt .gap[data-name="river"]');
  await eventually(async () => {
    expect(await page.focused()).toContain('river');
  });
});
