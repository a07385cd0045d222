// Rolled values in words, put together from the labels of the evaluation.
import type { ArrayEvaluation, SectionEvaluation, Slot, ValueLabel } from '../ipc';
import { text } from '../text';

const plain = (words: string): ValueLabel => ({ text: words, detail: words });

/** The entries that all items rolled of a list. */
export function rolledEntries({ kept }: Pick<ArrayEvaluation, 'kept'>): ValueLabel {
  const labels = kept.flatMap(({ label }) => label ?? []);
  return {
    text: labels.map((label) => label.text).join(' / '),
    detail: labels.map((label) => label.detail).join('\n'),
  };
}

/** What was rolled in a slot; undefined when nothing was. */
export function rolledValue(slot: Slot, sections: SectionEvaluation[]): ValueLabel | undefined {
  const section = sections.find((each) => each.section === slot.section);
  if (slot.kind === 'array') {
    const array = section?.arrays.find(({ field }) => field === slot.field);
    return array?.origin === 'random' ? rolledEntries(array) : undefined;
  }
  if (slot.kind === 'slider') {
    const slider = section?.slider;
    return slider?.origin === 'random' ? plain(String(slider.used)) : undefined;
  }
  if (section?.origin !== 'random') return undefined;
  return plain(section.used.map(({ name }) => name).join(', ') || text.none);
}
