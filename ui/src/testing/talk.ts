// A call document and a request written out by hand, for looking at the Request tab and testing it.
import type { JsonValue, RequestView, Violation } from '$lib/ipc';
import type { CallScene } from './fake-calls';

const toolCall = (id: string, name: string): JsonValue => ({
  id,
  type: 'function',
  function: { name, arguments: '{"station": "north"}' },
});

/** A talk in which a tool is asked and answers. */
export const talk: JsonValue = {
  registry: '../guides.json',
  assistant: { name: 'Ada', id: '42' },
  args: { guest: 'Bob' },
  history: [
    { role: 'user', content: 'Is anybody there?' },
    { role: 'assistant', content: '', tool_calls: [toolCall('call_1', 'read_board')] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"lines": 3}' },
    { role: 'assistant', content: 'Three lines are open.' },
  ],
  message: { text: 'Then put one through.', language: 'en' },
  own_notes: 'kept',
};

const request: RequestView = {
  params: { call: null, target: 'gemini', family: null },
  model: 'gemini-3-pro',
  body: '{\n  "contents": []\n}',
  text: null,
  blocks: [
    {
      name: 'static',
      keep: 'cacheable',
      characters: 6480,
      tokens: 1482,
      holds: [
        { kind: 'roles', count: 1 },
        { kind: 'session_goal', count: 1 },
        { kind: 'cached_turns', count: 8 },
      ],
    },
    {
      name: 'dynamic',
      keep: 'per_call',
      characters: 1904,
      tokens: 446,
      holds: [
        { kind: 'file_references', count: 2 },
        { kind: 'todos', count: 3 },
        { kind: 'current_datetime', count: 1 },
      ],
    },
    {
      name: 'buffered',
      keep: 'not_yet',
      characters: 886,
      tokens: 208,
      holds: [
        { kind: 'turns', count: 4 },
        { kind: 'signatures', count: 1 },
      ],
    },
    {
      name: 'trigger',
      keep: 'never',
      characters: 142,
      tokens: 32,
      holds: [{ kind: 'instruction', count: 1 }],
    },
  ],
  characters: 9412,
  tokens: 2168,
  tokenizer: 'o200k_base',
  exact: false,
  cache: {
    before_at: 1_768_500_000_000,
    shared_characters: 3577,
    characters: 9412,
    shared_tokens: 824,
    tokens: 2168,
    share: 0.38,
    was: 0.69,
    change: {
      at: 3577,
      kind: 'section',
      words: 'section personas, item brisk, field context',
      block: 'static',
      source: { token: 0, section: 'personas', item: 1, item_name: 'brisk', field: 'context' },
      parts: [
        { kind: 'removed', text: 'Calm at the desk.' },
        { kind: 'added', text: 'Brisk.' },
        { kind: 'same', text: ' Answer in one line.' },
      ],
      items_before: ['calm'],
      items_after: ['brisk'],
      rolled: true,
    },
  },
  plan: { rebuild: false, buffered_tokens: 208, threshold: 1024, cached_turns: 0, saved_tokens: 0 },
  messages: 5,
  violations: [],
  trace: [
    { stage: 'build_user_message', micros: 40, added: 'the new message' },
    { stage: 'snapshot_history', micros: 30, added: '5 messages' },
    { stage: 'validate_history', micros: 110, added: 'all rules met' },
    { stage: 'prepare_prompt_arguments', micros: 210, added: 'system, assistant, args' },
  ],
  volatile: [{ section: 'personas', cause: 'random', at: 0, gain: 612 }],
  problem: null,
  diagnostics: [],
};

/** A response that answers nothing breaks a rule, as the service would say. */
const violations = (tree: JsonValue): Violation[] => {
  const { history } = tree as { history: { role: string; tool_call_id?: string }[] };
  return history.flatMap(({ role, tool_call_id }, index) =>
    role === 'tool' && tool_call_id !== 'call_1'
      ? [
          {
            rule: 'tool_id_mismatch',
            index,
            message: `message ${index + 1}: no tool call of message 2 has the id`,
          },
        ]
      : [],
  );
};

/** The talk about a registry. */
export const callScene = (registry: string): CallScene => ({
  document: 'calls/talk.json',
  registry,
  tree: talk,
  violations,
  request,
});
