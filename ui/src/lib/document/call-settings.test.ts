// What typed words become in the fields of generation and output policy, and which value is in use.
import { expect, test } from 'vitest';
import { applyAll, type JsonObject } from './edit';
import { FIELDS, inherited, readTyped, setSetting, type SettingField } from './call-settings';

const field = (name: string): SettingField =>
  [...FIELDS.generation, ...FIELDS.output_policy].find((each) => each.name === name)!;

test.each([
  ['temperature', '0.7', { value: 0.7 }],
  ['temperature', ' 1e-2 ', { value: 0.01 }],
  ['temperature', '', { value: undefined }],
  ['temperature', 'warm', { problem: 'temperature must be a number, such as 0.7.' }],
  ['temperature', 'Infinity', { problem: 'temperature must be a number, such as 0.7.' }],
  ['max_tokens', '160', { value: 160 }],
  [
    'max_tokens',
    '-1',
    { problem: 'max_tokens must be a whole number from 0 to 9,007,199,254,740,991.' },
  ],
  [
    'max_tokens',
    '1.5',
    { problem: 'max_tokens must be a whole number from 0 to 9,007,199,254,740,991.' },
  ],
  ['retries', '20', { value: 20 }],
  ['retries', '21', { problem: 'retries must be a whole number from 0 to 20.' }],
  ['model', 'qwen3', { value: 'qwen3' }],
  ['model', '  ', { value: undefined }],
  ['append_suffix', '', { value: '' }],
])('%s typed as %j', (name, typed, expected) => {
  expect(readTyped(field(name), typed)).toEqual(expected);
});

const tree = {
  registry: {
    generation: { max_tokens: 160 },
    routes: { short: { generation: { temperature: 0.2 } } },
  },
};

test.each([
  [null, 'max_tokens', { value: 256, fromRegistry: false }],
  ['short', 'max_tokens', { value: 160, fromRegistry: true }],
  ['short', 'retries', { value: 1, fromRegistry: false }],
])('on route %j %s falls back', (route, name, expected) => {
  expect(inherited(tree, 'generation', route, field(name))).toEqual(expected);
});

test.each([
  [null, 'max_tokens', 90, { generation: { max_tokens: 90 } }],
  ['short', 'max_tokens', 90, { routes: { short: { generation: { max_tokens: 90 } } } }],
])('setting on route %j writes %s there', (route, name, value, expected) => {
  const edits = setSetting(tree, 'generation', route, name, value);
  expect(applyAll(tree, edits)).toMatchObject({ registry: expected });
});

test('taking away what is not there does nothing', () => {
  expect(setSetting(tree, 'generation', 'short', 'max_tokens', undefined)).toEqual([]);
});

test.each([
  ['max_tokens', false, { generation: { top_k: 1 } }],
  ['top_k', false, {}],
  ['top_k', true, { generation: {} }],
])('taking %s away with empty settings before: %j', (name, wereEmpty, expected) => {
  const settings: JsonObject = name === 'top_k' ? { top_k: 1 } : { top_k: 1, max_tokens: 160 };
  const before = { registry: { generation: settings } };
  const edits = setSetting(before, 'generation', null, name, undefined, wereEmpty);
  expect(applyAll(before, edits)).toEqual({ registry: expected });
});
