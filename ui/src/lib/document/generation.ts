// The generation settings a run would use, as far as the page shows them: the route's before the
// registry's before the defaults of the registry format.
import type { JsonValue } from '../ipc';
import { isObject } from './edit';

const DEFAULTS = { model: 'default', temperature: '0.8', max_tokens: '256' };

/** Model, temperature and the most tokens, as text. */
export function generationOf(
  registry: Record<string, JsonValue>,
  route: string | null,
): { model: string; temperature: string; maxTokens: string } {
  const routes = isObject(registry.routes) ? registry.routes : {};
  const chosen = route === null ? undefined : routes[route];
  const layers = [isObject(chosen) ? chosen.generation : undefined, registry.generation];
  const value = (name: keyof typeof DEFAULTS): string => {
    for (const layer of layers) {
      const found = isObject(layer) ? layer[name] : undefined;
      if (typeof found === 'string' || typeof found === 'number') return String(found);
    }
    return DEFAULTS[name];
  };
  return {
    model: value('model'),
    temperature: value('temperature'),
    maxTokens: value('max_tokens'),
  };
}
