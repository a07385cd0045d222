// A registry and its evaluation, written out by hand, to look at the page without the service. Only
// the dev entry uses it.
import type {
  ArrayEvaluation,
  JsonValue,
  Origin,
  PreviewPatch,
  SectionEvaluation,
  Segment,
  SnapshotSummary,
  TokenReport,
} from '$lib/ipc';
import { isObject } from '$lib/document/edit';
import {
  identityOf,
  registryOf,
  sectionNames,
  sectionOf,
  selectedItems,
  stateOf,
} from '$lib/document/registry';
import type { Scene } from '../testing/fake-backend';
import { rolledSlots } from '../testing/rolled-slots';
import { runs } from './runs';

const registry: JsonValue = {
  version: 22,
  title: 'Night Radio',
  description: 'A late show with callers',
  assembly_order: [
    'output_prompt_directions',
    'base_context.text',
    'personas.context',
    'personas.base_directives',
    'sentiment.context',
    'sentiment.scale',
    'sentiment.nudges',
    'sentiment.examples',
    'examples',
    'static_injections',
    'personas.sign_off',
    'runtime_injections',
    'prompt_endings',
  ],
  routes: {
    short: {
      assembly_order: [
        'output_prompt_directions',
        'base_context.text',
        'personas.context',
        'sentiment.scale',
        'static_injections',
        'prompt_endings',
      ],
      generation: { temperature: 0.6, max_tokens: 90 },
    },
  },
  generation: { temperature: 0.9, max_tokens: 160, retries: 2 },
  output_policy: {
    max_length: 320,
    strip_prefixes: ['Host:'],
    forbidden_patterns: ['(?i)the answer (is|was):', '(?i)as an ai (language model'],
  },
  base_context: {
    required: true,
    template_vars: ['station', 'hour'],
    items: [
      {
        id: 'night_show',
        text: 'A radio host talks through the small hours with whoever calls.',
        fragments: [
          { if_var: 'station', text: 'The station is {station}.' },
          { if_var: 'hour', text: 'It is {hour}.' },
        ],
      },
      { id: 'phone_in', text: 'An open line, nothing planned.' },
    ],
  },
  personas: {
    required: true,
    template_vars: [],
    section_random: true,
    items: [
      {
        id: 'keeper',
        context: 'You keep the night company and hurry nobody.',
        base_directives: ['One thought at a time.', 'Never talk over a caller.'],
      },
      {
        id: 'deadpan',
        context:
          'You are dry, exact and slower than the clock. Everything is mildly surprising to you and nothing is worth raising your voice for.',
        base_directives: [
          'Keep every line short.',
          'Let a silence stand.',
          'Use the name a caller gave.',
          'If someone shouts, answer softly.',
        ],
        stage: { light: 'low', music: false },
      },
      { id: 'owl', context: 'Loud, wide awake, delighted by everybody.' },
    ],
  },
  sentiment: {
    required: true,
    template_vars: [],
    slider_random: true,
    items: [
      {
        id: 'positive',
        context: 'The studio is warm and the callers are kind tonight.',
        nudges: [
          'Praise a small thing.',
          'Laugh once.',
          'Name the weather.',
          'Thank a caller late.',
          'Leave a door open.',
        ],
        examples: ['That is a good sentence, keep it.', 'Line two, the night is yours.'],
        pre_context: 'Lines in this mood:',
      },
      { id: 'negative', context: 'It rains into the building.' },
    ],
  },
  static_injections: {
    required: false,
    items: [
      { id: 'family_friendly', text: 'Keep it fit for every ear.' },
      { id: 'no_promises', text: 'Promise nothing the station can not keep.' },
      { id: 'house_rules', text: 'Calls end after four minutes.' },
      { id: 'silence', text: 'Silence is allowed.' },
    ],
  },
  runtime_injections: {
    required: false,
    items: [
      {
        id: 'power_cut',
        text: 'The lights just went out. Say so in one line and carry on.',
        include_sections: ['personas', 'sentiment'],
      },
      {
        id: 'caller',
        text: 'A new caller is waiting.',
        include_sections: ['base_context', 'personas'],
      },
    ],
  },
  output_prompt_directions: {
    required: true,
    selected: 'one_breath',
    items: [
      {
        id: 'one_breath',
        text: 'Answer with what the host says aloud and with nothing else, three sentences at most.',
      },
      { id: 'two_breaths', text: 'Six sentences at most.' },
      { id: 'free', text: 'As long as it takes.' },
    ],
  },
  examples: {
    required: false,
    items: [
      {
        id: 'openers',
        items: ['Good night, whoever you are.', 'The clock says two.', 'Who is awake?'],
      },
      {
        id: 'reveals',
        items: [
          'It was the fridge all along.',
          'Nobody won, and nobody minds.',
          'The song was from 1974.',
          'Half the city said yes.',
        ],
      },
      { id: 'banter', items: ['Go on.'] },
    ],
  },
  prompt_endings: {
    required: true,
    items: [
      { id: 'next_caller', text: 'Now greet the next caller.' },
      { id: 'close', text: 'Now close the show.' },
    ],
  },
};

const state: JsonValue = {
  selections: {
    personas: 'keeper',
    base_context: 'night_show',
    sentiment: 'positive',
    static_injections: ['family_friendly', 'no_promises'],
    examples: ['openers', 'reveals'],
  },
  array_modes: { sentiment: { nudges: 'random:2' }, examples: { items: 'random:2' } },
  section_random: { personas: true },
  sliders: { sentiment: 5 },
  slider_random: { sentiment: true },
  template_vars: { 'base_context::station': 'Radio Kanal 5', 'base_context::hour': 'ten past two' },
};

const ROLLED: Record<string, number> = { personas: 1 };
const KEPT: Record<string, number[][]> = {
  nudges: [[3, 1]],
  items: [
    [2, 0],
    [3, 1],
  ],
};
const ORIGINS: Record<string, Origin> = {
  output_prompt_directions: 'baked',
  runtime_injections: 'default',
  prompt_endings: 'default',
};

function evaluate(tree: JsonValue): Omit<PreviewPatch, 'number' | 'base'> {
  const now = registryOf(tree);
  const injected = sectionOf(now, 'runtime_injections');
  const active = injected
    ? selectedItems(injected, stateOf(tree)).map((index) => injected.items[index]!)
    : [];
  const usedItems = new Set(
    active.flatMap(({ value }) => value.include_sections as string[]).concat('runtime_injections'),
  );
  const sections: SectionEvaluation[] = sectionNames(now).map((name) => {
    const section = sectionOf(now, name)!;
    const selected = selectedItems(section, stateOf(tree)).map((index) => ({
      index,
      name: section.items[index]!.name,
    }));
    const roll = ROLLED[name];
    const used = roll === undefined ? selected : [{ index: roll, name: section.items[roll]!.name }];
    const arrays: ArrayEvaluation[] = [];
    const field = { sentiment: 'nudges', examples: 'items' }[name];
    if (field) {
      arrays.push({
        field,
        mode: 'random:2',
        origin: 'random',
        kept: used.map((item, at) => {
          const list = section.items[item.index]!.value[field];
          const total = Array.isArray(list) ? list.length : 0;
          return { item, entries: KEPT[field]?.[at] ?? [0], total };
        }),
      });
    }
    const evaluation: SectionEvaluation = {
      section: name,
      selected,
      used,
      origin: roll === undefined ? (ORIGINS[name] ?? 'selection') : 'random',
      arrays,
      filtered_by: active.length > 0 && !usedItems.has(name) ? active.map((each) => each.name) : [],
    };
    if (name === 'sentiment') evaluation.slider = { selected: 5, used: 8, origin: 'random' };
    return evaluation;
  });
  const order = now.assembly_order as string[];
  const segments: Segment[] = [];
  const tokens: TokenReport[] = [];
  let lastSection = '';
  order.forEach((token, at) => {
    const [name = '', field] = token.split('.') as [string, string | undefined];
    const section = sectionOf(now, name);
    const evaluated = sections.find((each) => each.section === name);
    const report: TokenReport = { token, section: section ? name : null, status: 'rendered' };
    tokens.push(report);
    if (!section || !evaluated) {
      Object.assign(report, { status: 'dropped', reason: `there is no section ${name}` });
      return;
    }
    if (evaluated.filtered_by.length > 0) {
      report.status = 'filtered';
      return;
    }
    const merged = token === 'examples';
    const lines = linesOf(section.name, field, section.items, evaluated, tree);
    if (lines.length === 0) {
      Object.assign(report, {
        status: 'dropped',
        reason: field ? `${evaluated.used[0]?.name} has no ${field}` : 'none is checked',
      });
      return;
    }
    if (merged && lastSection === 'sentiment') {
      Object.assign(report, { status: 'merged', reason: 'merged into the list above' });
    }
    if (segments.length > 0) {
      segments.push({ text: lastSection === name || merged ? '\n' : '\n\n' });
    }
    lines.forEach((line, index) => {
      if (index > 0) segments.push({ text: name === 'static_injections' ? '\n\n' : '\n' });
      if (line.bullet) segments.push({ text: '- ' });
      for (const piece of line.pieces) {
        segments.push({
          text: piece.text,
          source: { token: at, section: name, ...line.source, ...piece.extra },
        });
      }
    });
    lastSection = name;
  });
  const text = segments.map((segment) => segment.text).join('');
  return {
    segments: { head: 0, middle: segments, tail: 0 },
    sections: { head: 0, middle: sections, tail: 0 },
    tokens: { head: 0, middle: tokens, tail: 0 },
    unprinted: { head: 0, middle: [], tail: 0 },
    rolled: rolledSlots(sections),
    characters: [...text].length,
    micros: 812,
    problem: null,
    unrendered: null,
  };
}

interface Line {
  bullet: boolean;
  source: { item: number; item_name: string; field: string; entry?: number };
  pieces: { text: string; extra: { variable?: string; fragment?: number } }[];
}

function linesOf(
  name: string,
  field: string | undefined,
  items: { index: number; value: Record<string, JsonValue> }[],
  evaluated: SectionEvaluation,
  tree: JsonValue,
): Line[] {
  const lines: Line[] = [];
  for (const [nth, used] of evaluated.used.entries()) {
    const value = items[used.index]!.value;
    const item = { item: used.index, item_name: identityOf(value, used.index).name };
    const plain = (text: string, of: string, entry?: number, bullet = false): Line => ({
      bullet,
      source: entry === undefined ? { ...item, field: of } : { ...item, field: of, entry },
      pieces: [{ text, extra: {} }],
    });
    if (field === 'scale') {
      lines.push(plain('On a scale of 1-10, intensity is 8 on excited.', 'scale'));
      continue;
    }
    const fieldName = field ?? (Array.isArray(value.items) ? 'items' : 'text');
    const printed = value[fieldName];
    if (Array.isArray(printed)) {
      if (fieldName === 'examples') lines.push(plain(String(value.pre_context), 'pre_context'));
      const keep = evaluated.arrays.find((each) => each.field === fieldName)?.kept[nth]?.entries;
      for (const entry of keep ?? printed.map((_, index) => index)) {
        lines.push(plain(String(printed[entry]), fieldName, entry, true));
      }
    } else if (typeof printed === 'string') {
      const line = plain(printed, fieldName);
      const vars = isObject(tree) && isObject(tree.state) ? tree.state.template_vars : {};
      const fragments = Array.isArray(value.fragments) ? value.fragments : [];
      fragments.forEach((fragment, index) => {
        if (!isObject(fragment) || !isObject(vars)) return;
        const [before = '', after = ''] = String(fragment.text).split(/\{[^}]+\}/);
        const typed = String(vars[`${name}::${String(fragment.if_var)}`] ?? '');
        if (typed === '') return;
        line.pieces.push(
          { text: ` ${before}`, extra: { fragment: index } },
          { text: typed, extra: { fragment: index, variable: String(fragment.if_var) } },
          { text: after, extra: { fragment: index } },
        );
      });
      lines.push(line);
    }
  }
  return lines;
}

const snapshot = (id: number, name: string, more: Partial<SnapshotSummary>): SnapshotSummary => ({
  id,
  name,
  note: '',
  file: 'night_radio.json',
  taken_at: Date.now() - id * 3_600_000,
  kind: 'manual',
  pinned: null,
  route: null,
  seed: 118820034417 + id,
  target: null,
  glance: 'keeper, positive 5',
  ...more,
});

/** The scene of the dev entry. */
export const scene: Scene = {
  file: 'night_radio.json',
  tree: { registry, state, route: null, seed: 740291883516 },
  preview: evaluate,
  snapshots: [
    snapshot(30, 'First broadcast', { pinned: 1 }),
    snapshot(2, 'Before the storm', { pinned: 2, note: 'The version the station liked best.' }),
    snapshot(3, 'Dry and slow', { pinned: 3 }),
    snapshot(4, 'Shorter directions', {}),
    snapshot(5, 'Before delete: owl', { kind: 'auto' }),
    snapshot(6, 'Nudges at 2 of 5', { note: 'Calmer than three.' }),
  ],
  runs,
  events: [
    {
      kind: 'lint',
      document: 'night_radio.json',
      revision: 0,
      diagnostics: [
        {
          code: 'random_before_stable',
          severity: 'note',
          message:
            'rolled text comes before 612 stable characters: moving personas down keeps a longer prefix cacheable',
          pointer: '/assembly_order/2',
          also: [],
          data: {},
          line: 7,
          column: 5,
        },
        {
          code: 'pattern',
          severity: 'error',
          message:
            'the pattern does not compile: missing ), unterminated subpattern at character 14 of the pattern',
          pointer: '/output_policy/forbidden_patterns/1',
          also: [],
          data: {
            reason: 'missing ), unterminated subpattern at character 14 of the pattern',
          },
          line: 214,
          column: 19,
        },
        {
          code: 'unreachable_item',
          severity: 'note',
          message: 'Item silence is never reached',
          pointer: '/static_injections/items/3',
          also: [],
          data: {},
          line: 148,
          column: 7,
        },
      ],
    },
    {
      kind: 'counts',
      document: 'night_radio.json',
      preview: 1,
      tokenizer: 'o200k_base',
      exact: true,
      total: 250,
      sections: {
        output_prompt_directions: 25,
        base_context: 28,
        personas: 63,
        sentiment: 68,
        examples: 37,
        static_injections: 20,
        prompt_endings: 9,
      },
      tokens: [25, 28, 30, 33, 12, 10, 17, 27, 37, 20, 0, 0, 9],
    },
    {
      kind: 'draft',
      document: 'night_radio.json',
      revision: 0,
      saved_at: Date.now(),
      kept: null,
      problem: null,
    },
  ],
};
