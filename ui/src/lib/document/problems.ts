// The short title of a diagnostic, and the edits that fix it where one is obvious.
// Lint says what is wrong, where, and in its data what about; this offers fixes.
import type { DiagnosticNote, Edit, JsonValue, Step } from '../ipc';
import { text } from '../text';
import { sentence } from '../text/sentence';
import { declareVar, removeVar, setVarDefault } from './selection-edits';
import { at, isObject } from './edit';
import { placeOfPointer, registrySteps, type Place } from './place';
import { addToPrompt, type Insertion } from './print-status';
import { identityOf, registryOf, sectionOf, stateOf, templateVars, type Section } from './registry';
import { wordPattern } from '../util/word-pattern';
import { findInTags, replaceInTags } from './template-words';

/** A fix of a problem. */
export interface Fix {
  label: string;
  /** One word for it, on the line of the problem's title. */
  short?: string;
  /** What was done, for the undo menu. */
  undoLabel: string;
  edits: Edit[];
  /** The entry that it adds to the assembly order at `path`. */
  insertion?: Insertion & { path: Step[] };
  /** Where the author goes on: the value of a variable that it declares. */
  next?: Place;
  /** The argument of the call that the author gives a value; it changes nothing in the deck itself. */
  argument?: string;
  /** Whether the argument becomes a list if it is a text. */
  makesList?: boolean;
}

/** A diagnostic as it is shown. */
export interface Problem {
  note: DiagnosticNote;
  title: string;
  fixes: Fix[];
}

interface Spot {
  note: DiagnosticNote;
  tree: JsonValue;
  /** From the session tree down to what the diagnostic is about. */
  path: Step[];
  value: JsonValue | undefined;
  /** The section it is in, if it is in one. */
  section: ReturnType<typeof sectionOf>;
}

type Reader = (spot: Spot) => { title?: string; fixes: (Fix | undefined)[] };

/** A diagnostic in few words, with its fixes. */
export function problemOf(note: DiagnosticNote, tree: JsonValue): Problem {
  const steps = registrySteps(note.pointer);
  const path = pathOf(tree, steps);
  const spot: Spot = {
    note,
    tree,
    path,
    value: at(tree, path),
    section: steps[0] === undefined ? undefined : sectionOf(registryOf(tree), steps[0]),
  };
  const reader = Object.hasOwn(READERS, note.code) ? READERS[note.code] : undefined;
  const read = reader?.(spot) ?? { fixes: [] };
  return {
    note,
    title: read.title ?? sentence(note.message, Object.values(note.data)),
    fixes: read.fixes.filter((fix) => fix !== undefined),
  };
}

/** Where a problem is put right: a missing value where it is typed, not where it is asked for. */
export function placeOfProblem(note: DiagnosticNote, tree: JsonValue): Place {
  const place = placeOfPointer(note.pointer);
  if (note.code !== 'runtime_variable_unfilled' || place.section === undefined) return place;
  const section = sectionOf(registryOf(tree), place.section);
  const entry = section ? templateVars(section).indexOf(note.data.name ?? '') : -1;
  return entry < 0 ? place : { section: place.section, field: 'template_vars', entry };
}

/** Pointer steps as steps of the tree: digits are indices where there is an array. */
function pathOf(tree: JsonValue, steps: string[]): Step[] {
  const path: Step[] = ['registry'];
  for (const step of steps) {
    path.push(Array.isArray(at(tree, path)) ? Number(step) : step);
  }
  return path;
}

const fix = (label: string, edits: Edit[]): Fix => ({ label, undoLabel: label, edits });

/** Declares a variable, whose value is typed next. */
const declare = (section: Section, name: string, before: Edit[] = []): Fix => ({
  ...fix(text.problem.declare(name), [...before, ...declareVar(section, name)]),
  next: { section: section.name, field: 'template_vars', entry: templateVars(section).length },
});

/** Other places of the same fault, which have to be fixed as well. */
const samePaths = ({ note, tree, path }: Spot): Step[][] => [
  path,
  ...note.also.map((pointer) => pathOf(tree, registrySteps(pointer))),
];

/** Takes the thing away; nothing to offer where it is not there any more. */
function remove(spot: Spot, label: string): Fix | undefined {
  if (spot.value === undefined) return undefined;
  // From the end of each list, so that no edit moves what the next one names.
  const last = (path: Step[]) => Number(path.at(-1));
  const paths = samePaths(spot).toSorted((one, other) => last(other) - last(one));
  return fix(
    label,
    paths.map((path) => ({ kind: 'remove', path })),
  );
}

function replace(spot: Spot, label: string, next: JsonValue): Fix | undefined {
  if (spot.value === undefined) return undefined;
  return fix(
    label,
    samePaths(spot).map((path) => ({ kind: 'set', path, value: next })),
  );
}

/** Replaces a token, which may be in the brackets of the entry that was found. */
function replaceToken(spot: Spot, label: string, token: string, next: string): Fix | undefined {
  const { value } = spot;
  if (typeof value !== 'string') return undefined;
  const entry = value === token ? next : value.replace(`[${token}]`, () => `[${next}]`);
  return entry === value ? undefined : replace(spot, label, entry);
}

/** The words of a text that lint found wrong, as they are written there. */
export const wrongWords = (notes: readonly DiagnosticNote[], value: string): string[] =>
  notes.flatMap((note) => wrongWord(note) ?? []).filter((word) => value.includes(word));

/**
 * What a diagnostic of a text calls wrong: a variable in braces, or behind one that stays open, or a tag
 * that cannot be rendered.
 */
function wrongWord({ code, data: { name, found } }: DiagnosticNote): string | undefined {
  if (code === 'prompt_template') return found;
  if (name === undefined) return undefined;
  if (code === 'variable_undeclared' || code === 'scale_name_unknown') return found;
  return code === 'variable_not_closed' ? `{${name}` : undefined;
}

function undeclared(spot: Spot): ReturnType<Reader> {
  const { section, value, note } = spot;
  const { name, found, suggestion: meant, reason: keyword } = note.data;
  if (!section || name === undefined || found === undefined || typeof value !== 'string') {
    return { fixes: [] };
  }
  const written = (name: string) => value.replaceAll(found, `{${name}}`);
  // The outer ones of doubled braces would be printed around the value.
  const single = written(name) === value ? undefined : replace(spot, '', written(name));
  return {
    title: text.problem.undeclared(found, section.name),
    fixes: [
      meant === undefined || meant === name
        ? undefined
        : replace(spot, text.problem.replaceVariable(meant), written(meant)),
      // A word of another language is no name.
      keyword === undefined ? declare(section, name, single?.edits) : undefined,
      // A value is not substituted again, so that its braces are printed.
      fix(text.problem.keepBraces(found), [
        ...declareVar(section, name),
        ...setVarDefault(section, name, `{${name}}`),
      ]),
    ],
  };
}

/** A name in a slider's sentence: declaring it would not fill it in. */
function scaleName(spot: Spot): ReturnType<Reader> {
  const { section, value, note } = spot;
  const { found, suggestion: meant } = note.data;
  if (!section || found === undefined || typeof value !== 'string') return { fixes: [] };
  return {
    title: text.problem.scaleName(found, section.name),
    fixes: [
      meant === undefined
        ? undefined
        : replace(spot, text.problem.replaceVariable(meant), value.replaceAll(found, `{${meant}}`)),
    ],
  };
}

function notClosed(spot: Spot): ReturnType<Reader> {
  const { section, value, note } = spot;
  const { name } = note.data;
  if (!section || name === undefined || typeof value !== 'string') return { fixes: [] };
  const closed = value.replace(wordPattern([`{${name}`]), `{${name}}`);
  return {
    title: text.problem.notClosed(name, section.name),
    fixes: [
      closed === value ? undefined : replace(spot, text.problem.replaceVariable(name), closed),
    ],
  };
}

function condition({ section, note }: Spot): ReturnType<Reader> {
  const { name } = note.data;
  if (!section || name === undefined) return { fixes: [] };
  return {
    title: text.problem.condition(name, section.name),
    fixes: [declare(section, name)],
  };
}

function unused({ section, path, note, tree }: Spot): ReturnType<Reader> {
  const index = path.at(-1);
  const { name } = note.data;
  if (!section || name === undefined || typeof index !== 'number') return { fixes: [] };
  return {
    title: text.problem.unused(name, section.name),
    fixes: [fix(text.problem.removeVariable(name), removeVar(section, index, name, stateOf(tree)))],
  };
}

function unknownSection(spot: Spot): ReturnType<Reader> {
  const { token = '', section: name = '', suggestion: meant } = spot.note.data;
  return {
    title: text.problem.unknownSection(name),
    fixes: [
      meant === undefined
        ? undefined
        : replaceToken(spot, text.problem.write(meant), token, meant + token.slice(name.length)),
      remove(spot, text.problem.removeToken),
    ],
  };
}

/**
 * Renames the field that was found, unless its item has a field of the other name. Its mode follows,
 * unless another item has the field as well.
 */
function renameField(spot: Spot, from: string, to: string): Fix | undefined {
  const { tree, path, value, section } = spot;
  const owner = path.slice(0, -1);
  const holder = at(tree, owner);
  const free = isObject(holder) && !Object.hasOwn(holder, to);
  if (!free || value === undefined) return undefined;
  const edits: Edit[] = [{ kind: 'rename_key', path: owner, from, to }];
  const others = section?.items.filter((item) => Object.hasOwn(item.value, from)) ?? [];
  if (section && others.length === 1) {
    for (const modes of [
      ['state', 'array_modes', section.name],
      ['registry', section.name, 'array_modes'],
    ]) {
      const known = at(tree, modes);
      if (isObject(known) && Object.hasOwn(known, from) && !Object.hasOwn(known, to))
        edits.push({ kind: 'rename_key', path: modes, from, to });
    }
  }
  return fix(text.problem.write(to), edits);
}

function legacy(spot: Spot): ReturnType<Reader> {
  const { key: from = '', replacement: to = '' } = spot.note.data;
  return { title: text.problem.legacy(from), fixes: [renameField(spot, from, to)] };
}

/** A field of an item that nothing reads and that is similar to a known one. */
function unknownField(spot: Spot): ReturnType<Reader> {
  const { key = '', suggestion } = spot.note.data;
  return {
    title: text.problem.unknownSetting(key),
    fixes: [
      suggestion === undefined ? undefined : renameField(spot, key, suggestion),
      remove(spot, text.removeField(key)),
    ],
  };
}

function duplicate(spot: Spot): ReturnType<Reader> {
  const { section } = spot;
  const name = spot.note.data.item ?? '';
  const taken = new Set(section?.items.map((item) => item.name));
  let free = `${name}_2`;
  for (let number = 3; taken.has(free); number += 1) free = `${name}_${number}`;
  return {
    title: text.problem.duplicate(name),
    fixes: [replace(spot, text.problem.renameTo(free), free)],
  };
}

function withoutIdentity(spot: Spot): ReturnType<Reader> {
  const { section, path, value } = spot;
  const taken = new Set(section?.items.map((item) => item.name));
  let free = 'item';
  for (let number = 2; taken.has(free); number += 1) free = `item_${number}`;
  const nameless = isObject(value) && identityOf(value, 0).key === undefined;
  return {
    title: text.problem.nameless(section?.name ?? ''),
    fixes: [
      nameless
        ? fix(text.problem.nameIt(free), [{ kind: 'set', path: [...path, 'id'], value: free }])
        : undefined,
    ],
  };
}

/** Where a text has what a diagnostic is about, for the caret; -1 if that is not known. */
export function offsetOfProblem(note: DiagnosticNote, value: string): number {
  const { code, data } = note;
  const word = wrongWord(note);
  if (word === undefined) return AT_NAME.includes(code) ? findInTags(value, data.name ?? '') : -1;
  const at = value.indexOf(word);
  const within = data.argument === undefined ? -1 : findInTags(word, data.argument);
  return at < 0 ? at : at + Math.max(within, 0);
}

/** Codes whose name is an expression in the tags of a text. */
const AT_NAME = ['argument_unset', 'expression_gap', 'text_looped'];

/** Writes the name that is probably meant where a template reads one without a value. */
function writeName({ note: { data }, path, value }: Spot): Fix | undefined {
  const { name, argument, replacement = argument === name ? data.suggestion : undefined } = data;
  if (name === undefined || replacement === undefined || typeof value !== 'string')
    return undefined;
  const next = replaceInTags(value, name, replacement);
  if (next === value) return undefined;
  return fix(text.problem.write(replacement), [{ kind: 'set', path, value: next }]);
}

/** A name that an argument of the call gives. */
function missingArgument({ note: { data } }: Spot): Fix[] {
  const { argument } = data;
  return argument === undefined
    ? []
    : [{ ...fix(text.problem.setArgument(argument), []), argument }];
}

/** A section that no entry names. */
function notRendered({ note, tree }: Spot): ReturnType<Reader> {
  const { section = '', insertion: token } = note.data;
  return {
    title: text.problem.notRendered(section),
    fixes: [addEntry(note, tree, text.problem.addToken(token ?? ''))],
  };
}

/** Adds the entry that lint names, at its place in its order. */
function addEntry({ data }: DiagnosticNote, tree: JsonValue, label: string): Fix | undefined {
  const { insertion: token, index = 0, order } = data;
  if (token === undefined || order === undefined) return undefined;
  const path: Step[] = ['registry', ...registrySteps(order)];
  const entries = at(tree, path);
  // The document may have moved on since lint looked at it.
  if (Array.isArray(entries) && entries.includes(token)) return undefined;
  const insertion = { token, index };
  const add = fix(label, addToPrompt(tree, path, [insertion]));
  return add && { ...add, insertion: { ...insertion, path } };
}

/** A text that no entry prints: lint names the entry that would, its place and its order. */
function notInAssembly(spot: Spot): ReturnType<Reader> {
  const { note, tree } = spot;
  const { section = '', field = '', suggestion } = note.data;
  const title =
    note.code === 'slider_not_in_assembly'
      ? text.problem.sliderNotInAssembly(section)
      : text.problem.notInAssembly(field, section);
  const rename = suggestion === undefined ? undefined : renameField(spot, field, suggestion);
  const add = addEntry(note, tree, text.addToPrompt);
  return { title, fixes: [rename, add && { ...add, short: text.add }] };
}

/** An entry whose field nothing has, or not the item whose list it prints in its place. */
function unknownEntryField(spot: Spot): ReturnType<Reader> {
  const { token = '', suggestion, replacement, printed_field: printed, ...data } = spot.note.data;
  const near = suggestion && `${token.slice(0, token.indexOf('.'))}.${suggestion}`;
  const suggestions = [...new Set([near, replacement])].filter((entry) => entry !== undefined);
  const listOf = data.item ?? data.section ?? '';
  return {
    title:
      printed === undefined
        ? text.problem.unknownField(token)
        : data.item_index === undefined
          ? text.problem.listInstead(token)
          : text.problem.listAgain(token, listOf),
    fixes: [
      ...suggestions.map((entry) => replaceToken(spot, text.problem.write(entry), token, entry)),
      remove(spot, text.problem.removeToken),
    ],
  };
}

function includeAlias(spot: Spot): ReturnType<Reader> {
  const { target: alias = '', replacement: name } = spot.note.data;
  return {
    title: text.problem.includeAlias(alias),
    fixes: [name === undefined ? undefined : replace(spot, text.problem.write(name), name)],
  };
}

function setting(title: (field: string) => string): Reader {
  return (spot) => {
    const field = spot.note.data.key ?? '';
    return { title: title(field), fixes: [remove(spot, text.removeField(field))] };
  };
}

const READERS: Record<string, Reader> = {
  variable_undeclared: undeclared,
  variable_not_closed: notClosed,
  scale_name_unknown: scaleName,
  condition_undeclared: condition,
  variable_unused: unused,
  runtime_variable_unfilled: ({ note: { data } }) => ({
    title: text.problem.unfilled(data.name ?? '', data.section ?? ''),
    fixes: [],
  }),
  variable_gap: ({ note: { data } }) => ({
    title: text.problem.gap(data.name ?? '', data.section ?? ''),
    fixes: [],
  }),
  variable_placeholder: ({ note: { data } }) => ({
    title: text.problem.placeholder(data.name ?? '', data.section ?? ''),
    fixes: [],
  }),
  argument_unset: (spot) => ({
    title: text.problem.unset(spot.note.data.name ?? ''),
    fixes: [writeName(spot), ...missingArgument(spot)],
  }),
  expression_gap: (spot) => ({ fixes: [writeName(spot), ...missingArgument(spot)] }),
  prompt_template: (spot) => ({ fixes: missingArgument(spot) }),
  text_looped: ({ note: { data } }) => ({
    title: text.problem.textLooped(data.name ?? ''),
    fixes: [
      data.argument === undefined
        ? undefined
        : {
            ...fix(text.problem.makeList(data.argument), []),
            argument: data.argument,
            makesList: true,
          },
    ],
  }),
  unknown_section: unknownSection,
  unknown_field: unknownEntryField,
  token_malformed: (spot) => ({
    title: text.problem.malformed(spot.note.data.token ?? ''),
    fixes: [remove(spot, text.problem.removeToken)],
  }),
  bracket_not_paired: (spot) => ({
    title: text.problem.unpaired(spot.note.data.token ?? ''),
    fixes: [remove(spot, text.problem.removeToken)],
  }),
  pool_needs_field: (spot) => {
    const { token = '', replacement = '' } = spot.note.data;
    return {
      title: text.problem.pool(token),
      fixes: [replaceToken(spot, text.problem.write(replacement), token, replacement)],
    };
  },
  bracket_without_match: (spot) => ({
    title: text.problem.noMatch(spot.note.data.token ?? ''),
    fixes: [remove(spot, text.problem.removeToken)],
  }),
  section_not_rendered: notRendered,
  text_not_in_assembly: notInAssembly,
  slider_not_in_assembly: notInAssembly,
  fragments_not_printed: notInAssembly,
  text_not_printed: notInAssembly,
  duplicate_id: duplicate,
  item_unreachable: withoutIdentity,
  mode_without_list: (spot) => ({
    title: text.problem.modeWithoutList(spot.note.data.field ?? ''),
    fixes: [remove(spot, text.problem.removeMode)],
  }),
  mode_out_of_range: (spot) => ({
    title: text.problem.modeOutOfRange(spot.note.data.mode ?? ''),
    fixes: [remove(spot, text.problem.removeMode)],
  }),
  mode_malformed: (spot) => ({ fixes: [remove(spot, text.problem.removeMode)] }),
  injections_required: ({ path }) => ({
    title: text.problem.injectionsRequired,
    fixes: [
      fix(text.optionalSection, [
        { kind: 'set', path: [...path.slice(0, 2), 'required'], value: false },
      ]),
    ],
  }),
  include_alias: includeAlias,
  include_unknown: (spot) => ({
    title: text.problem.noSection(spot.note.data.target ?? ''),
    fixes: [remove(spot, text.problem.removeEntry)],
  }),
  relation_unknown: (spot) => ({
    title: text.problem.noTarget(spot.note.data.target ?? ''),
    fixes: [remove(spot, text.problem.removeEntry)],
  }),
  relation_contradiction: (spot) => ({
    title: text.problem.contradiction(spot.note.data.target ?? ''),
    fixes: [remove(spot, text.problem.removeEntry)],
  }),
  legacy_spelling: legacy,
  unknown_key: unknownField,
  pattern: (spot) => ({
    title: text.problem.pattern(spot.note.data.reason ?? ''),
    fixes: [remove(spot, text.problem.removePattern)],
  }),
  setting_unknown: setting(text.problem.unknownSetting),
  setting_wrong_type: setting(text.problem.wrongType),
};
