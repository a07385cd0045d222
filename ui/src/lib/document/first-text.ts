// The text that begins a prompt which prints nothing yet.
import type { SectionEvaluation, Source, TokenReport } from '../ipc';
import { isObject } from './edit';
import { primaryField, type Section } from './registry';

/** The text that the first entry of the assembly would print which leads to an item in use. */
export function firstText(
  tokens: readonly TokenReport[],
  evaluationOf: (section: string) => SectionEvaluation | undefined,
  sectionOf: (section: string) => Section | undefined,
): Source | undefined {
  for (const [token, { token: written, section }] of tokens.entries()) {
    const used = section === null ? undefined : evaluationOf(section)?.used[0];
    if (section === null || !used) continue;
    const value = sectionOf(section)?.items[used.index]?.value;
    const named = /^[^.[\]]+\.([^.[\]]+)$/.exec(written)?.[1];
    const field = named ?? primaryField(section);
    const source = { token, section, item: used.index, item_name: used.name, field };
    const fieldValue = isObject(value) ? value[field] : undefined;
    return Array.isArray(fieldValue) ? { ...source, entry: 0 } : source;
  }
  return undefined;
}
