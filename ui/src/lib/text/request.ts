// The words of the Request tab and the Conversation panel.
import { enumeration } from './enumeration';
import { formatBytes, formatNumber, plural } from './number-format';

/** Parts of messages, by their type in OpenAI's format. */
const PART_KINDS: Record<string, string> = {
  image_url: 'image',
  input_audio: 'audio',
};

const of = (count: number, one: string, many?: string) => plural(count, one, many);

/** The contents of a block, with their count. */
const holds: Record<string, (count: number) => string> = {
  roles: (count) => of(count, 'role'),
  procedure: () => 'procedure',
  constraints: (count) => of(count, 'constraint'),
  session_goal: () => 'session goal',
  cached_turns: (count) => of(count, 'cached turn'),
  file_references: (count) => of(count, 'file'),
  artifacts: (count) => of(count, 'artifact'),
  todos: (count) => of(count, 'todo'),
  current_datetime: () => 'date and time',
  turns: (count) => of(count, 'turn'),
  signatures: (count) => (count === 1 ? '1 signature restored' : `${count} signatures restored`),
  instruction: () => 'user instruction, always last',
  tool_response: () => 'tool response, always last',
  messages: (count) => of(count, 'message'),
};

const causes = {
  random: 'is rolled',
  variable: 'contains a template variable',
  expression: 'contains an expression',
};

export const request = {
  request: {
    target: 'Target',
    targets: {
      gemini: 'Gemini generateContent',
      openai: 'OpenAI chat completions',
      chat_template: 'Chat template',
    },
    targetHelp: {
      gemini: 'A request to Google’s Gemini: what rarely changes comes first, so it can be cached.',
      openai: 'A list of messages, for OpenAI and the many servers that take the same.',
      chat_template:
        'A single text, as a local model reads it; the model family determines how messages are marked.',
    },
    paneHelp: {
      layers: 'Layers are its parts, in the order they are sent, with their size.',
      cache: 'The cache view shows how much a provider can reuse from the request before.',
      history: 'The history is checked against the rules that providers have for messages.',
    },
    /** What the body is sent to, by target. */
    bodyHelp: {
      gemini: 'The body as a Gemini server is sent it; a run adds the generation settings.',
      openai:
        'The body as a server for chat completions is sent it; a run adds the generation settings, and calls of tools are written as Ollama reads them where the server is one.',
      chat_template:
        'A server for completions is sent this text as its prompt. Servers that take messages use their own template.',
    },
    callHelp:
      'The conversation that is sent with the prompt: instructions, messages so far, the new one',
    family: 'Family',
    chosenInChat: 'as chosen in Chat',
    call: 'Call',
    noCall: 'none, prompt only',
    callOf: (registry: string) => `of ${registry}`,
    newCall: 'New call document',
    newCallName: 'Name of the new call document',
    nameKeys: 'Enter creates it, Esc cancels',
    nameHint: 'Enter creates the call document, Esc cancels',
    editConversation: 'Edit conversation',
    /** Which settings of the call document, by their keys, are not used here. */
    deckSettings: (keys: string[]) =>
      `With the ${enumeration(keys)} of the deck, not of the call document.`,
    useCallSettings: 'Use those of the call',
    view: 'View of the request',
    panes: { layers: 'Layers', body: 'Body', cache: 'Cache', history: 'History' },
    copyBody: 'Copy request body',
    bodyCopied: 'Request body copied.',
    showPane: (pane: string) => `Request: ${pane}`,
    followed: (document: string, count: number) =>
      `${document} follows: ${plural(count, 'name')} in it changed as well. Saving the registry saves both.`,
    draftBack: (document: string) => `Restored your unsaved edits of ${document}.`,

    layers: 'Layers',
    blocks: 'Blocks',
    sentInOrder: 'sent in this order',
    blockNames: {
      static: 'Static',
      dynamic: 'Dynamic',
      buffered: 'Buffered',
      trigger: 'Trigger',
      tools: 'Tools',
      prompt: 'Prompt',
      history: 'History',
      message: 'Message',
    } as Record<string, string>,
    /** What a block is for, below its contents. */
    blockHelp: {
      static: 'Rarely changes, so it can be cached.',
      dynamic: 'Built anew for each call.',
      buffered: 'Recent turns that no cache holds yet.',
      trigger: 'What the model answers now.',
      tools: 'The functions that the model may call.',
      prompt: 'The text of this deck.',
      history: 'The messages so far.',
      message: 'What the model answers now.',
    } as Record<string, string>,
    blockHolds: {
      tools: 'tool declarations',
      prompt: 'evaluated prompt',
    } as Record<string, string>,
    nothing: 'nothing',
    keep: {
      cacheable: 'cacheable',
      cached: 'cached',
      per_call: 'per call',
      not_yet: 'cacheable later',
      never: 'not cacheable',
    },
    contents: (kind: string, count: number) => holds[kind]?.(count) ?? `${count} ${kind}`,
    tokens: (count: number) => plural(count, 'token'),
    estimate: 'estimate',

    cacheView: 'Cache view',
    against: (time: string) => `compared with the previous request, ${time}`,
    nothingBefore:
      'No previous request. Change something to see how much of the cache stays valid.',
    sharedPrefix: (share: number) => `Shared prefix ${Math.floor(share * 100)} %`,
    sharedOf: (shared: number, all: number, tokens: number) =>
      `${formatNumber(shared)} of ${formatNumber(all)} characters, ${formatNumber(tokens)} tokens`,
    was: (share: number) => `was ${Math.floor(share * 100)} %`,
    sameAsBefore: 'Nothing changed: the whole request can come from the cache.',
    firstChanged: 'First changed span',
    inBlock: (block: string, at: number) => `${block.toLowerCase()}, character ${formatNumber(at)}`,
    atCharacter: (at: number) => `character ${formatNumber(at)}`,
    openField: 'Open field',
    rerolled: (section: string, before: string, after: string) =>
      `${section} was rolled again: ${before}, then ${after}. Everything after it is uncached.`,
    chosen: (section: string, before: string, after: string) =>
      `${section} changed from ${before} to ${after}. Everything after it is uncached.`,
    uncached: 'Everything after it is uncached.',
    none: 'nothing',
    lockItem: (item: string) => `Lock ${item}`,
    moveLast: (section: string) => `Move ${section} after stable text`,
    moveSectionLast: (section: string) => `Move ${section} last`,

    early: 'Changes before stable text',
    earlyDetail: 'A provider’s cache ends at the first text that changes between calls.',
    earlyNone: 'No changing text precedes stable text.',
    earlySection: (cause: keyof typeof causes, at: number, gain: number) =>
      `${causes[cause]} at character ${formatNumber(at)}; moving it last makes ${plural(gain, 'more character')} cacheable`,

    rebuild: 'Rebuild the cache',
    rebuildNow: (turns: number, saved: number) =>
      `Recommended. Moving the first ${of(turns, 'turn')} to the static layer saves ${formatNumber(saved)} tokens per request.`,
    rebuildNot: (buffered: number, threshold: number) =>
      `Not needed. ${plural(buffered, 'buffered token')}, threshold ${formatNumber(threshold)}.`,
    history: 'History',
    rulesOfHistory: 'History rules',
    historyGood: (count: number) => `${of(count, 'message')}, all four rules met`,
    historyBroken: (count: number, broken: number) =>
      `${of(count, 'message')}, ${of(broken, 'problem')}`,
    pipeline: 'How it was built',
    /** What the stages of the core's pipeline do, by their names. */
    stages: {
      build_user_message: 'User message',
      snapshot_history: 'Messages so far',
      validate_history: 'Rules of the history',
      prepare_prompt_arguments: 'Arguments of the prompt',
    } as Record<string, string>,
    millis: (micros: number) => `${(micros / 1000).toFixed(micros < 100 ? 2 : 1)} ms`,
    stageAdded: 'Result',
    stage: 'Step',
    took: 'Time',
    notes: 'Notes',
    noRequest: 'No request',
    noBody: 'No body: the request could not be built.',
    bodySize: (lines: number) => plural(lines, 'line'),
    rules: {
      tool_call_unanswered: 'every tool call is followed by its response',
      tool_id_mismatch: 'response ids match the call ids',
      orphan_tool_response: 'every response follows a tool call',
      assistant_must_follow: 'tool responses are followed by an assistant message',
    } as Record<string, string>,
    newMessage: 'New message',
    emptyHistory: 'No messages yet',
  },
  conversation: {
    title: 'Conversation',
    messages: (count: number) => plural(count, 'message'),
    backToDeck: 'Back to the deck',
    show: 'Edit the conversation',
    none: 'No call document',
    noneDetail: 'A call document holds the assistant, the message history and the new message.',
    undo: 'Undo in the conversation',
    redo: 'Redo in the conversation',
    save: 'Save the call document',
    modified: 'modified',
    saved: 'saved',
    history: 'History',
    addMessage: 'Message',
    addMessageNamed: 'Add message',
    paste: 'Paste messages',
    pasteShort: 'Paste',
    pasteLabel: 'Messages as JSON of OpenAI or Anthropic',
    pasteConverted: 'Converted from the format of Anthropic; the system text is the first message.',
    pasted: (messages: number, tools: number) =>
      tools > 0 ? `${of(messages, 'message')}, ${of(tools, 'tool')}` : plural(messages, 'message'),
    pasteAppend: 'Append',
    pasteReplace: 'Replace all',
    pasteHint: 'A list of messages, a request, or a response with choices.',
    cancel: 'Cancel',
    role: (index: number) => `Role of message ${index + 1}`,
    otherParts: (index: number) => `Parts of message ${index + 1} other than text`,
    otherPart: (kind: string, source: string, bytes: number | null) =>
      [PART_KINDS[kind] ?? kind, source, bytes === null ? '' : formatBytes(bytes)]
        .filter((part) => part !== '')
        .join(', '),
    content: (index: number) => `Text of message ${index + 1}`,
    deleteMessage: (index: number) => `Delete message ${index + 1}`,
    addCall: (index: number) => `Add tool call to message ${index + 1}`,
    removeCall: (index: number, call: number) => `Remove call ${call + 1} of message ${index + 1}`,
    callIdShort: 'id',
    callNameShort: 'function',
    callArgumentsShort: 'arguments as JSON',
    callId: (index: number, call: number) => `Id of call ${call + 1} of message ${index + 1}`,
    callName: (index: number, call: number) =>
      `Function of call ${call + 1} of message ${index + 1}`,
    callArguments: (index: number, call: number) =>
      `Arguments of call ${call + 1} of message ${index + 1}`,
    answersId: (index: number) => `Call id of message ${index + 1}`,
    answers: (name: string) => `response to ${name}`,
    answersNothing: 'no matching call',
    historyHint: 'The messages so far, oldest first.',
    asks: 'New message',
    asksHint: 'The task: what the model answers now.',
    askText: 'Text of the new message',
    askLanguage: 'Language of the new message',
    language: 'Language',
    parts: 'Call',
    part: (name: string) => `Part ${name}`,
    argument: (name: string) => `Argument ${name}`,
    noneForArgument: (name: string) =>
      `The values of a Jinja deck are kept in a call document. Name one first, then type the value of ${name}.`,
    noValue: 'no value',
    argumentAsJson: (name: string) => `Write ${name} as JSON: a number, a list, an object`,
    argumentAsText: (name: string) => `Edit ${name} as text`,
    /** What a part of a call document is for. */
    partHints: {
      $schema: 'Where editors find the schema of this file.',
      registry: 'The registry file that the command line uses; here, the open deck is used.',
      state:
        'Selections, modes, sliders and variables for the command line; here, those of the deck count.',
      route: 'The route for the command line; here, that of the deck counts.',
      seed: 'The seed for the command line; here, that of the deck counts.',
      now: 'The time that the request says it is, such as 2026-01-15T19:30:00Z. Without it, the present.',
      assistant:
        'Who answers: name, id, language, description. A Jinja deck reads it as assistant.name.',
      conversation:
        'Which conversation it is: ids, source, dates. A Jinja deck reads it as conversation.id.',
      session: 'How the session is held. A Jinja deck reads it as session.mode.',
      metadata:
        'What is known of the user’s program: client.language is that of a message that names none.',
      args: 'Values for this call. A Jinja deck reads them as args.name, or as name.',
      defaults: 'Values of names that args leaves unset.',
      tools: 'Functions that the model may call, as a list in OpenAI’s format.',
      thinking: 'Whether the model thinks first: true or false, for models that can be told.',
      layers: 'Further parts of a Gemini request: roles, constraints, files, todos, the task.',
    } as Record<string, string>,
    partHintOther: 'A part of your own; it is kept, and not sent.',
    keepState: 'Save the current state in the call',
    keepStateHint: 'Writes the current selection, route and seed to the call document.',
    undoLabels: {
      add: 'Add message',
      remove: (index: number) => `Delete message ${index + 1}`,
      move: 'Move message',
      role: (index: number) => `Role of message ${index + 1}`,
      edit: (index: number) => `Edit message ${index + 1}`,
      addCall: (index: number) => `Add tool call to message ${index + 1}`,
      removeCall: (index: number) => `Remove tool call of message ${index + 1}`,
      paste: 'Paste messages',
      ask: 'Edit new message',
      part: (name: string) => `Edit ${name}`,
      argument: (name: string) => `Edit argument ${name}`,
      removeArgument: (name: string) => `Unset ${name}`,
      keepState: 'Save the state in the call',
    },
  },
} as const;
