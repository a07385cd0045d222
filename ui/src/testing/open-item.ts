// The items of a section, opened on its card.
import { fireEvent, within } from '@testing-library/svelte';
import type { PreviewPatch, UnprintedText } from '$lib/ipc';
import type { JsonObject } from '$lib/document/edit';
import { guides } from './guides';
import { openStudio } from './studio';

/** Opens the items of `personas`, the first of them changed. */
export async function openItem(
  item: JsonObject,
  more: JsonObject = {},
  unprinted: UnprintedText[] = [],
  change: Partial<PreviewPatch> = {},
) {
  const scene = guides();
  const tree = structuredClone(scene.tree) as {
    registry: { personas: { items: [JsonObject] }; notes: JsonObject };
  };
  Object.assign(tree.registry.personas.items[0], item);
  Object.assign(tree.registry.notes, more);
  const evaluated = scene.preview(scene.tree);
  const sections = evaluated.sections.middle.map((section) =>
    section.section === 'personas' ? { ...section, used: [{ index: 0, name: 'calm' }] } : section,
  );
  const preview = () => ({
    ...evaluated,
    sections: { head: 0, middle: sections, tail: 0 },
    unprinted: { head: 0, middle: unprinted, tail: 0 },
    ...change,
  });
  const opened = await openStudio({ ...scene, preview, tree: tree as never });
  await fireEvent.click(opened.screen.getByRole('button', { name: 'Edit items of personas' }));
  const card = document.querySelector<HTMLElement>('[data-card="personas"]');
  if (!card) throw new Error('The card of personas is not drawn.');
  const expand = within(card).queryByRole('button', { name: /^Expand .*calm/ });
  if (expand) await fireEvent.click(expand);
  return { ...opened, card };
}

/** A variable that a field of the item names and its section does not declare. */
export const undeclared = (field: string) => ({
  code: 'variable_undeclared',
  severity: 'error' as const,
  message: '{plaice} in personas.calm is not declared',
  pointer: `/personas/items/0/${field}`,
  also: [],
  data: { name: 'plaice', found: '{plaice}', section: 'personas', suggestion: 'place' },
  line: null,
  column: null,
});
