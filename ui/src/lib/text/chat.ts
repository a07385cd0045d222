// The words of the Chat tab.
import { figure, plural } from './figures';
import { sentence } from './sentence';

/** What a capability is called, what is said where it is missing, and what makes up for it. */
const capabilities: Record<string, { name: string; no?: string; polyfilled?: string }> = {
  supports_system_role: { name: 'System role', polyfilled: 'into the user message' },
  system_text: { name: 'System text always', polyfilled: 'into the user message' },
  supports_tools: { name: 'Tools', polyfilled: 'into the system message' },
  supports_tool_calls: { name: 'Tool calls', polyfilled: 'as content' },
  supports_parallel_tool_calls: { name: 'Parallel calls' },
  supports_tool_responses: { name: 'Tool response', polyfilled: 'as user message' },
  supports_typed_content: { name: 'Typed content', polyfilled: 'flattened' },
  text_content: { name: 'Content as text', polyfilled: 'into parts' },
  string_arguments: { name: 'Arguments as string', polyfilled: 'parsed' },
  supports_null_content: { name: 'Null content' },
  supports_thinking: { name: 'Thinking switch' },
  keeps_reasoning: { name: 'Keeps reasoning' },
  supports_developer_role: { name: 'Developer role', polyfilled: 'to system' },
  has_generation_tag: { name: 'Generation tag' },
  requires_alternation: { name: 'Enforced alternation' },
  uses_clock: { name: 'Uses the clock' },
  supports_tool_call_id: { name: 'Call ids' },
  has_channels: { name: 'Channels' },
  writes_bos: { name: 'Writes BOS' },
  strips_inline_think: { name: 'Strips inline think' },
  writes_generation_prompt: { name: 'Generation prompt' },
};

/** Under which circumstances the two renderings of a proof were made. */
const sides: Record<string, readonly [string, string]> = {
  supports_thinking: ['Rendered with thinking on', 'Rendered with thinking off'],
  uses_clock: ['Rendered on 26 July 2024', 'Rendered on 1 December 2031'],
  writes_generation_prompt: [
    'Rendered without a generation prompt',
    'Rendered with a generation prompt',
  ],
};

const polyfills: Record<string, string> = {
  parse_arguments: 'Arguments given as text become objects',
  call_fields_on_top: 'Name and arguments also at the top of a call',
  flatten_content: 'Content in parts becomes one text',
  developer_to_system: 'Developer messages become system messages',
  tools_into_system: 'Tools are described in the system message',
  calls_as_content: 'Calls are written into the content',
  answers_as_user: 'Tool responses become user messages',
  system_into_user: 'The system message goes into the first user message',
  text_into_parts: 'Text content becomes a list of parts',
};

const polyfilled: Record<string, string> = {
  parse_arguments: 'arguments parsed',
  call_fields_on_top: 'call fields on top',
  flatten_content: 'content flattened',
  developer_to_system: 'polyfilled as system',
  tools_into_system: 'tools polyfilled into it',
  calls_as_content: 'calls polyfilled as content',
  answers_as_user: 'polyfilled as user',
  system_into_user: 'polyfilled into user',
  text_into_parts: 'text in parts',
};

/** A template to begin with: what most models speak, as short as it can be. */
const STARTER = `{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' }}
{%- if enable_thinking is defined and not enable_thinking %}
{{- '<think>\\n\\n</think>\\n\\n' }}
{%- endif %}
{%- endif %}
`;

export const chat = {
  template: 'Template',
  from: (file: string) => `from ${file}`,
  edited: (file: string) => `from ${file}, edited`,
  gone: (why: string) => `${sentence(why)}. What it brought before is still used.`,
  ownTemplate: 'Own template',
  openFile: 'Open template or GGUF file…',
  openFolder: 'Open model folder…',
  editTemplate: 'Edit chat template',
  ownReplaced: 'Your own template was replaced by this one.',
  thinking: 'Thinking',
  thinkingOf: (asks: boolean) =>
    asks ? 'Thinking' : 'Thinking: this format does not ask whether the model thinks',
  toggleThinking: (on: boolean) => (on ? 'Switch thinking off' : 'Switch thinking on'),
  whitespace: 'Show whitespace',
  copy: 'Copy the conversation',
  copyAs: {
    text: 'Copy chat text',
    messages: 'Copy chat as JSON messages',
    curl: 'Copy chat as curl',
  },
  copied: {
    text: 'Chat text copied.',
    messages: 'Messages copied.',
    curl: 'Command copied.',
  },
  conversationText: 'Chat text',
  message: (number: number) => `message ${number}`,
  templateLine: (line: number) => `template line ${line}`,
  place: (line: number, column: number) => `template line ${line}, column ${column}`,
  registryPrompt: 'registry prompt',
  generation: 'generation',
  generated: 'underlined: trained',
  generatedHint: 'What the template marks as written by the model: the tokens an answer trains',
  byTemplate: 'template',
  toolCalls: (count: number) => plural(count, 'tool call'),
  tokenCount: (count: number, exact: boolean) => `${exact ? '' : '≈ '}${plural(count, 'token')}`,
  openMessage: (number: number) => `Open message ${number}`,
  openLine: (line: number) => `Open template line ${line}`,
  more: (characters: number, sections: number) =>
    sections > 0
      ? `${figure(characters)} more, ${plural(sections, 'section')}`
      : `${figure(characters)} more`,
  showAll: 'Show the whole prompt',
  fold: 'Fold the prompt',
  pointed: (...parts: string[]) => parts.filter((each) => each !== '').join(', '),
  stale: 'The text below is that of the last template that worked.',
  lineOf: (line: number, column: number) => `line ${line}, column ${column}`,
  showInTemplate: 'Show in template',

  panels: {
    capabilities: 'Capabilities',
    conversation: 'Conversation',
    template: 'Template',
    checks: 'Checks',
    compare: 'Compare',
  },
  panel: 'Chat panel',
  hidePanel: 'Hide panel',
  showPanel: 'Show panel',
  stable: (message: number) => `Stable through message ${message}`,
  holds: 'Stable',
  unknown: 'Whether the prefix holds is not known',
  notKnown: 'Not known',
  partial: (checked: number, messages: number) =>
    `Stable over the first ${figure(checked)} of ${figure(messages)} messages; the rest is not checked`,
  holdsUpTo: (checked: number) => `Stable to ${figure(checked)}`,
  breaks: (message: number) => `Breaks at ${message}`,
  unstable: (message: number) => `Message ${message} breaks the prefix`,
  total: (tokens: number, exact: boolean, tokenizer: string) =>
    `${figure(tokens)} tokens, ${tokenizer}${exact ? '' : ', estimate'}`,

  probed: (proofs: number) => `probed, ${plural(proofs, 'finding')}`,
  builtin: 'builtin format',
  capability: (name: string) => capabilities[name]?.name ?? name,
  ability: {
    yes: (): string => '',
    no: (name: string): string => capabilities[name]?.no ?? 'no',
    polyfilled: (name: string): string => capabilities[name]?.polyfilled ?? '',
  },
  abilityName: { yes: 'yes', no: 'no', polyfilled: 'polyfilled' },
  proofOf: (name: string) => `Proof: ${capabilities[name]?.name ?? name}`,
  lookedFor: 'Looked for',
  rendered: 'Rendered',
  sides: (name: string): readonly [string, string] => sides[name] ?? ['Rendered', 'Rendered'],
  polyfills: 'Polyfills',
  polyfill: (name: string) => polyfills[name] ?? name,
  polyfilledBy: (name: string) => polyfilled[name] ?? name,
  noPolyfills: 'This format needs no polyfill.',
  changesNothing: 'changes nothing here',
  changesOf: (count: number) => `changes ${plural(count, 'message')}`,
  showDiff: (name: string) => `Difference: ${polyfills[name] ?? name}`,
  addedMessage: 'added message',

  promptAs: 'Prompt as',
  roles: { system: 'System message', user: 'User message' },
  generationPrompt: 'Generation prompt',
  continueFinal: 'Continue last message',
  addMessage: 'Add message',
  aliasReasoning: 'Reasoning aliases',
  aliasReasoningLong: 'Give reasoning under all the names templates look for',
  roleOf: (number: number) => `Role of message ${number}`,
  contentOf: (number: number) => `Content of message ${number}`,
  fieldsOf: (number: number) => `Further fields of message ${number}`,
  addFields: (number: number) => `Add fields to message ${number}`,
  fieldsHint: 'Further fields, such as {"tool_calls": […]}',
  removeMessage: (number: number) => `Remove message ${number}`,
  messageRemoved: (number: number) => `Message ${number} was removed.`,
  messages: 'Messages',
  tools: 'Tools',
  toolsHint: 'A JSON list of tools; empty for none',
  variables: 'Variables',
  variablesHint: 'A JSON object, such as {"reasoning_effort": "high"}',
  notJson: (why: string) => `This is not JSON yet: ${why}`,

  editor: 'Chat template',
  noSource: 'A builtin format has no template',
  noSourceDetail: 'Write one of your own, or open a template, a model folder or a GGUF file.',
  writeOwn: 'Write a template',
  starter: STARTER,

  lint: 'Lint',
  nothingFound: 'Nothing to remark on this template and conversation.',
  prefix: 'Prefix stability',
  stableDetail: 'Every message only adds to the text before it; a cached prefix stays good.',
  unstableDetail: (message: number, changed: number | null, place: string) =>
    `Message ${message} rewrites ${changed === null ? 'what was written before it' : `what message ${changed} wrote`}${place}. Everything from there on is read anew.`,
  partialDetail: (checked: number, messages: number) =>
    `The first ${figure(checked)} of ${figure(messages)} messages only add to the text before them. The rest is not checked: the template has to be rendered from the start for each message.`,
  unknownDetail: (why: string) =>
    `Whether every message only adds to the text before it is not known: ${why}`,
  fromByte: (byte: number) => `from byte ${figure(byte)}`,
  reads: 'Variables it reads',
  readsNothing: 'It reads nothing but messages, tools and tokens.',
  changesWith: (value: string) => `with ${value}`,
  changesNothingTried: 'no value tried changes this conversation',

  against: 'Compare with',
  otherFile: 'Another file…',
  otherFolder: 'Another folder…',
  trialsSame: (same: number, all: number) => `${same} of ${all} the same`,
  same: 'same',
  differs: 'differs',
  onlyLeft: 'the other fails',
  onlyRight: 'this one fails',
  bothFail: 'both fail',
  thisOne: 'this one',
  theOther: 'the other',
  failedWith: (who: string, message: string) => `${who}: ${message}`,
} as const;
