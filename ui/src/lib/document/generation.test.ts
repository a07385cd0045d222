// Which generation settings the page says a run uses: the route's, the registry's, the defaults.
import { expect, test } from 'vitest';
import { generationOf } from './generation';

const registry = {
  generation: { temperature: 0.25, model: 'small' },
  routes: { raid: { generation: { temperature: 1 } }, odd: 7, plain: {} },
};

test.each([
  [{}, null, 'default 0.8 256'],
  [registry, null, 'small 0.25 256'],
  [registry, 'raid', 'small 1 256'],
  [registry, 'plain', 'small 0.25 256'],
  [registry, 'odd', 'small 0.25 256'],
  [registry, 'missing', 'small 0.25 256'],
  [{ generation: { max_tokens: [9], model: null } }, null, 'default 0.8 256'],
])('%j by %s', (given, route, expected) => {
  const { model, temperature, maxTokens } = generationOf(given, route);
  expect(`${model} ${temperature} ${maxTokens}`).toBe(expected);
});
