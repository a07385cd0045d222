// The words of the dialog that creates a registry, and of the report on an imported document.
import type { IneffectivePoint, PartLines, SourceType, SplitPoint } from '../ipc';
import { enumeration } from './enumeration';
import { plural } from './number-format';

const TYPES: Record<SourceType, string> = {
  plain: 'Plain prompt',
  registry: 'Registry',
  messages: 'Messages of OpenAI or Anthropic',
  card: 'Character card',
  lorebook: 'Lorebook',
  dotprompt: 'Dotprompt file',
  prompty: 'Prompty file',
  jinja: 'Jinja template',
  template: 'sd-dynamic-prompts template',
  wildcards: 'sd-dynamic-prompts wildcards',
};

/** What the marks of a kind are, and what reading a text as that kind is called. */
interface Likeness {
  looks: string;
  as: string;
}

const TEMPLATE: Likeness = {
  looks: 'The text looks like a template with choices, as in {red|blue} or __colors__.',
  as: 'a template',
};

const LIKENESS: Partial<Record<SourceType, Likeness>> = {
  template: TEMPLATE,
  wildcards: {
    looks: 'The lines look like the values of a wildcard, of which one is rolled.',
    as: 'wildcards',
  },
  jinja: {
    looks:
      'The text looks like a Jinja template, as in {{ name }} or {% if name %}. A plain prompt prints such places as they are written.',
    as: 'a Jinja template',
  },
  prompty: {
    looks: 'The text looks like a Prompty file: settings between dashes, then messages.',
    as: 'a Prompty file',
  },
  dotprompt: {
    looks: 'The text looks like a dotprompt file: settings between dashes, then a template.',
    as: 'a dotprompt file',
  },
};

const callContent = (messages: number, tools: number): string =>
  [messages > 0 && plural(messages, 'message'), tools > 0 && plural(tools, 'tool')]
    .filter(Boolean)
    .join(' and ');

const SPLIT_POINTS: Record<SplitPoint, string> = {
  headings: 'Headings',
  tags: 'Tags',
  blank_lines: 'Blank lines',
  lists: 'Lists',
};

const BLANK_LINES = SPLIT_POINTS.blank_lines.toLowerCase();
const LISTS = SPLIT_POINTS.lists.toLowerCase();

const upper = (words: string): string => (words[0] ?? '').toUpperCase() + words.slice(1);

/** Why kinds of places change nothing in the split of a text. */
function ineffectivePoints(ineffective: readonly IneffectivePoint[]): string {
  const named = (wanted: IneffectivePoint['reason']) =>
    ineffective
      .filter(({ reason }) => reason === wanted)
      .map(({ point }) => SPLIT_POINTS[point].toLowerCase());
  const [absent, structured, redundant] = [
    named('absent'),
    named('structured'),
    named('redundant'),
  ];
  const sentences = [];
  if (structured.includes(BLANK_LINES)) {
    sentences.push(`${upper(BLANK_LINES)} split only a text that no heading or tag splits.`);
  }
  if (structured.includes(LISTS)) {
    sentences.push('Lists become entries where they end a section.');
  }
  if (redundant.length > 0) {
    const names = enumeration(redundant);
    sentences.push(`${upper(names)} split at the same places as the rest.`);
  }
  // There may be one, on top of the text.
  if (absent.length > 0) {
    const names = absent.map((name) => (name === LISTS ? 'lists of lines with "- "' : name));
    sentences.push(`No ${enumeration(names, 'or')} divide the text.`);
  }
  return sentences.join(' ');
}

/** A deck's sections, and how many of them print before anything is chosen. */
const sectionsPrinted = (count: number, printed: number): string =>
  `${plural(count, 'section')}${printed < count ? `, ${printed} of them printed at first` : ''}`;

export const newRegistryText = {
  newRegistryIntro: 'Start from something good, or bring what you have',
  sourceRestored: 'This is what you left here before; no deck was created from it.',
  startEmpty: 'Start empty',
  beginWith: 'Begin with',
  blank: 'Blank',
  blankDetail: 'One section, one entry, and your first line.',
  bringPrompt: 'Bring what you have',
  importEntry: 'Import a prompt or a file…',
  sourceField: 'Prompt',
  sourcePlaceholder: 'Paste or type a prompt here, or drop a file.',
  sourceHint:
    'Also from a file: character cards, lorebooks, wildcards, dotprompt, Prompty, message JSON, Jinja, registries',
  sourceChoose: 'Choose a file…',
  sourceSplit: 'Split into sections',
  pasteIntoPrompt: 'Click a text of the prompt to paste into it.',
  sourceReplace: 'Replace',
  showSource: 'Show the import',
  sourceDrop: 'Drop a file to make a deck of it',
  sourceTooLarge: (name: string) => `${name} is larger than the limit of 64 MB.`,
  pastedText: 'pasted text',
  sourceLength: (name: string, length: number) => `${name}, ${plural(length, 'character')}`,
  sourceBytes: (name: string, length: number) => `${name}, ${plural(length, 'byte')}`,
  readAs: 'Read as',
  resembles: (type: SourceType) => (LIKENESS[type] ?? TEMPLATE).looks,
  readAsType: (type: SourceType) => `Read as ${(LIKENESS[type] ?? TEMPLATE).as}`,
  sourceTypes: TYPES,
  wildcards: 'Wildcards',
  wildcardsHelp:
    'The folder of .txt, .yaml or .json files that names such as __colors__ stand for.',
  wildcardsOf: (lists: number) => plural(lists, 'list'),
  chooseWildcards: 'Choose a folder…',
  changeWildcards: 'Change…',
  leaveWildcards: 'Read without the wildcards',
  splitAt: 'Split at',
  splitPoints: SPLIT_POINTS,
  ineffectivePoints,
  splitText: 'Text and its sections',
  splitMore: (listed: number, all: number) =>
    `Lines ${(listed + 1).toLocaleString('en')} to ${all.toLocaleString('en')} are not shown here. They are part of the deck.`,
  splitName: (name: string) => `Name of ${name}`,
  splitRename: (name: string) => `Rename ${name}`,
  splitBorder: (name: string) => `Border above ${name}`,
  splitBorderHelp:
    'Drag a border, or move it with the arrow keys. Delete merges the sections. Double-click between two lines, or press Enter on a line, to split there.',
  splitLine: (line: number) => `line ${line}`,
  openings: {
    heading: 'heading',
    tag: 'tag',
    label: 'label',
    entry: 'list',
    text: 'paragraph',
  },
  becomes: (count: number, printed: number) => `Becomes ${sectionsPrinted(count, printed)}`,
  sectionsPrinted,
  tokensColumn: 'tokens',
  tokensOfTemplate: 'tokens of the template, not rendered',
  partOf: ({ first, last, entries, headed }: PartLines) =>
    entries === 0
      ? `text, ${plural(last - first + 1, 'line')}`
      : `a list of ${entries}${headed ? ' under its heading' : ''}`,
  listNote: 'A list becomes entries, so one line of it can be rolled or left out.',
  sameBytes: (characters: number) =>
    `Prints the same ${plural(characters, 'character')}, byte for byte.`,
  sameButLineEnds: (characters: number) =>
    `Prints the same ${plural(characters, 'character')}, with LF as line ends instead of those of Windows.`,
  otherBytes: 'The deck would print a different text. Move a border.',
  lostBytes: (lines: number) =>
    `${plural(lines, 'place')} in the text would not print, because a prompt is trimmed and has at most one blank line in a row.`,
  trimSource: 'Trim the text',
  createWaits: {
    name: 'The registry has no name yet.',
    text: 'There is no text to split into sections yet.',
    split: 'Split the text into sections first.',
    source: 'What you brought cannot be read.',
    bytes: 'The deck would not print your text as it is.',
  },
  undoSplit: 'Undo the last change',
  starterPrints: 'What it prints',
  saveAs: 'Save as',
  fileName: 'File name',
  in: 'in',
  folderOfFile: 'Folder of the file',
  newSubFolder: 'New sub-folder…',
  createDeck: 'Create deck',
  createDeckKey: 'Create deck (Ctrl+Enter)',

  dismissNote: (section: string) => `Dismiss the note on ${section}`,

  importReport: 'What was converted',
  importFormats: {
    canonical: 'Format: Promptdeck.',
    v0_6: 'Format: schema 22, promptlibretto 0.5 and 0.6.',
    v0_7: 'Format: schema 2, promptlibretto 0.7.',
    v0_8: 'Format: schema 2, promptlibretto 0.8.',
    plain_prompt: 'Format: plain text.',
    openai_messages: 'Format: OpenAI messages.',
    anthropic_messages: 'Format: Anthropic messages.',
    character_card: 'Format: character card.',
    lorebook: 'Format: lorebook.',
    dotprompt: 'Format: dotprompt.',
    prompty: 'Format: Prompty.',
    jinja: 'Format: Jinja.',
    dynamic_prompt: 'Format: sd-dynamic-prompts template.',
    wildcards: 'Format: sd-dynamic-prompts wildcards.',
  },
  importSame: 'No changes were needed. The prompt is the same.',
  importSameInOtherWords: 'Some fields were converted. The prompt is the same.',
  importDiffers: (count: number) =>
    `${plural(count, 'difference')} can change the prompt. Check ${count === 1 ? 'it' : 'them'} before you use the registry.`,
  importAmbiguous: (count: number) =>
    `${plural(count, 'part')} ${count === 1 ? 'is' : 'are'} read differently by other programs or releases. Check ${count === 1 ? 'it' : 'them'} before you use the registry.`,
  importUnread: (count: number) =>
    `${plural(count, 'part')} ${count === 1 ? 'is' : 'are'} not used in the prompt. The list says why.`,
  starterCall: (messages: number, tools: number) =>
    `${callContent(messages, tools)} ${messages + tools === 1 ? 'comes' : 'come'} beside the deck, in a call document.`,
  importCall: (messages: number, tools: number) =>
    `${callContent(messages, tools)} ${messages + tools === 1 ? 'becomes' : 'become'} a call document beside the deck. Request, Conversation and the conversation in Run show and send ${messages + tools === 1 ? 'it' : 'them'}; a single run sends the prompt alone.`,
  importNoCall: (messages: number, tools: number, problem: string) =>
    `${callContent(messages, tools)} ${messages + tools === 1 ? 'stays' : 'stay'} in the file of the registry, and a run in this window sends the prompt alone: no call document can have ${messages + tools === 1 ? 'it' : 'them'} (${problem}).`,
  importNotes: {
    dynamic_prompt:
      'A registry rolls whole items, so each combination of the choices in a paragraph is an item.',
    wildcards: 'Each list is a section, and the seed picks one of its values.',
  },
  importStatuses: {
    not_supported: 'Different output',
    ambiguous: 'Read differently by other programs or releases',
    converted: 'Converted',
    unread: 'Not used in the prompt',
  },
  importLine: (line: number) => `line ${line}`,
  importWhole: 'the document',
  importMore: (count: number) => `${plural(count, 'more entry', 'more entries')} not listed`,
} as const;
