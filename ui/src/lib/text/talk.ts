// The words of the conversation with the deck.
import { formatNumber, plural } from './number-format';

export const talk = {
  log: 'Conversation',
  to: 'To',
  withCall: 'with the call',
  as: 'as',
  receiver: 'Request format',
  tokens: (count: number, exact: boolean) =>
    `${exact ? '' : 'about '}${formatNumber(count)} ${count === 1 ? 'token' : 'tokens'}`,
  branch: (parting: string, last: string) => `${parting} → ${last}`,
  branches: (count: number) => plural(count, 'branch', 'branches'),
  branchList: 'Branches of this conversation',
  branchEmpty: 'no text',
  branchStarted: 'An empty branch was started. The others are under Branches.',
  seeRequest: 'See request',
  seeTurns: 'See turns',
  runs: 'Single runs and history',
  conversation: 'Conversation',
  openConversation: 'Open the conversation',
  newBranch: 'Start an empty branch',

  system: 'system',
  systemFigures: (characters: number, sections: number, rolled: number) =>
    `${plural(characters, 'character')} in ${plural(sections, 'section')}${rolled > 0 ? `, ${formatNumber(rolled)} rolled` : ''}`,
  showSystem: 'Show the prompt',
  hideSystem: 'Hide the prompt',
  fromCall: 'from the call',
  fromEarlierCall: 'from the call as it was then',
  empty: 'No turns yet',
  emptyDetail: 'Write as the user. The prompt and the call’s messages are sent before your turn.',

  roles: { user: 'user', system: 'system', assistant: 'assistant' } as Record<string, string>,
  roleLabel: 'Write as',
  byHand: 'by hand',
  turnOf: (role: string) => `Turn of ${role}`,
  edit: 'Edit this turn',
  editHint: 'The edited turn becomes a branch of its own; this one stays.',
  saveEdit: 'Save as a branch',
  sendEdit: 'Send as a branch',
  unsavedEdit: 'Unsaved edit',
  editDropped: 'The edit was discarded.',
  roll: 'Roll again',
  compare: 'Compare with its siblings',
  continueFrom: 'Continue from here',
  copy: 'Copy text',
  copied: 'Text copied.',
  details: 'Show the run',
  turnMenu: 'Turn actions',
  branchOf: (index: number, count: number) => `${index} of ${count}`,
  switcher: 'Branches of this turn',
  before: 'Previous branch',
  after: 'Next branch',
  siblings: 'Siblings of this turn',
  difference: (index: number) => `Changes from branch ${index}`,
  noDifference: 'The texts are the same.',
  judging: {
    accepted: 'accepted',
    rejected: 'rejected',
  },
  states: {
    streaming: 'streaming',
    waiting: 'waiting',
    stopped: 'stopped',
    failed: 'failed',
    interrupted: 'interrupted',
  } as Record<string, string>,
  stateTitles: {
    stopped: 'You stopped this answer',
    failed: 'The answer broke off; roll again',
    interrupted: 'The program ended during this answer; roll again',
  } as Record<string, string>,
  attempts: (count: number) => plural(count, 'attempt'),
  firstAfter: (ms: number) => `first text after ${formatNumber(Math.round(ms))} ms`,
  nothing: 'No text.',
  thought: 'Thought',
  asksForTool: (count: number) => (count === 1 ? 'asks for a tool' : `asks for ${count} tools`),

  keep: 'Keep',
  asCheck: 'As a check of the output policy',
  keepMenu: 'Keep this answer',
  asExampleNowhere: 'As an example: needs a list that the deck prints, or one called examples',
  asExample: (section: string, item: string | null, field: string | null) => {
    if (item === null) return `As a new item of ${section}`;
    const isUsual = field === 'items' || field === 'examples';
    return `As example in ${section}, ${isUsual ? item : `${item}.${field ?? ''}`}`;
  },
  keptAsExample: (item: string, isNamed: boolean) =>
    isNamed && item !== 'examples' ? `Added to the examples of ${item}.` : `Added to ${item}.`,
  exampleLabel: 'Keep an answer as example',
  asCall: 'As call: the turns of this branch',
  keptAsCall: (call: string) =>
    `The branch is in ${call} now, with the state, route and seed of the deck. Save to write the file.`,
  keptAsNewCall: (call: string) =>
    `Kept the branch in ${call}, with the state, route and seed of the deck. It is in use now; the other branches belong to the conversation without a call.`,
  showBranches: 'Show them',
  asNewCall: 'As new call: the turns of this branch',

  waitsForYou: 'waits for you',
  result: (name: string) => `Result of ${name}`,
  resultHint: 'Type the result, usually JSON',
  verdicts: {
    arguments: {
      valid: 'arguments fit the schema',
      invalid: 'arguments violate the schema of the tool',
      no_schema: 'JSON; the tool has no schema for arguments',
      not_json: 'arguments are not JSON',
      bad_schema: 'the schema of the tool cannot be used',
      unknown_tool: 'the call has no tool of this name',
    },
    result: {
      valid: 'fits the schema',
      invalid: 'violates the schema of the tool’s results',
      no_schema: 'JSON; the tool has no schema for results',
      not_json: 'not JSON; sent as text',
      bad_schema: 'the schema of the tool’s results cannot be used',
      unknown_tool: 'the call has no tool of this name',
    },
  },
  answerCalls: (count: number) =>
    count === 1 ? 'Answer the tool call first.' : `Answer the ${count} tool calls first.`,
  editMessages: 'Edit the call’s messages',
  sendResult: 'Send result',
  sendError: 'Answer with an error',
  rounds: (count: number, most: number) => `tool round ${count} of ${most}`,

  composer: 'Next turn',
  placeholder: 'Write the next turn',
  placeholderTool: 'You can write the next turn while the tool waits',
  placeholderStream: 'You can write the next turn while this one arrives',
  tools: (count: number) => plural(count, 'tool'),
  stop: 'Stop',
  send: 'Send',
  ask: 'Get answer',
  damaged: (count: number) =>
    `${plural(count, 'turn')} could not be read and ${count === 1 ? 'is' : 'are'} not shown.`,
} as const;
