// A registry in which names repeat that should be unique: everything of it is shown, with its problems.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

const twice = <T>(value: T): T[] => [value, value];

const DECK = {
  title: 'Twice',
  assembly_order: [...twice('scene'), ...twice('scene.rules'), 'end', ...twice('nowhere')],
  scene: {
    required: false,
    template_vars: twice('venue'),
    items: [
      ...twice({
        id: 'pub',
        text: 'Live at {venue} {venue}, {crowd} {crowd}.',
        rules: twice('Be brief.'),
        requires: twice('end.last'),
        excludes: twice('end.none'),
        fragments: twice({ if_var: 'venue', text: 'It is full.' }),
      }),
      ...twice({ text: 'Without an id.' }),
    ],
    selected: twice('pub'),
    array_modes: { rules: 'random:1' },
  },
  end: { items: twice({ id: 'last', text: 'Go on.' }), selected: twice('last') },
  runtime_injections: {
    required: false,
    items: twice({ id: 'aside', text: 'Pause.', include_sections: twice('scene') }),
    selected: twice('aside'),
  },
  output_policy: { forbidden_phrases: twice('as an AI'), required_patterns: twice('x') },
  generation: { stop_sequences: twice('END') },
  routes: { short: { assembly_order: twice('end') } },
};

opens(['Twice', 'twice.json'], ({ registries }) => {
  writeFileSync(join(registries, 'twice.json'), JSON.stringify({ registry: DECK }));
});

const faults = async () =>
  (await studio.page.lines('[role="log"]')).filter((line) => line.includes('A part of the window'));

test('each section has its card, and each tab opens', async () => {
  await eventually(async () => {
    expect(await studio.page.count('[data-card="scene"]')).toBe(1);
    expect(await studio.page.content('.prompt')).toContain('Pause.');
  });
  for (const tab of ['Chat', 'Request', 'Run', 'Variants', 'Compare', 'Checks', 'JSON', 'Prompt']) {
    await studio.page.showTab(tab);
    expect(await faults(), tab).toEqual([]);
  }
});
