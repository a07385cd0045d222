// The Chat tab's part of the fake service: a text made of whatever the setup says, in the manner of
// ChatML, without templates. A template that holds `{% broken` has an error there; with the
// variable `nothing` it prints nothing.
import type {
  ChatBackend,
  ChatBlock,
  ChatInspection,
  ChatPiece,
  ChatProblem,
  ChatReport,
  ChatSetup,
  ChatStability,
} from '$lib/ipc';

const setup: ChatSetup = {
  template: { kind: 'family', family: 'QWEN_3_X' },
  text: '',
  role: 'system',
  conversation: 'call',
  messages: [{ role: 'user', content: 'Hello.', fields: '' }],
  tools: '',
  variables: '',
  thinking: false,
  generation_prompt: true,
  continue_final: false,
  alias_reasoning: true,
  off: [],
  whitespace: true,
};

const piece = (text: string, special = false): ChatPiece => ({
  text,
  special,
  generated: false,
  place: { line: 2, column: 4 },
  source: null,
});

const refusal = (message: string): ChatProblem => ({
  code: 'template_raised',
  message,
  place: null,
  line: null,
});

function block(role: string, message: number | null, text: string): ChatBlock {
  return {
    kind: message === null ? 'generation' : message === 0 ? 'prompt' : 'message',
    role: message === null ? '' : role,
    message,
    polyfills: role === 'tool' ? ['answers_as_user'] : [],
    calls: 0,
    tokens: 4,
    pieces: [
      piece('<|im_start|>', true),
      piece(`${role}\n`),
      { ...piece(text), generated: role === 'assistant' && message !== null },
    ],
  };
}

function problemOf({ template, text }: ChatSetup): ChatProblem | null {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes('{% broken'));
  if (template.kind !== 'own' || at < 0) return null;
  return {
    code: 'template_syntax',
    message: "Encountered unknown tag 'broken'.",
    place: { line: at + 1, column: 4 },
    line: lines[at] ?? null,
  };
}

/**
 * With the variable `whole` the conversation can't be written message by message, with `long` it is
 * checked in part.
 */
function stabilityOf({ variables }: ChatSetup): ChatStability {
  if (variables.includes('"long"')) return { kind: 'partial', checked: 540, messages: 2000 };
  if (!variables.includes('"whole"')) return { kind: 'stable' };
  const problem = { code: 'template_raised', message: 'All at once.', place: null, line: null };
  return { kind: 'unknown', problem };
}

function reportOf(asked: ChatSetup): ChatReport {
  const problem = problemOf(asked);
  const prompt = block(asked.role, 0, '');
  const source = {
    token: 0,
    section: 'personas',
    item: 1,
    item_name: 'brisk',
    field: 'context',
  };
  prompt.pieces.push({ ...piece('Brisk.'), source });
  const messages = asked.messages.map(({ role, content }, at) => block(role, at + 1, content));
  const end = block('assistant', null, asked.thinking ? '' : '<think>\n\n</think>\n\n');
  const printsNothing = asked.variables.includes('"nothing"');
  return {
    blocks:
      problem || printsNothing
        ? []
        : [prompt, ...messages, ...(asked.generation_prompt ? [end] : [])],
    problem,
    polyfills: [
      {
        name: 'answers_as_user',
        on: !asked.off.includes('answers_as_user'),
        changes: [
          {
            message: 2,
            parts: [
              { kind: 'removed', text: '"role": "tool"\n' },
              { kind: 'added', text: '"role": "user"\n' },
            ],
          },
        ],
      },
    ],
    last: asked.messages.length,
    stability: stabilityOf(asked),
    remarks: [{ code: 'token_in_content', message: 'message 1 (user) holds <|im_end|>' }],
    characters: 40,
    tokens: 12,
    exact: false,
    tokenizer: 'o200k_base',
  };
}

const inspection: ChatInspection = {
  family: 'QWEN_3_X',
  proofs: 2,
  capabilities: [
    {
      name: 'supports_system_role',
      state: 'yes',
      polyfill: null,
      needle: 'NEEDLE',
      rendered: '<|im_start|>system\nNEEDLE',
      compared: null,
    },
    {
      name: 'supports_tool_responses',
      state: 'polyfilled',
      polyfill: 'answers_as_user',
      needle: 'NEEDLE',
      rendered: 'No tool role.',
      compared: null,
    },
    {
      name: 'uses_clock',
      state: 'yes',
      polyfill: null,
      needle: '',
      rendered: 'Today is 1 December 2031.',
      compared: 'Today is 26 July 2024.',
    },
  ],
  thinks: true,
  remarks: [],
  variables: [],
  problem: null,
};

/** Calls of the Chat tab; what is saved is what the next opening gives. */
export function fakeChat(inspected: Partial<ChatInspection> = {}): ChatBackend {
  let merged = setup;
  return {
    chat: async () => ({
      setup: merged,
      model: null,
      other: null,
      families: [
        { family: 'QWEN_3_X', title: 'Qwen 3, ChatML' },
        { family: 'LLAMA_3_X', title: 'Llama 3' },
      ],
    }),
    saveChat: async (_, next) => {
      merged = next;
    },
    chooseChatModel: async () => ({
      name: 'qwen.jinja',
      path: '/models/qwen.jinja',
      source: 'qwen.jinja',
      family: 'QWEN_3_X',
      template: 'line one\n{{ messages }}\n',
      bos_token: null,
      eos_token: null,
      tokenizer: false,
      problem: null,
    }),
    renderChat: async (_, asked) => reportOf(asked),
    inspectChat: async () => ({ ...inspection, ...inspected }),
    compareChat: async () => [
      { name: 'One question', left: null, right: null, same: true, parts: [] },
      {
        name: 'Tools offered',
        left: null,
        right: null,
        same: false,
        parts: [
          { kind: 'removed', text: '<tools>\n' },
          { kind: 'added', text: '[AVAILABLE_TOOLS]\n' },
        ],
      },
      {
        name: 'Two calls at once',
        left: refusal('One call at a time.'),
        right: refusal('One call at a time.'),
        same: true,
        parts: [],
      },
      {
        name: 'No content',
        left: refusal('Content is missing.'),
        right: refusal('None has no length.'),
        same: false,
        parts: [],
      },
    ],
    copiedChat: async (_, asked, form) => `${form} of ${asked.messages.length}`,
  };
}
