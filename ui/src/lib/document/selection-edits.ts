// The edits behind the controls of a card: what is selected, rolled, set and typed. Each function
// gives the edits only; nothing here applies them.
import type { Edit, JsonValue } from '../ipc';
import { isObject, type JsonObject } from './edit';
import { isRandom, isSliderRandom, partOf, selectedItems, type Section } from './registry';

const inState = (...path: string[]): string[] => ['state', ...path];

/** Keeps a random flag that is set in the registry alone, which a value in the state would switch off. */
function keepRandom(
  section: Section,
  state: JsonObject,
  part: 'section_random' | 'slider_random',
  on: boolean,
): Edit[] {
  if (!on || Object.hasOwn(partOf(state, part), section.name)) return [];
  return [{ kind: 'set', path: inState(part, section.name), value: true }];
}

/** Selects one item of a required section; it goes on being rolled when it was. */
export function selectItem(section: Section, state: JsonObject, name: string): Edit[] {
  return [
    { kind: 'set', path: inState('selections', section.name), value: name },
    ...keepRandom(section, state, 'section_random', isRandom(section, state)),
  ];
}

/** Checks or unchecks an item of an optional section. */
export function checkItem(
  section: Section,
  state: JsonObject,
  index: number,
  checked: boolean,
): Edit[] {
  const now = new Set(selectedItems(section, state));
  if (checked) now.add(index);
  else now.delete(index);
  const names = section.items
    .filter((item) => item.key && now.has(item.index))
    .map((item) => item.name);
  return [
    { kind: 'set', path: inState('selections', section.name), value: names },
    ...keepRandom(section, state, 'section_random', isRandom(section, state)),
  ];
}

/** The names of the items that a state selects; those of the file itself for an empty one. */
const selectedNames = (section: Section, state: JsonObject): string[] =>
  selectedItems(section, state).flatMap((index) => {
    const item = section.items[index];
    return item?.key ? [item.name] : [];
  });

const selectedInFile = ({ name }: Section): string[] => ['registry', name, 'selected'];

const hasOwnSelection = (section: Section, state: JsonObject): boolean =>
  Object.hasOwn(partOf(state, 'selections'), section.name);

/**
 * Adds a name to a selection, where what else it names stays as it is written; undefined for a
 * selection that names nothing.
 */
function selectBeside(
  path: string[],
  chosen: JsonValue | undefined,
  name: string,
): Edit[] | undefined {
  if (Array.isArray(chosen) && chosen.length > 0) {
    const at = [...path, chosen.length];
    return chosen.includes(name) ? [] : [{ kind: 'insert', path: at, value: name }];
  }
  if (typeof chosen !== 'string' || chosen === '') return undefined;
  return chosen === name ? [] : [{ kind: 'set', path, value: [chosen, name] }];
}

/** Makes a selection a list that has the name. */
function selectInList(path: string[], chosen: JsonValue | undefined, name: string): Edit[] {
  const beside = chosen === name ? undefined : selectBeside(path, chosen, name);
  return beside ?? [{ kind: 'set', path, value: [name] }];
}

/**
 * Selects an item of an optional section that was just added, beside what is selected: in the file
 * where that names an item, so that it prints the new one too, and in the state where that has a
 * selection. A file that selects nothing goes on doing so: the new item is selected in the state.
 */
export function selectAlso(section: Section, state: JsonObject, name: string): Edit[] {
  const inFile = selectBeside(selectedInFile(section), section.value.selected, name);
  if (inFile && !hasOwnSelection(section, state)) return inFile;
  const path = inState('selections', section.name);
  const inSession = selectBeside(path, partOf(state, 'selections')[section.name], name);
  const names = [...selectedNames(section, state), name];
  return [
    ...(inFile ?? []),
    ...(inSession ?? [{ kind: 'set', path, value: names } as const]),
    ...keepRandom(section, state, 'section_random', isRandom(section, state)),
  ];
}

/** Makes a section optional, with its selected item still in use, or required. */
export function setRequired(section: Section, state: JsonObject, required: boolean): Edit[] {
  const edit: Edit = { kind: 'set', path: ['registry', section.name, 'required'], value: required };
  // An active runtime injection would filter out other sections.
  if (required || section.name === 'runtime_injections') return [edit];
  const [inFile] = selectedNames(section, {});
  const [inWindow] = selectedNames(section, state);
  const edits: Edit[] = [edit];
  if (inFile !== undefined) {
    edits.push(...selectInList(selectedInFile(section), section.value.selected, inFile));
  }
  if (inWindow !== undefined && hasOwnSelection(section, state)) {
    const chosen = partOf(state, 'selections')[section.name];
    edits.push(
      ...selectInList(inState('selections', section.name), chosen, inWindow),
      ...keepRandom(section, state, 'section_random', isRandom(section, state)),
    );
  }
  return edits;
}

export function setRandom(section: Section, on: boolean): Edit[] {
  return [{ kind: 'set', path: inState('section_random', section.name), value: on }];
}

export function setSlider(section: Section, state: JsonObject, value: number): Edit[] {
  return [
    { kind: 'set', path: inState('sliders', section.name), value },
    ...keepRandom(section, state, 'slider_random', isSliderRandom(section, state)),
  ];
}

/** Keys of a section that give it a slider, whatever its name is. */
export const SLIDER_KEYS: readonly string[] = ['slider', 'slider_random', 'scale_template'];

/** Where a slider stands that nothing sets. */
export const SLIDER_MIDDLE = 5;

/** Gives a section a slider in the middle. */
export function addSlider({ name }: Pick<Section, 'name'>): Edit[] {
  return [{ kind: 'set', path: ['registry', name, 'slider'], value: SLIDER_MIDDLE }];
}

/** Takes a section's slider away, with its sentence and what the session set for it. */
export function removeSlider(section: Section, state: JsonObject): Edit[] {
  const written = SLIDER_KEYS.filter((key) => Object.hasOwn(section.value, key));
  const stateParts = (['sliders', 'slider_random'] as const).filter((part) =>
    Object.hasOwn(partOf(state, part), section.name),
  );
  return [
    ...stateParts.map((part): Edit => ({ kind: 'remove', path: inState(part, section.name) })),
    ...written.map((key): Edit => ({ kind: 'remove', path: ['registry', section.name, key] })),
  ];
}

export function setSliderRandom(section: Section, on: boolean): Edit[] {
  return [{ kind: 'set', path: inState('slider_random', section.name), value: on }];
}

export function setMode(section: Section, field: string, mode: string): Edit[] {
  return [{ kind: 'set', path: inState('array_modes', section.name, field), value: mode }];
}

/** Types a value for a template variable; nothing typed is an absent value. */
export function setVar(section: string, name: string, state: JsonObject, value: string): Edit[] {
  const key = `${section}::${name}`;
  const path = inState('template_vars', key);
  if (value !== '') return [{ kind: 'set', path, value }];
  return Object.hasOwn(partOf(state, 'template_vars'), key) ? [{ kind: 'remove', path }] : [];
}

/** Declares a template variable. */
export function declareVar(section: Section, name: string): Edit[] {
  const path = ['registry', section.name, 'template_vars'];
  const declared = section.value.template_vars;
  return Array.isArray(declared)
    ? [{ kind: 'insert', path: [...path, declared.length], value: name }]
    : [{ kind: 'set', path, value: [name] }];
}

/** Takes a template variable away, with its default and what was typed. */
export function removeVar(
  section: Section,
  index: number,
  name: string,
  state: JsonObject,
): Edit[] {
  const edits: Edit[] = [
    { kind: 'remove', path: ['registry', section.name, 'template_vars', index] },
  ];
  const defaults = section.value.template_var_defaults;
  for (const key of [name, `{${name}}`]) {
    if (isObject(defaults) && Object.hasOwn(defaults, key)) {
      edits.push({
        kind: 'remove',
        path: ['registry', section.name, 'template_var_defaults', key],
      });
    }
  }
  return [...edits, ...setVar(section.name, name, state, '')];
}

/** Makes a value the default of a variable, or takes the default away when it is empty. */
export function setVarDefault(section: Section, name: string, value: string): Edit[] {
  const path = ['registry', section.name, 'template_var_defaults', name];
  if (value !== '') return [{ kind: 'set', path, value }];
  const defaults = section.value.template_var_defaults;
  return isObject(defaults) && Object.hasOwn(defaults, name) ? [{ kind: 'remove', path }] : [];
}
