// The words of the deck: cards, the item editor and the card of a conflict.
import type { DiskState, ValueLabel } from '../ipc';
import { valueTitle } from './value-title';
import { formatNumber, plural } from './number-format';

export const deck = {
  deck: 'Deck',
  sectionCount: (count: number) => plural(count, 'section'),
  findInDeck: 'Find in deck',
  findInText: 'Find in this text',
  replaceInDeck: 'Replace in deck',
  replaceWith: 'Replace with',
  replaceOne: 'Replace',
  replaceAll: (count: number) => `Replace all ${formatNumber(count)}`,
  replaceFirst: (count: number) => `Replace the first ${formatNumber(count)}`,
  replaced: (matches: number, texts: number) =>
    `Replaced ${plural(matches, 'match', 'matches')} in ${plural(texts, 'text')}.`,
  namesStay: (count: number) => `${formatNumber(count)} in names stay`,
  namesStayTitle:
    'Names of sections, items, fields and variables are renamed where they are declared; what names them follows.',
  findOptions: 'Options of Find',
  wholeWords: 'Whole words',
  matchCase: 'Match case',
  closeReplace: 'Close replace',
  found: (count: number) => (count === 0 ? 'No matches' : plural(count, 'match', 'matches')),
  foundSoFar: (count: number) => `${plural(count, 'match', 'matches')} so far`,
  someOfFirst: (chosen: number, of: number) => `${chosen} of the first ${formatNumber(of)}`,
  foundFirst: (count: number) => `The first ${formatNumber(count)} matches`,
  collapseAll: 'Collapse all',
  expandAll: 'Expand all',
  section: 'Section',
  addSection: 'Add section',
  sectionName: 'Section name',
  sectionHelp:
    'A section is one part of the prompt: a card with the items to choose from. Its entry is added to the assembly, which prints it.',
  wellKnownSections: 'Common:',
  nameEmpty: 'Enter a name.',
  nameBecomes: 'becomes',
  nameWhiteSpace: 'A name cannot contain whitespace.',
  nameSeparator: (character: string) =>
    `A name cannot contain “${character}”, which separates the parts of an entry.`,
  sectionTaken: (name: string) => `A section or key named ${name} already exists.`,
  sectionEmpty: 'A section needs a name.',
  emptyDeck: 'No sections in this registry',
  emptyDeckDetail: 'Each section is a card with the items to choose from.',

  mine: 'Mine',
  disk: 'Disk',
  keep: 'Keep',
  keepFor: (key: string) => `Version of ${key} to keep`,
  allMine: 'All mine',
  allDisk: 'All from disk',
  allMineTitle: 'Ends the conflict with your version of every part',
  allDiskTitle: 'Ends the conflict with the version on disk of every part',
  choseAll: {
    mine: (file: string) => `Kept all of yours; saving writes it over ${file}.`,
    disk: (file: string) => `Took all of ${file} from disk.`,
  },
  apply: 'Apply',
  compareVersions: 'Compare both',
  notSaved: (file: string, disk: DiskState) =>
    ({
      changed: `Not saved: ${file} changed on disk. Choose which versions to keep first.`,
      deleted: `Not saved: ${file} was deleted from disk. Write it again at the head of the deck.`,
      damaged: `Not saved: ${file} is damaged on disk. Correct it there, or overwrite it.`,
      unreadable: `Not saved: ${file} cannot be read on disk.`,
    })[disk],
  showConflict: 'Go to the change on disk',
  diskStates: {
    changed: (file: string, at: string) => `${file} changed on disk at ${at}`,
    deleted: (file: string, at: string) => `${file} was deleted from disk at ${at}`,
    damaged: (file: string, at: string) => `${file} was damaged on disk at ${at}`,
    unreadable: (file: string, at: string) => `${file} can no longer be read, since ${at}`,
  },
  diskDetails: {
    changed: 'You have unsaved edits. Choose a version for each section.',
    deleted:
      'Only your version is left, in this window. Write it again, or leave the file deleted.',
    damaged:
      'The file is left alone. Correct it there and it is loaded, or overwrite it with the version in this window; the damaged file is then kept as a copy beside it.',
    unreadable:
      'It is left alone, and not saved over. Once it can be read again, it is compared with the version in this window.',
  },
  overwrite: 'Overwrite',
  writeAgain: 'Write again',
  conflictRest: (equal: number) =>
    equal === 0
      ? ''
      : `${plural(equal, 'other section')} ${equal === 1 ? 'is' : 'are'} identical. `,
  keptAsSnapshots: 'Snapshots keep both versions.',
  keptAsCopy: 'The version on disk is kept as a copy beside it, unless you choose all of it.',

  cardActions: (section: string) => `${section} actions`,
  expand: (section: string) => `Expand ${section}`,
  collapse: (section: string) => `Collapse ${section}`,
  sectionMeta: (required: boolean, items: number) =>
    `${required ? 'required' : 'optional'}, ${plural(items, 'item')}`,
  rollItem: 'Roll the item',
  rollSlider: 'Roll the slider',
  stopRollingSlider: 'Stop rolling the slider',
  stopRolling: 'Stop rolling',
  optionalSection: 'Make optional',
  requiredSection: 'Make required',
  renameSection: 'Rename section',
  duplicateSection: 'Duplicate section',
  deleteSection: 'Delete section',
  deleteSectionTitle: (section: string) => `Delete section ${section}?`,
  deleteSectionDetail: (entries: number, items: number) =>
    [
      ...(entries === 0
        ? []
        : [
            `${plural(entries, 'assembly entry', 'assembly entries')} ${entries === 1 ? 'refers' : 'refer'} to it and will be removed.`,
          ]),
      ...(items === 0
        ? []
        : [
            `${plural(items, 'item')} of other sections ${items === 1 ? 'names' : 'name'} it in include_sections, requires or excludes and will be listed in Problems.`,
          ]),
      'A snapshot is taken first. Undo restores the section.',
    ].join(' '),
  moveCard: (name: string) => `Move ${name}`,
  moveCardUp: 'Move card up',
  moveCardDown: 'Move card down',
  promptKeepsOrder: (name: string, beside: string, up: boolean) =>
    `The prompt still prints ${name} ${up ? 'after' : 'before'} ${beside}, as the assembly says.`,
  fileKeepsOrder: (section: string) =>
    `The new order is kept on this computer only: ${section} is a well-known section and has a fixed place in the file. What is printed first is set in the assembly.`,
  moveEntries: (count: number) =>
    count === 1 ? 'Move its entry too' : `Move its ${formatNumber(count)} entries too`,
  moveEntriesTitle: (entries: string[]) => `Moves ${entries.join(', ')} in the assembly`,
  keepPromptOrder: 'Keep the order of the prompt',
  some: (chosen: number, of: number) => `${chosen} of ${of}`,
  none: 'none',
  noneActive: 'none active',
  filteredBy: 'filtered by',
  item: 'Item',
  items: 'Items',
  /** Labels the items that are checked; `items` is also the name of a field. */
  checkedItems: 'Selected',
  closeItemsOf: (section: string) => `Close items of ${section}`,
  itemsOf: (section: string) => `Items of ${section}`,
  noIdentity: 'An item without id or name cannot be selected. Add an id.',
  itemOf: (section: string) => `Item of ${section}`,
  random: 'Random',
  randomItem: (section: string) => `Random item of ${section}`,
  randomSlider: (section: string) => `Random slider of ${section}`,
  slider: 'Slider',
  sliderOf: (section: string) => `Slider of ${section}`,
  scale: 'Scale',
  scaleOf: (section: string) => `Scale sentence of ${section}`,
  scaleHint:
    '{value} is the slider’s value, 1 to 10 when rolled; {emotion} is the item’s scale_emotion.',
  scaleSilent: 'The sentence has no {value}, so the slider’s value is not printed.',
  addSlider: 'Add slider',
  removeSlider: 'Remove slider',
  relationLabel: { requires: 'Requires', excludes: 'Excludes' },
  relationBroken: {
    requires: (entry: string) => `${entry} is not in use`,
    excludes: (entry: string) => `${entry} is in use`,
  },
  removeRelation: (kind: string, entry: string) => `Remove ${entry} from ${kind}`,
  addRelation: (where: string) => `Add to ${where}`,
  addRelationShort: 'Section or item',
  itemHints: {
    pre_context: 'Heading above the list items or examples.',
    scale_emotion: 'What the slider measures: {emotion} in the scale sentence.',
    runtime_variables: 'Variables the caller should set. A missing one does not fail the call.',
    requires: 'Rolled only if these are in use: a section, or one item of it.',
    excludes: 'Never rolled if these are in use.',
    weight:
      'How often rolls pick this item: 2 is twice as often as 1. With 0 it is picked only where no other can be.',
  } as Record<string, string>,
  sliderName: 'slider',
  rolledTitle: (value: ValueLabel) => valueTitle('Rolled for this evaluation', value),
  lockValue: (value: string) => `Lock ${value}`,
  unlockNamed: (what: string) => `Unlock ${what} and roll it again`,
  lockNamed: (what: string, value: string) => `Lock ${what} ${value}`,
  editItems: 'Edit items',
  editItemsOf: (section: string) => `Edit items of ${section}`,
  templateVars: 'Variables',
  addVariable: 'Add variable',
  addVariableTo: (section: string) => `Add variable to ${section}`,
  variableName: 'Variable name',
  removeVariable: (name: string) => `Remove variable ${name}`,
  variableActions: (name: string) => `Actions of ${name}`,
  renameVariable: (name: string) => `Rename variable ${name}`,
  variableOf: (section: string, name: string) => `${section} variable ${name}`,
  variableDefault: (value: string) => `default: ${value}`,
  variableMissing: 'no value',
  variableMissingTitle: 'No value and no default: the variable prints nothing.',
  variableUnused: 'unused',
  variableUnusedTitle: 'No text of this section uses this variable.',
  variableTaken: (name: string) => `${name} is already declared.`,
  variableInvalid: 'A variable name cannot contain braces.',
  setElsewhere: (name: string, [first = '', ...more]: string[]) =>
    more.length > 0
      ? `Set ${name} in ${first} and ${plural(more.length, 'more section')} as well`
      : `Set ${name} in ${first} as well`,
  setDefault: (name: string) => `Set as the default of ${name}`,
  fragments: 'Fragments',
  fragmentsOf: (section: string) => `Fragments of ${section}`,
  fragmentIf: 'if',
  fragmentAlways: 'always',
  modeOf: (section: string, field: string) => `Mode of ${section} ${field}`,
  mode: 'Mode',
  modeUnfollowed: (mode: string, list: string) =>
    `The mode ${mode} of ${list} stays, and names other entries of this list: it holds for the lists of several items.`,
  modeShared: (mode: string, list: string) =>
    `The mode of ${list} is ${mode} now, for the lists of other items as well.`,
  modeAll: 'All',
  modeNone: 'None',
  modeFace: {
    all: 'all',
    none: 'none',
    random: (count: number, total: number | undefined) =>
      total === undefined ? `random · ${count}` : `random · ${count} of ${total}`,
    entries: (entries: number[]) =>
      entries.length === 1 ? `index ${entries[0]}` : `indices ${entries.join(', ')}`,
  },
  modeHelp: {
    all: 'every entry prints',
    none: 'the list prints nothing',
    entries: 'only the checked entries print',
    random: 'the seed picks some',
  },
  modeKeys: { enter: 'this entry only', or: 'or', toggle: '+ click: one more, or one less' },
  modeByIndex: 'Entries by index',
  modeRandom: 'Random',
  modeCount: 'Count',
  fewer: 'Fewer',
  numberAtMost: (most: number) => `at most ${formatNumber(most)}`,
  numberAtLeast: (least: number) => `at least ${formatNumber(least)}`,
  wholeNumber: (least: number, most: number) => `A whole number from ${least} to ${most}`,
  more: 'More',
  ofTotal: (total: number) => `of ${total}`,
  entryCount: (count: number) => plural(count, 'entry', 'entries'),
  entriesUnderHeading: (count: number) => `${plural(count, 'entry', 'entries')} under a heading`,
  injectionHelp:
    'While one is checked, only the sections it keeps are printed; the others drop out. Its own text follows. One that is rolled only adds its text: nothing drops out.',
  keeps: 'keeps',
  keepsNothing: 'keeps no sections',
  drops: (count: number) => `drops ${count}`,
  emptySection: 'No items in this section',
  emptySectionDetail: 'A section prints nothing until it has an item.',
  addItem: 'Add item',

  addItemTo: (section: string) => `Add item to ${section}`,
  itemDeleted: (item: string) => `Deleted ${item}.`,
  duplicateItem: (item: string) => `Duplicate ${item}`,
  renameItem: (item: string) => `Rename ${item}`,
  useItem: (item: string) => `Use ${item}`,
  leaveItem: (item: string) => `Stop using ${item}`,
  newItem: 'Item',
  newRow: 'Row',
  newField: 'Field',
  itemActions: (item: string) => `${item} actions`,
  editItem: (item: string) => `Edit ${item}`,
  closeItem: (item: string) => `Close ${item}`,
  moveItem: (item: string) => `Move ${item}`,
  duplicate: 'Duplicate',
  delete: 'Delete',
  deleteItem: (item: string) => `Delete ${item}`,
  itemName: 'Item name',
  rollsFollowSection: (name: string) =>
    `The rolls of ${name} change with its name: each seed rolls it anew.`,
  rollsFollowItem: (section: string, name: string) =>
    `The rolls of ${section} change with the name ${name}: a seed may roll another item or entry.`,
  references: (count: number) => (count === 0 ? '' : `updates ${plural(count, 'reference')}`),
  itemNameTaken: (name: string) => `An item named ${name} already exists.`,
  rolledNow: 'rolled',
  usedNow: 'in use',
  notSelected: (used: string[]) =>
    used.length === 0
      ? 'Not in the prompt: nothing is selected.'
      : `Not in the prompt: ${used.join(', ')} ${used.length === 1 ? 'is' : 'are'} selected.`,
  sectionNotPrinted: (section: string) =>
    `Not in the prompt: no entry of the assembly in use prints ${section}.`,
  sectionFiltered: (section: string, by: string) =>
    `Not in the prompt: ${by} leaves ${section} out.`,
  select: 'Select',
  jsonBadge: 'JSON',
  fieldName: 'Field name',
  addOwnField: (name: string) => `Add a field named ${name}`,
  fieldTaken: (name: string) => `A field named ${name} already exists.`,
  /** The purpose of each known field of an item. */
  fieldHint: {
    text: 'Printed text',
    context: 'Text of a persona or a sentiment',
    items: 'List of entries; the mode selects among them',
    pre_context: 'Heading above the list of entries',
    fragments: 'Sentences printed when their variable has a value',
    scale_emotion: 'What the slider measures: “intensity is 5 on …”',
    include_sections: 'Sections this injection keeps; all others are filtered out',
    runtime_variables: 'Variables the caller should set',
    requires: 'Items or sections that must be in use',
    excludes: 'Items or sections that must not be in use',
    weight: 'How often rolls pick this item, compared with the others',
  } as Record<string, string>,
  fieldOfOthers: 'A field that other items of this section have',
  fieldHelp:
    'A field is one text or list of the item. It prints where an entry of the assembly names it, as in section.field.',
  fieldKindLabel: 'Kind of field',
  fieldKind: { text: 'Text', list: 'List', json: 'JSON' },
  addField: 'Add field',
  addFieldTo: (item: string) => `Add field to ${item}`,
  removeField: (name: string) => `Remove field ${name}`,
  entryOf: (field: string, index: number) => `${field} entry ${index + 1}`,
  removeEntry: (index: number) => `Remove entry ${index + 1}`,
  addRowTo: (field: string) => `Add row to ${field}`,
  fragmentText: (index: number) => `Fragment ${index + 1} text`,
  fragmentCondition: (index: number, always: boolean) =>
    `Fragment ${index + 1} condition${always ? '' : ', if'}`,
  removeFragment: (index: number) => `Remove fragment ${index + 1}`,
  addFragment: 'Fragment',
  includeSections: 'include_sections',
} as const;
