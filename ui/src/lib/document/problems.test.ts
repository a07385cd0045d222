// The short title of a diagnostic and the edits that fix it.
import { expect, test } from 'vitest';
import type { DiagnosticData, JsonValue } from '../ipc';
import { applyAll } from './edit';
import { placeOfProblem, problemOf } from './problems';

const tree: JsonValue = {
  registry: {
    assembly_order: ['notes', 'persnas.context', 'notes.tone', 'pool', 'notes[persnas.context]'],
    generation: { temprature: 1 },
    output_policy: { forbidden_patterns: ['('] },
    personas: {
      template_vars: ['venue', 'idle'],
      scale_template: 'At {valu}.',
      array_modes: { tips: 'index:9' },
      items: [
        {
          id: 'calm',
          context: 'At {venu}.',
          fragments: [{ var: 'hour', text: '' }],
          'pre_context:': 'Tips',
          requires: ['ghosts.x'],
          wieght: 2,
        },
        { id: 'calm', context: '' },
        { context: 'nameless' },
      ],
    },
    runtime_injections: {
      items: [{ id: 'stop', include_sections: ['persona', 'nobody'] }],
    },
  },
  state: {},
};

interface Case {
  code: string;
  pointer: string;
  message?: string;
  data?: DiagnosticData;
  title: string;
  fixes: string[];
}

const cases: Case[] = [
  {
    code: 'variable_undeclared',
    pointer: '/personas/items/0/context',
    data: { name: 'venu', found: '{venu}', section: 'personas', suggestion: 'venue' },
    title: '{venu} is not declared in personas',
    fixes: ['Replace with {venue}', 'Declare venu', 'Print {venu} as text'],
  },
  {
    code: 'variable_undeclared',
    pointer: '/personas/items/0/context',
    data: {
      name: 'else',
      found: '{{else}}',
      section: 'personas',
      reason: 'a keyword of Handlebars',
    },
    title: '{{else}} is not declared in personas',
    fixes: ['Print {{else}} as text'],
  },
  {
    code: 'scale_name_unknown',
    pointer: '/personas/scale_template',
    data: { name: 'valu', found: '{valu}', section: 'personas', suggestion: 'value' },
    title: '{valu} is not filled in by the slider of personas',
    fixes: ['Replace with {value}'],
  },
  {
    code: 'condition_undeclared',
    pointer: '/personas/items/0/fragments/0',
    data: { name: 'hour', section: 'personas', item: 'calm', fragment: 0 },
    title: 'Fragment condition hour is not declared in personas',
    fixes: ['Declare hour'],
  },
  {
    code: 'variable_unused',
    pointer: '/personas/template_vars/1',
    data: { name: 'idle', section: 'personas' },
    title: '{idle} of personas is never used',
    fixes: ['Remove idle'],
  },
  {
    code: 'variable_gap',
    pointer: '/personas/template_vars/0',
    data: { name: 'venue', section: 'personas' },
    title: 'venue of personas has no value and leaves a gap in the prompt',
    fixes: [],
  },
  {
    code: 'variable_placeholder',
    pointer: '/personas/template_vars/0',
    data: { name: 'venue', section: 'personas' },
    title: 'venue of personas has only its own name as value: the prompt prints {venue}',
    fixes: [],
  },
  {
    code: 'unknown_section',
    pointer: '/assembly_order/1',
    data: { token: 'persnas.context', section: 'persnas', suggestion: 'personas' },
    title: 'There is no section persnas',
    fixes: ['Change to personas', 'Remove entry'],
  },
  {
    code: 'unknown_section',
    pointer: '/assembly_order/4',
    data: { token: 'persnas.context', section: 'persnas', suggestion: 'personas' },
    title: 'There is no section persnas',
    fixes: ['Change to personas', 'Remove entry'],
  },
  {
    code: 'unknown_field',
    pointer: '/assembly_order/2',
    data: { token: 'notes.tone', section: 'notes', field: 'tone', suggestion: 'tune' },
    title: 'No item has the field of notes.tone',
    fixes: ['Change to notes.tune', 'Remove entry'],
  },
  {
    code: 'unknown_field',
    pointer: '/assembly_order/2',
    data: {
      token: 'notes.tone',
      section: 'notes',
      field: 'tone',
      printed_field: 'items',
      replacement: 'notes.items',
    },
    title: 'notes.tone prints the list: no item has that field',
    fixes: ['Change to notes.items', 'Remove entry'],
  },
  {
    code: 'unknown_field',
    pointer: '/assembly_order/2',
    data: {
      token: 'notes.tone',
      section: 'notes',
      item: 'b',
      item_index: 1,
      field: 'tone',
      printed_field: 'items',
    },
    title: 'notes.tone prints the list of b again',
    fixes: ['Remove entry'],
  },
  {
    code: 'pool_needs_field',
    pointer: '/assembly_order/3',
    data: { token: 'pool', section: 'pool', replacement: 'pool.items' },
    title: 'pool prints no list',
    fixes: ['Change to pool.items'],
  },
  {
    code: 'section_not_rendered',
    pointer: '/personas',
    data: { section: 'personas', insertion: 'personas.items', index: 0, order: '/assembly_order' },
    title: 'No entry prints personas',
    fixes: ['Add entry personas.items'],
  },
  {
    code: 'duplicate_id',
    pointer: '/personas/items/1/id',
    data: { section: 'personas', item: 'calm', item_index: 1, other_index: 0 },
    title: 'Two items are named calm',
    fixes: ['Rename to calm_2'],
  },
  {
    code: 'item_unreachable',
    pointer: '/personas/items/2',
    title: 'An item of personas has no id or name',
    fixes: ['Name it item'],
  },
  {
    code: 'mode_out_of_range',
    pointer: '/personas/array_modes/tips',
    data: { mode: 'index:9', section: 'personas', field: 'tips' },
    title: 'index:9 is out of range',
    fixes: ['Remove mode'],
  },
  {
    code: 'include_alias',
    pointer: '/runtime_injections/items/0/include_sections/0',
    data: { target: 'persona', replacement: 'personas' },
    title: 'persona is an alias, not a section',
    fixes: ['Change to personas'],
  },
  {
    code: 'include_unknown',
    pointer: '/runtime_injections/items/0/include_sections/1',
    data: { target: 'nobody' },
    title: 'There is no section nobody',
    fixes: ['Remove entry'],
  },
  {
    code: 'injections_required',
    pointer: '/runtime_injections',
    title: 'runtime_injections is required',
    fixes: ['Make optional'],
  },
  {
    code: 'relation_unknown',
    pointer: '/personas/items/0/requires/0',
    data: { target: 'ghosts.x' },
    title: 'There is no ghosts.x',
    fixes: ['Remove entry'],
  },
  {
    code: 'unknown_key',
    pointer: '/personas/items/0/wieght',
    data: { key: 'wieght', suggestion: 'weight' },
    title: 'wieght is not a known field',
    fixes: ['Change to weight', 'Remove field wieght'],
  },
  {
    code: 'legacy_spelling',
    pointer: '/personas/items/0/pre_context:',
    data: { key: 'pre_context:', replacement: 'pre_context' },
    title: 'pre_context: is a deprecated field name',
    fixes: ['Change to pre_context'],
  },
  {
    code: 'legacy_spelling',
    pointer: '/personas/items/0/fragments/0/var',
    data: { key: 'var', replacement: 'if_var' },
    title: 'var is a deprecated field name',
    fixes: ['Change to if_var'],
  },
  {
    code: 'pattern',
    pointer: '/output_policy/forbidden_patterns/0',
    message: 'no program reads this',
    data: { reason: 'missing )' },
    title: 'Pattern does not compile: missing )',
    fixes: ['Remove pattern'],
  },
  {
    code: 'setting_unknown',
    pointer: '/generation/temprature',
    data: { object: 'generation', key: 'temprature', suggestion: 'temperature' },
    title: 'temprature is not a known field',
    fixes: ['Remove field temprature'],
  },
  {
    code: 'something_new',
    pointer: '/assembly_order/9',
    message: 'said in full',
    title: 'Said in full',
    fixes: [],
  },
];

test.each(cases)(
  '$code at $pointer',
  ({ code, pointer, message = '', data = {}, title, fixes }) => {
    const note = {
      code,
      severity: 'warning' as const,
      message,
      pointer,
      also: [],
      data,
      line: null,
      column: null,
    };
    const problem = problemOf(note, tree);
    expect(problem.title).toBe(title);
    expect(problem.fixes.map(({ label }) => label)).toEqual(fixes);
    // Every fix can be applied to the document it was offered for.
    for (const { edits } of problem.fixes) expect(applyAll(tree, edits)).not.toEqual(tree);
  },
);

test('a name in doubled braces is declared in single ones, or printed as it is', () => {
  const before = {
    registry: { desk: { items: [{ id: 'a', text: 'Dear {{customer}}, {{customer}}.' }] } },
  };
  const note = {
    code: 'variable_undeclared',
    severity: 'warning' as const,
    message: '',
    pointer: '/desk/items/0/text',
    also: [],
    data: { name: 'customer', found: '{{customer}}', suggestion: 'customer' },
    line: null,
    column: null,
  };
  const { title, fixes } = problemOf(note, before);
  expect(title).toBe('{{customer}} is not declared in desk');
  expect(fixes.map(({ label }) => label)).toEqual([
    'Declare customer',
    'Print {{customer}} as text',
  ]);
  const [declared, printed] = fixes.map(({ edits }) => applyAll(before, edits));
  const template_vars = ['customer'];
  expect(declared).toEqual({
    registry: {
      desk: { items: [{ id: 'a', text: 'Dear {customer}, {customer}.' }], template_vars },
    },
  });
  const template_var_defaults = { customer: '{customer}' };
  expect(printed).toEqual({
    registry: { desk: { ...before.registry.desk, template_vars, template_var_defaults } },
  });
});

test('a fix of what is gone by now is not offered', () => {
  const note = {
    code: 'include_unknown',
    severity: 'error' as const,
    message: '',
    pointer: '/runtime_injections/items/7/include_sections/1',
    also: [],
    data: {},
    line: null,
    column: null,
  };
  expect(problemOf(note, tree).fixes).toEqual([]);
});

test.each([
  [
    'is put right where it is typed',
    ['venue'],
    { section: 'base_context', field: 'template_vars', entry: 0 },
  ],
  [
    'of no declared variable is put right where it is asked for',
    [],
    { section: 'base_context', item: 0, field: 'runtime_variables', entry: 0 },
  ],
])('a missing value %s', (_what, template_vars, place) => {
  const items = [{ id: 'pub', text: 'At {venue}.', runtime_variables: ['{venue}'] }];
  const found = placeOfProblem(
    {
      code: 'runtime_variable_unfilled',
      severity: 'note',
      pointer: '/base_context/items/0/runtime_variables/0',
      also: [],
      data: { name: 'venue', section: 'base_context' },
      message: '',
      line: null,
      column: null,
    },
    { registry: { base_context: { template_vars, items } } },
  );
  expect(found).toEqual(place);
});

test.each([
  ['follows its field', [{ id: 'a', tisp: ['x', 'y'] }], { tips: 'index:0' }],
  [
    'stays with another item that has the field',
    [
      { id: 'a', tisp: ['x', 'y'] },
      { id: 'b', tisp: ['z'] },
    ],
    { tisp: 'index:0' },
  ],
])('the mode of a field that is renamed %s', (_what, items, modes) => {
  const before: JsonValue = {
    registry: { notes: { items } },
    state: { array_modes: { notes: { tisp: 'index:0' } } },
  };
  const note = {
    code: 'unknown_key',
    severity: 'warning' as const,
    pointer: '/notes/items/0/tisp',
    also: [],
    data: { key: 'tisp', suggestion: 'tips' },
    message: '',
    line: null,
    column: null,
  };
  const [rename] = problemOf(note, before).fixes;
  const after = applyAll(before, rename?.edits ?? []);
  expect(after).toMatchObject({ state: { array_modes: { notes: modes } } });
});
