// The slots that an evaluation written for a test rolls; the service sends them with the real one.
import type { SectionEvaluation, Slot } from '$lib/ipc';

export function rolledSlots(sections: SectionEvaluation[]): Slot[] {
  return sections.flatMap(({ section, origin, slider, arrays, filtered_by }): Slot[] =>
    filtered_by.length > 0
      ? []
      : [
          ...(origin === 'random' ? [{ kind: 'item' as const, section }] : []),
          ...(slider?.origin === 'random' ? [{ kind: 'slider' as const, section }] : []),
          ...arrays
            .filter((array) => array.origin === 'random')
            .map(({ field }) => ({ kind: 'array' as const, section, field })),
        ],
  );
}
