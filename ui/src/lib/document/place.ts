// A place in a registry that can be gone to: a token of the assembly, a section, an item, a field,
// an entry of a list, a fragment. Read from JSON pointers and from the sources of prompt text.
import type { DiagnosticNote, JsonValue, Source, Step } from '../ipc';
import { RESERVED_KEYS } from '../ipc/generated/constants';
import { registryOf, sectionOf, templateVars, type Section } from './registry';

/** Where to go. What is absent is not narrowed down further. */
export interface Place {
  section?: string;
  item?: number;
  field?: string;
  entry?: number;
  fragment?: number;
  /** Index into the assembly order shown. */
  token?: number;
  /** Route whose part is meant. */
  route?: string;
  /** A reserved key that has a card. */
  part?: string;
}

/** The field of a place that means the name of an item, wherever that is written. */
export const NAME = '#name';

/** The steps of a JSON pointer. */
export function steps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The JSON pointer of steps. */
export const pointerOf = (path: readonly Step[]): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The steps of a JSON pointer, counted from the registry object. */
export function registrySteps(pointer: string): string[] {
  const all = steps(pointer);
  return all[0] === 'registry' ? all.slice(1) : all;
}

/** The pointers to all values a diagnostic is about, as steps. */
export const placesOf = (note: DiagnosticNote): string[][] =>
  [note.pointer, ...note.also].map(registrySteps);

/** The place a pointer into a registry leads to. */
export function placeOfPointer(pointer: string): Place {
  const [head, ...rest] = registrySteps(pointer);
  if (head === undefined) return {};
  if (head === 'assembly_order') return { token: index(rest[0]) };
  if (head === 'routes') {
    if (rest[1] === 'assembly_order') return { route: rest[0], token: index(rest[2]) };
    return { route: rest[0], part: rest[1] ?? 'routes', field: rest[2], entry: index(rest[3]) };
  }
  if (RESERVED_KEYS.includes(head)) {
    return { part: head, field: rest[0], entry: index(rest[1]) };
  }
  if (rest[0] !== 'items') return { section: head, field: rest[0], entry: index(rest[1]) };
  const [, item, field, entry] = rest;
  const place: Place = { section: head, item: index(item), field };
  if (field === 'fragments') place.fragment = index(entry);
  else place.entry = index(entry);
  return place;
}

/** A place as this window shows it: what another route says is listed with that route. */
export function inSight(
  place: Place,
  displayed: { route: string | null; tokensPath: Step[] },
): Place {
  const { tokensPath } = displayed;
  const orderOf = tokensPath[1] === 'routes' ? tokensPath[2] : undefined;
  const isElsewhere =
    place.token === undefined
      ? place.route !== undefined && place.route !== displayed.route
      : place.route !== orderOf;
  return isElsewhere ? { part: 'routes', route: place.route } : place;
}

/** The place a piece of the prompt comes from. */
export function placeOfSource(source: Source): Place {
  return {
    section: source.section,
    item: source.item,
    field: source.fragment === undefined ? source.field : 'fragments',
    entry: source.entry,
    fragment: source.fragment,
  };
}

/** Where a variable of a section is set. */
export const placeOfVariable = (section: Section | undefined, name: string): Place => ({
  section: section?.name,
  field: 'template_vars',
  entry: section ? templateVars(section).indexOf(name) : undefined,
});

/** How a place inside an item is marked on the element that edits it. */
export function anchorOf(place: Place): string {
  const { section, part, item, field, entry, fragment } = place;
  return [section ?? part ?? '', item ?? '', field ?? '', entry ?? fragment ?? ''].join('\u001f');
}

/** The text of an item that an element edits, by its mark; undefined where it edits none. */
export function textOfAnchor(anchor: string): Place | undefined {
  const [section, item, field, at] = anchor.split('\u001f');
  if (section === undefined || !item || !field || field === NAME) return undefined;
  const place: Place = { section, item: Number(item), field };
  if (at) place[field === 'fragments' ? 'fragment' : 'entry'] = Number(at);
  return place;
}

/** Whether a piece of the prompt comes from a text of an item; of a list, from any of its entries. */
export function comesFrom(
  source: Source,
  { section, item, field, entry, fragment }: Place,
): boolean {
  if (source.item !== item || source.section !== section) return false;
  if (field === 'fragments') {
    return source.fragment !== undefined && (fragment ?? source.fragment) === source.fragment;
  }
  return (
    source.fragment === undefined &&
    source.field === field &&
    (entry === undefined || source.entry === entry)
  );
}

/** How the field for the name of a route is marked. */
export function routeNameAnchor(route: string): string {
  return `${anchorOf({ part: 'routes', field: route })}${NAME}`;
}

/**
 * A place in words, `personas.deadpan.base_directives[1]`, in the pieces a line may end after: each
 * begins with its dot. An item is named when it has a name.
 */
export function placeWords(pointer: string, tree: JsonValue): string[] {
  const all = registrySteps(pointer);
  const [name = '', list, ...rest] = all;
  const item =
    list === 'items' ? sectionOf(registryOf(tree), name)?.items[Number(rest[0])] : undefined;
  const pathByName = item?.key ? [name, item.name, ...rest.slice(1)] : all;
  const pieces: string[] = [];
  for (const step of pathByName) {
    if (/^\d+$/.test(step) && pieces.length > 0) pieces.push(`${pieces.pop() ?? ''}[${step}]`);
    else pieces.push(pieces.length === 0 ? step : `.${step}`);
  }
  return pieces;
}

function index(step: string | undefined): number | undefined {
  return step !== undefined && /^\d+$/.test(step) ? Number(step) : undefined;
}
