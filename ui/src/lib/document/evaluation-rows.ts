// The rows that tell selection from evaluation: one per section, one more for its slider and for
// each of its lists.
import type { Origin, SectionEvaluation } from '../ipc';
import { text } from '../text';
import type { JsonObject } from './edit';
import { parseMode } from './mode';
import { sectionOf, type Section } from './registry';
import { RELATIONS, relationsOf, type RelationKind } from './relations';
import { rolledEntries } from './value-label';

/** One row. */
export interface EvaluationRow {
  key: string;
  section: string;
  /** `slider` or the name of a list; absent for the section itself. */
  sub?: string;
  selected: string;
  used: string;
  /** What is used at length, with the indices of rolled entries. */
  detail: string;
  why: Origin;
  rolled: boolean;
  filtered: boolean;
  /** For what an item requires or excludes: whether this evaluation keeps it. */
  relation?: { kind: RelationKind; met: boolean };
  /** Whether what is used was not selected: it is another value, or a roll that fell on the same. */
  differs: boolean;
}

/** All rows, sections in the order given; filtered ones come last and without settings. */
export function evaluationRows(
  sections: SectionEvaluation[],
  registry: JsonObject,
): EvaluationRow[] {
  const used = sections.filter((each) => each.filtered_by.length === 0);
  const filtered = sections.filter((each) => each.filtered_by.length > 0);
  const all = new Map(sections.map((each) => [each.section, each]));
  return [
    ...used.flatMap((each) => [...rowsOf(each, registry), ...relations(each, registry, all)]),
    ...filtered.flatMap((each) => rowsOf(each, registry).slice(0, 1)),
  ];
}

/** Rows by what they were made of; both sides keep the same objects while they do not change. */
const made = new WeakMap<SectionEvaluation, { of: Section | undefined; rows: EvaluationRow[] }>();

function rowsOf(evaluation: SectionEvaluation, registry: JsonObject): EvaluationRow[] {
  const of = sectionOf(registry, evaluation.section);
  const known = made.get(evaluation);
  if (known && known.of === of) return known.rows;
  const next = makeRows(evaluation, registry);
  // A key in a text of the section changes none of them.
  const rows = known && JSON.stringify(known.rows) === JSON.stringify(next) ? known.rows : next;
  made.set(evaluation, { of, rows });
  return rows;
}

function makeRows(evaluation: SectionEvaluation, registry: JsonObject): EvaluationRow[] {
  const { section, slider, arrays } = evaluation;
  const rows = [first(evaluation, registry)];
  if (slider && (slider.origin === 'random' || slider.origin === 'selection')) {
    rows.push(row(section, 'slider', String(slider.selected), String(slider.used), slider.origin));
  }
  for (const array of arrays) {
    const { field, mode, origin, kept } = array;
    if (origin === 'default') continue;
    const totals = [...new Set(kept.map((each) => each.total))];
    const used = origin === 'random' ? rolledEntries(array) : { text: mode, detail: mode };
    rows.push({
      ...row(section, field, modeWords(mode, totals, kept.length), used.text, origin),
      detail: used.detail,
    });
  }
  return rows;
}

/** One row for each list of what the items in use require and exclude. */
function relations(
  evaluation: SectionEvaluation,
  registry: JsonObject,
  all: ReadonlyMap<string, SectionEvaluation>,
): EvaluationRow[] {
  const { section, used, origin } = evaluation;
  const sectionValue = sectionOf(registry, section);
  const items = used.flatMap(({ index }) => sectionValue?.items[index] ?? []);
  const found = items.flatMap((item) => relationsOf(section, item, registry, all));
  // Made at every key for all sections, of which few have any.
  if (found.length === 0) return [];
  return RELATIONS.flatMap((kind) => {
    const these = found.filter((relation) => relation.kind === kind);
    if (these.length === 0) return [];
    const broken = these.filter(({ met }) => !met).map(({ entry }) => entry);
    const met = broken.length === 0;
    return {
      ...row(section, kind, these.map(({ entry }) => entry).join(', '), broken.join(', '), origin),
      rolled: false,
      relation: { kind, met },
      differs: !met,
    };
  });
}

function modeWords(mode: string, totals: number[], items: number): string {
  if (parseMode(mode).kind !== 'random') return mode;
  if (items > 1) return text.modeEach(mode);
  return totals[0] === undefined ? mode : `${mode} ${text.ofTotal(totals[0])}`;
}

function first(evaluation: SectionEvaluation, registry: JsonObject): EvaluationRow {
  const { section, selected, used, origin, filtered_by } = evaluation;
  const sectionValue = sectionOf(registry, section);
  const words = (items: typeof used): string => {
    if (items.length === 0) return text.none;
    if (sectionValue && !sectionValue.required && section !== 'runtime_injections') {
      return text.some(items.length, sectionValue.items.length);
    }
    return items.map((item) => item.name).join(', ');
  };
  const filtered = filtered_by.length > 0;
  // Of a roll the name matters, not how many there are.
  const usedWords =
    origin === 'random' ? used.map((item) => item.name).join(', ') || text.none : words(used);
  const whole = row(section, undefined, words(selected), usedWords, origin);
  return { ...whole, filtered, differs: !filtered && whole.differs };
}

function row(
  section: string,
  sub: string | undefined,
  selected: string,
  used: string,
  why: Origin,
): EvaluationRow {
  const rolled = why === 'random';
  const made: EvaluationRow = {
    key: `${section}\u001f${sub ?? ''}`,
    section,
    selected,
    used,
    detail: used,
    why,
    rolled,
    filtered: false,
    differs: rolled || used !== selected,
  };
  if (sub !== undefined) made.sub = sub;
  return made;
}
