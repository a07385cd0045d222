// `requires` and `excludes` of items: what they name, whether this evaluation keeps them, and what can
// be named. An entry is `section.item`, or a section alone for any item of it.
import type { SectionEvaluation } from '../ipc';
import type { JsonObject } from './edit';
import { sectionNames, sectionOf, strings, type Item } from './registry';
import type { Completion } from './token';

/** Which of the two lists. */
export type RelationKind = 'requires' | 'excludes';

export const RELATIONS: readonly RelationKind[] = ['requires', 'excludes'];

/** One entry of an item's list. */
export interface Relation {
  kind: RelationKind;
  /** The item. */
  item: string;
  entry: string;
  section: string;
  /** Whether this evaluation agrees with it: nothing is asked of an item that it does not use. */
  met: boolean;
}

/** The section and the item an entry names; a section's own name may hold dots. */
export function targetOf(registry: JsonObject, entry: string): { section: string; item?: string } {
  const whole = entry.trim();
  if (sectionOf(registry, whole)) return { section: whole };
  for (let dot = whole.indexOf('.'); dot >= 0; dot = whole.indexOf('.', dot + 1)) {
    const section = whole.slice(0, dot);
    if (sectionOf(registry, section)) return { section, item: whole.slice(dot + 1) };
  }
  const [section = ''] = whole.split('.', 1);
  return { section };
}

/** Every entry of the lists of a section's item, held against what is used. */
export function relationsOf(
  section: string,
  item: Item,
  registry: JsonObject,
  evaluated: ReadonlyMap<string, SectionEvaluation>,
): Relation[] {
  const applies = evaluated.get(section)?.used.some(({ index }) => index === item.index) ?? false;
  return RELATIONS.flatMap((kind) =>
    strings(item.value[kind]).map((entry) => {
      const target = targetOf(registry, entry);
      const used = evaluated.get(target.section)?.used ?? [];
      const isSelected =
        target.item === undefined ? used.length > 0 : used.some(({ name }) => name === target.item);
      const met = !applies || isSelected === (kind === 'requires');
      return { kind, item: item.name, entry, section: target.section, met };
    }),
  );
}

/** Sections and items an entry could name, the nearest first, at most `limit`. */
export function relationTargets(registry: JsonObject, typed: string, limit = 12): Completion[] {
  const wanted = typed.trim().toLowerCase();
  const found: { at: number; completion: Completion }[] = [];
  const offer = (token: string, section: string, kind: Completion['kind']) => {
    const at = token.toLowerCase().indexOf(wanted);
    if (at >= 0) found.push({ at, completion: { token, section, kind } });
  };
  for (const name of sectionNames(registry)) {
    offer(name, name, 'section');
    if (wanted === '') continue;
    for (const item of sectionOf(registry, name)?.items ?? []) {
      if (item.key) offer(`${name}.${item.name}`, name, 'item');
    }
  }
  return found
    .toSorted((a, b) => Math.sign(a.at) - Math.sign(b.at))
    .slice(0, limit)
    .map(({ completion }) => completion);
}
