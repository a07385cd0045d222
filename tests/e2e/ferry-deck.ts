// The deck of the tests that select over several texts: a text, a list of three entries and a text.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Home } from './studio';

const deck = (scene: object) => ({
  title: 'Ferry',
  assembly_order: ['scene', 'rules.items', 'end'],
  scene,
  rules: { items: [{ id: 'all', items: ['Be brief.', 'Never explain.', 'Stay calm.'] }] },
  end: { items: [{ id: 'last', text: 'Greet the next traveller.' }] },
});

export const FERRY = deck({ items: [{ id: 'landing', text: 'The ferry at dusk.' }] });

/** The same with a variable without a value in its first text. */
export const FERRY_WITH_GAP = deck({
  template_vars: ['guest'],
  items: [{ id: 'landing', text: 'The ferry takes {guest} across at dusk.' }],
});

/** Writes such a deck into the home of a window. */
export const writeFerry =
  (ferry: typeof FERRY) =>
  ({ registries }: Home): void =>
    writeFileSync(join(registries, 'ferry.json'), JSON.stringify(ferry));
