// The words of runs: the tab, connections, the history.
import { formatNumber, plural } from './number-format';

export const run = {
  run: 'Run',
  runHint: 'Run the prompt alone (Ctrl+Enter)',
  runAlone: 'Run the prompt alone',
  stop: 'Stop',
  runSends: 'A single run sends the prompt alone.',
  runSendsNoCall: (call: string) =>
    `A single run sends the prompt alone. The conversation sends ${call} too.`,
  runLeavesUnsent: 'What is written in the conversation is not sent.',
  runGoing: 'A run is in progress',
  provider: 'Provider',
  connection: 'Connection',
  mock: 'mock',
  mockHint: 'no model is called',
  connectionMenu: 'Connections',
  addConnection: 'Add a connection…',
  editConnection: (name: string) => `Edit ${name}…`,
  useConnection: (name: string) => `Run with ${name}`,
  generation: (temperature: string, most: string) => `temperature ${temperature}, max ${most}`,
  seeds: 'Seeds to run',
  seedsShort: 'Seeds',
  fewerSeeds: 'Fewer seeds',
  moreSeeds: 'More seeds',

  modelName: 'Model',
  modelOfRegistry: (model: string) => `${model}, from the registry`,
  findModel: 'Find a model or type its name',
  fetchModels: 'Fetch the list from the server',
  fetching: 'Fetching the list…',
  modelsFetched: (count: number) => plural(count, 'model'),
  noModels: 'The server has no models.',
  modelsNotFetched: 'Fetch the list to see the server’s models.',
  noModelFound: (words: string) => `No model matches “${words}”`,
  nameModel: (name: string) => `Use ${name} as typed`,

  newConnection: 'New connection',
  connectionTitle: (name: string) => `Connection ${name}`,
  connectionName: 'Name',
  connectionKind: 'Kind',
  kinds: {
    ollama: 'Ollama',
    openai: 'OpenAI-compatible chat',
    completions: 'OpenAI-compatible raw completions',
    gemini: 'Gemini',
  } as Record<string, string>,
  baseUrl: 'Base URL',
  modelOptional: 'empty: the registry’s model',
  chatTemplate: 'Chat template',
  chatTemplateHint: 'Jinja template; leave empty to send the prompt unchanged',
  key: 'Key',
  keyNone: 'none; local servers need no key',
  keyKept: 'stored in the keyring; type a new key to replace it',
  keyFromEnvironment: (variable: string) => `uses the environment variable ${variable}`,
  keyElsewhere: (variable: string) =>
    `Keys are stored only in the system keyring. Without a keyring, set ${variable}.`,
  forgetKey: 'Delete the key',
  keyForgotten: 'Deleted the key from the keyring.',
  test: 'Test',
  testing: 'Testing',
  testGood: (models: string[]) =>
    models.length === 0
      ? 'Connected. The server has no models.'
      : `Connected. ${plural(models.length, 'model')}: ${models.slice(0, 4).join(', ')}${models.length > 4 ? ' and more' : ''}.`,
  saveConnection: 'Save',
  deleteConnection: 'Delete',
  connectionDeleted: (name: string) => `Deleted connection ${name} and its key.`,
  connectionKept: (name: string) => `Saved connection ${name}.`,

  attemptOf: (number: number, most: number) =>
    most > 1 ? `Attempt ${number} of ${most}` : `Attempt ${number}`,
  attempt: (number: number) => `Attempt ${number}`,
  waiting: 'waiting',
  streaming: 'streaming',
  broken: 'interrupted',
  status: {
    running: 'running',
    interrupted: 'interrupted',
    accepted: 'accepted',
    rejected: 'rejected',
    failed: 'failed',
    stopped: 'stopped',
  },
  statusTitle: {
    running: 'In progress',
    interrupted: 'The program ended during the run',
    accepted: 'The output policy accepted the text',
    rejected: 'The output policy rejected the text',
    failed: 'The run produced no text',
    stopped: 'You stopped the run',
  },
  seconds: (ms: number) => `${(ms / 1000).toFixed(1)} s`,
  firstToken: (ms: number) => `first token ${formatNumber(Math.round(ms))} ms`,
  speed: (rate: number) => `${formatNumber(Math.round(rate))} tokens/s`,
  tokensOut: (count: number) => plural(count, 'token'),
  usageTitle: (sent: number | null, cached: number | null, came: number | null) =>
    [
      sent === null ? '' : `${formatNumber(sent)} tokens sent`,
      cached === null ? '' : `${formatNumber(cached)} of them from the cache`,
      came === null ? '' : `${formatNumber(came)} received`,
    ]
      .filter((part) => part !== '')
      .join(', '),
  changedByPolicy: 'Marked: changed by the output policy',
  changedByChannels: 'Marked: changed by the output policy, or not in the final channel',
  extracted: 'Reasoning, tool calls and channels of the answer',
  channel: (name: string, recipient: string | null) =>
    recipient === null ? name : `${name} to ${recipient}`,
  channels: (names: string[]) => `Channels: ${names.join(', ')}`,
  thought: 'Thought',
  endedBy: (finish: string) => `ended by ${finish}`,
  tryFailed: (number: number, message: string) => `Try ${number} failed: ${message}`,
  nextTry: (number: number, most: number, ms: number) =>
    `try ${number} of ${most}${ms > 0 ? ` in ${(ms / 1000).toFixed(1)} s` : ''}`,
  emptyAnswer: 'accepted, empty',
  emptyAnswerTitle:
    'The model answered nothing; a minimum length in the output policy rejects such answers',
  noText: 'The text is empty.',
  nothingArrived: 'No text received.',

  progress: (done: number, all: number) => `${done} of ${all} seeds`,
  sideBySide: 'Seeds side by side',
  showRun: (seed: number) => `Show the run of seed ${seed}`,

  history: 'History',
  thisRegistry: 'this registry',
  historyHeads: {
    time: 'Time',
    model: 'Model',
    result: 'Result',
    verdict: 'Verdict',
    tokens: 'Tokens',
  },
  noRuns: 'No runs yet',
  noRunsDetail: 'A run sends the evaluated prompt to the provider above and stores the answer.',
  moreRuns: (count: number) => `Show ${plural(count, 'older run')}`,
  damagedRuns: (count: number) =>
    `${plural(count, 'run')} could not be read and ${count === 1 ? 'is' : 'are'} not listed.`,

  runView: 'Show',
  runViews: {
    output: 'Output',
    prompt: 'Prompt',
    request: 'Request',
    evaluation: 'Evaluation',
  },
  runSeed: (seed: number) => `seed ${seed}`,
  runRoute: (route: string) => `route ${route}`,
  reopenRun: 'Reopen',
  reopenHint: 'Restore the registry, state, route and seed of this run',
  reopened: (when: string) => `Restored the state of the run of ${when}.`,
  copyText: 'Copy text',
  textCopied: 'Text copied.',
  runActions: 'Run actions',
  deleteRun: 'Delete from the history',
  runDeleted: (when: string) => `Deleted the run of ${when}.`,
  closeRun: 'Close this run',
  sentTo: (address: string) => `POST ${address}`,
  sentNowhere: 'Mock provider: nothing was sent.',
  stopRun: 'Stop the run',
} as const;

/** When something was: the time of today, with seconds; else the day before it. */
export function when(at: number, now: number): string {
  const then = new Date(at);
  const time = then.toLocaleTimeString('en-GB');
  if (then.toDateString() === new Date(now).toDateString()) return time;
  return `${then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time.slice(0, 5)}`;
}
