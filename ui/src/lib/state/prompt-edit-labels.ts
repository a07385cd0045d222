// How the undo menu names an edit made in the prompt.
import type { Spot } from '../document/blocks';
import type { Alternatives } from '../ipc';
import { text } from '../text';

/** The undo label of a choice, as the card would have it. */
export function choiceLabel(
  { kind, section, field, choices }: Alternatives,
  choice: number,
): string {
  const { mode, select } = text.undoLabels;
  return kind === 'items' ? select(section, choices[choice]?.name ?? '') : mode(section, field);
}

/** The undo label of an edit, as a field on a card would have it. */
export function labelOf({ source }: Spot, variable: string | undefined): string {
  if (!source) return '';
  if (variable !== undefined) return text.undoLabels.variable(source.section, variable);
  return text.undoLabels.edit(`${source.section}.${source.item_name}.${source.field}`);
}
