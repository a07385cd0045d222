// A small registry with one of each kind of section, and an evaluation of it, for component tests.
import type { JsonValue, PreviewPatch, SectionEvaluation, Segment, TokenReport } from '$lib/ipc';
import type { Scene } from './fake-backend';
import { rolledSlots } from './rolled-slots';

const registry: JsonValue = {
  title: 'Guides',
  assembly_order: ['personas.context', 'personas.tips', 'notes', 'missing'],
  personas: {
    template_vars: ['place', 'idle'],
    items: [
      { id: 'calm', context: 'Calm at {place}.', tips: ['Breathe.', 'Wait.', 'Listen.'] },
      { id: 'brisk', context: 'Brisk.', tips: ['Go.'] },
    ],
  },
  notes: {
    required: false,
    items: [
      { id: 'short', text: 'Short.' },
      { id: 'long', text: 'Long.' },
    ],
  },
  runtime_injections: {
    required: false,
    items: [{ id: 'alarm', text: 'Alarm.', include_sections: ['personas'] }],
  },
};

const picked = (index: number, name: string) => ({ index, name });
const from = (token: number, field: string, text: string, more = {}): Segment => ({
  text,
  source: { token, section: 'personas', item: 1, item_name: 'brisk', field, ...more },
});

/** Sections as evaluated: `personas` was rolled to `brisk`, its tips to the first entry. */
export const sections: SectionEvaluation[] = [
  {
    section: 'personas',
    selected: [picked(0, 'calm')],
    used: [picked(1, 'brisk')],
    origin: 'random',
    arrays: [
      {
        field: 'tips',
        mode: 'random:1',
        origin: 'random',
        kept: [
          {
            item: picked(1, 'brisk'),
            entries: [0],
            total: 1,
            label: { text: 'Go.', detail: '0: Go.' },
          },
        ],
      },
    ],
    filtered_by: [],
  },
  { section: 'notes', selected: [], used: [], origin: 'default', arrays: [], filtered_by: [] },
  {
    section: 'runtime_injections',
    selected: [],
    used: [],
    origin: 'default',
    arrays: [],
    filtered_by: [],
  },
];

const tokens: TokenReport[] = [
  { token: 'personas.context', section: 'personas', status: 'rendered' },
  { token: 'personas.tips', section: 'personas', status: 'rendered' },
  { token: 'notes', section: 'notes', status: 'dropped', reason: 'none is checked' },
  { token: 'missing', section: null, status: 'dropped', reason: 'there is no section missing' },
];

const segments: Segment[] = [
  from(0, 'context', 'Brisk.'),
  { text: '\n' },
  from(1, 'tips', '<b>Go.</b>', { entry: 0 }),
];

/** A separate scene for each test. */
export function guides(change: Partial<Scene> = {}): Scene {
  return {
    file: 'guides.json',
    tree: {
      registry,
      state: {
        section_random: { personas: true },
        array_modes: { personas: { tips: 'random:1' } },
      },
      route: null,
      seed: 7,
    },
    preview: (): Omit<PreviewPatch, 'number' | 'base'> => ({
      segments: { head: 0, middle: segments, tail: 0 },
      sections: { head: 0, middle: sections, tail: 0 },
      tokens: { head: 0, middle: tokens, tail: 0 },
      unprinted: { head: 0, middle: [], tail: 0 },
      rolled: rolledSlots(sections),
      characters: 17,
      micros: 420,
      problem: null,
      unrendered: null,
    }),
    ...change,
  };
}
