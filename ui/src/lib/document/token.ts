// Tokens of an assembly order as far as the page needs them: which section they lead to, and what
// can be completed. What a token renders is the engine's to say.
import { ALIASES } from '../ipc/generated/constants';
import { arrayFields, isPrintable, sectionNames, sectionOf } from './registry';
import type { JsonObject } from './edit';

/** The section's name as a token writes it: everything before the first dot or bracket. */
export function headOf(token: string): string {
  const end = token.search(/[.[]/);
  return (end < 0 ? token : token.slice(0, end)).trim();
}

/** The section a token leads to; an alias means it only if no section has that name. */
export function sectionOfToken(registry: JsonObject, token: string): string | undefined {
  const head = headOf(token);
  if (sectionOf(registry, head)) return head;
  const alias = Object.hasOwn(ALIASES, head) ? ALIASES[head] : undefined;
  return alias && sectionOf(registry, alias) ? alias : undefined;
}

/** The kind of a completion. */
export type CompletionKind = 'section' | 'field' | 'array' | 'scale' | 'item' | 'look_up' | 'entry';

/** A token that could be typed. */
export interface Completion {
  token: string;
  section: string;
  kind: CompletionKind;
}

/** What was typed up to and including its innermost bracket; undefined where it has none. */
export function openBracket(typed: string): string | undefined {
  const at = typed.replace(/\]+$/, '').lastIndexOf('[');
  return at < 0 ? undefined : typed.slice(0, at + 1);
}

/** What of the registry the core knows and the page does not work out again. */
export interface CompletionFacts {
  /** Tokens allowed in the bracket being typed. */
  lookUps?: readonly string[];
  /** Whether a section has a slider. */
  hasSlider?: (section: string) => boolean;
}

/**
 * Tokens that begin with or contain what was typed, the nearest first: what was typed itself, what
 * goes on with it, the rest; among equals a section before its slider's sentence, that before its
 * lists, fields and items. At most `limit`.
 */
export function completions(
  registry: JsonObject,
  typed: string,
  { lookUps = [], hasSlider = () => false }: CompletionFacts = {},
  limit = 12,
): Completion[] {
  const wanted = typed.trim().toLowerCase();
  const found: { rank: number; completion: Completion }[] = [];
  const offer = (token: string, section: string, kind: CompletionKind) => {
    const lower = token.toLowerCase();
    const at = lower.indexOf(wanted);
    if (at < 0) return;
    const rank = lower === wanted ? -1 : at === 0 ? 0 : 1;
    found.push({ rank, completion: { token, section, kind } });
  };
  const names = sectionNames(registry);
  for (const name of names) {
    const section = sectionOf(registry, name);
    if (!section) continue;
    offer(name, name, 'section');
    if (wanted === '') continue;
    const fields = new Map<string, CompletionKind>();
    for (const item of section.items) {
      const lists = new Set(arrayFields(item.value));
      for (const key of Object.keys(item.value)) {
        if (isPrintable(key)) fields.set(key, lists.has(key) ? 'array' : 'field');
      }
    }
    // The sentence of the slider is no field; an item's own field of that name goes before it.
    const scale = fields.get('scale') ?? (hasSlider(name) ? 'scale' : undefined);
    if (scale) offer(`${name}.scale`, name, scale);
    fields.delete('scale');
    // Fragments are printed with the text they follow, whether the item has one or not.
    if (section.items.some(({ value }) => Array.isArray(value.fragments)))
      fields.set('text', 'field');
    const lists = [...fields].filter(([, kind]) => kind === 'array');
    const texts = [...fields].filter(([, kind]) => kind !== 'array');
    for (const [field, kind] of [...lists, ...texts]) offer(`${name}.${field}`, name, kind);
    for (const item of section.items) if (item.key) offer(`${name}.${item.name}`, name, 'item');
  }
  const inner = openBracket(wanted);
  if (inner !== undefined) {
    for (const token of lookUps) {
      // Text in the innermost bracket may match anywhere in a name.
      const start = token.slice(0, inner.length).toLowerCase();
      const rest = token.slice(inner.length).toLowerCase();
      const at = rest.indexOf(wanted.slice(inner.length).replaceAll(']', ''));
      if (start !== inner || at < 0) continue;
      const rank = token.toLowerCase() === wanted ? -1 : at === 0 ? 0 : 1;
      const section = sectionOfToken(registry, token) ?? headOf(token);
      found.push({ rank, completion: { token, section, kind: 'look_up' } });
    }
  }
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ completion }) => completion);
}
