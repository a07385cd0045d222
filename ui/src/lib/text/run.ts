// The words of runs: the tab, connections, the history.
import { figure, plural } from './figures';

export const run = {
  run: 'Run',
  runHint: 'Run (Ctrl+Enter)',
  stop: 'Stop',
  runGoing: 'A run is going',
  provider: 'Provider',
  connection: 'Connection',
  mock: 'mock',
  mockHint: 'no model is asked',
  connectionMenu: 'Connections',
  addConnection: 'Add a connection',
  editConnection: (name: string) => `Edit ${name}`,
  useConnection: (name: string) => `Run with ${name}`,
  generation: (temperature: string, most: string) => `temperature ${temperature}, max ${most}`,
  seeds: 'Seeds to run',
  seedsShort: 'Seeds',
  fewerSeeds: 'Fewer seeds',
  moreSeeds: 'More seeds',

  modelName: 'Model',
  modelOfRegistry: (model: string) => `${model}, the registry's`,
  findModel: 'Find or name a model',
  fetchModels: 'Fetch the list from the server',
  fetching: 'Asking the server',
  modelsFetched: (count: number) => plural(count, 'model'),
  noModels: 'The server has no models.',
  modelsNotFetched: 'The list is asked for when you say so.',
  noModelFound: (words: string) => `No model of the list has ${words} in its name`,
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
  modelOptional: "empty for the registry's",
  chatTemplate: 'Chat template',
  chatTemplateHint: 'Jinja; without one the prompt is sent as it is',
  key: 'Key',
  keyNone: 'none, as local servers need',
  keyKept: 'kept in the keyring; type another to replace it',
  keyFromEnvironment: (variable: string) => `${variable} of the environment is used`,
  keyElsewhere: (variable: string) =>
    `Keys are kept in the system's keyring only. Where there is none, set ${variable}.`,
  forgetKey: 'Forget the key',
  keyForgotten: 'The key is out of the keyring.',
  test: 'Test',
  testing: 'Testing',
  testGood: (models: string[]) =>
    models.length === 0
      ? 'It answers, and has no models.'
      : `It answers, with ${plural(models.length, 'model')}: ${models.slice(0, 4).join(', ')}${models.length > 4 ? ' and more' : ''}.`,
  saveConnection: 'Save',
  deleteConnection: 'Delete',
  connectionDeleted: (name: string) => `Connection ${name} is gone, and its key with it.`,
  connectionKept: (name: string) => `Connection ${name} is kept.`,

  attemptOf: (number: number, most: number) =>
    most > 1 ? `Attempt ${number} of ${most}` : `Attempt ${number}`,
  attempt: (number: number) => `Attempt ${number}`,
  waiting: 'waiting',
  streaming: 'streaming',
  broken: 'broken off',
  status: {
    running: 'running',
    interrupted: 'interrupted',
    accepted: 'accepted',
    rejected: 'rejected',
    failed: 'error',
    stopped: 'stopped',
  },
  statusTitle: {
    running: 'On its way',
    interrupted: 'The program ended in the middle of it',
    accepted: 'The output policy accepted the text',
    rejected: 'The output policy rejected the text',
    failed: 'No text came of it',
    stopped: 'You stopped it',
  },
  seconds: (ms: number) => `${(ms / 1000).toFixed(1)} s`,
  firstToken: (ms: number) => `first token ${figure(Math.round(ms))} ms`,
  speed: (rate: number) => `${figure(Math.round(rate))} tok/s`,
  tokensOut: (count: number) => plural(count, 'token'),
  usageTitle: (sent: number | null, cached: number | null, came: number | null) =>
    [
      sent === null ? '' : `${figure(sent)} tokens sent`,
      cached === null ? '' : `${figure(cached)} of them out of a cache`,
      came === null ? '' : `${figure(came)} came back`,
    ]
      .filter((part) => part !== '')
      .join(', '),
  changedByPolicy: 'What the output policy changed is marked',
  changedByChannels:
    'What is not of the final channel, and what the output policy changed, is marked',
  extracted: 'What the answer says beside its text',
  channel: (name: string, recipient: string | null) =>
    recipient === null ? name : `${name} to ${recipient}`,
  channels: (names: string[]) => `Channels: ${names.join(', ')}`,
  thought: 'Thought',
  endedBy: (finish: string) => `ended by ${finish}`,
  triedAgain: (message: string) => `Tried again after: ${message}`,
  noText: 'The text is empty.',
  nothingArrived: 'Nothing arrived.',

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
  noRuns: 'Nothing was run yet',
  noRunsDetail: 'A run sends the evaluated prompt to the provider above and keeps what comes back.',
  moreRuns: (count: number) => `Show ${plural(count, 'older run')}`,
  damagedRuns: (count: number) =>
    `${plural(count, 'run')} could not be read and ${count === 1 ? 'is' : 'are'} left out.`,

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
  reopenHint: 'Bring back registry, state, route and seed of this run; Undo takes it back',
  reopened: (when: string) => `The run of ${when} is open again as a state.`,
  copyText: 'Copy text',
  textCopied: 'Text copied.',
  runActions: 'Run actions',
  deleteRun: 'Delete from the history',
  runDeleted: (when: string) => `The run of ${when} is deleted.`,
  closeRun: 'Close this run',
  sentTo: (address: string) => `POST ${address}`,
  sentNowhere: 'The mock was asked; nothing was sent.',
  stopRun: 'Stop the run',
} as const;

/** When something was: the time of today, with seconds; else the day before it. */
export function when(at: number, now: number): string {
  const then = new Date(at);
  const time = then.toLocaleTimeString('en-GB');
  if (then.toDateString() === new Date(now).toDateString()) return time;
  return `${then.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time.slice(0, 5)}`;
}
