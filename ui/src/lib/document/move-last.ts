// Moving a section behind everything else in the assembly order, where what it changes no longer
// prevents a provider's cache.
import type { Edit, JsonValue } from '../ipc';
import { assemblyOf, registryOf } from './registry';
import { sectionOfToken } from './token';

/** The edit that puts a section's tokens last, in their order; none if they are there already. */
export function moveSectionLast(tree: JsonValue, section: string): Edit[] {
  const { path, tokens } = assemblyOf(tree);
  const isOfSection = (token: string) => sectionOfToken(registryOf(tree), token) === section;
  const moved = [...tokens.filter((token) => !isOfSection(token)), ...tokens.filter(isOfSection)];
  if (moved.every((token, index) => token === tokens[index])) return [];
  return [{ kind: 'set', path, value: moved }];
}
