// What has no value in a prompt of Jinja templates: shown where it would be printed, never part of the
// text that is copied, and a press away from where it is written.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { spotOf } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  template_engine: 'jinja',
  assembly_order: ['scene', 'end'],
  scene: {
    template_vars: ['river', 'ship'],
    items: [{ id: 'quay', text: 'Dear {ship},\n{{ args.captain }} steers on the {river}.' }],
    template_var_defaults: { ship: 'Argo' },
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
    expect(studio.clipboard()).toBe('Dear Argo,\n steers on the .\n\n Go.');
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

test('a press on a text or a value puts the caret where that is written', async () => {
  const { page, pointer, window } = studio;
  await pointer.click(await spotOf('Dear'), { x: 0.1, y: 0.25 });
  await eventually(async () => {
    expect(await page.focused()).toBe('scene.quay.text');
    const at = await window.executeScript('return document.activeElement.selectionStart');
    expect(at).toBeLessThan(5);
  });
  await pointer.click('.prompt .variable:not(:empty)');
  await eventually(async () => {
    expect(await page.focused()).toContain('ship');
  });
});
