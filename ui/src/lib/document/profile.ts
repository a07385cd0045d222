// The rows of a profile: which are shown, how they are grouped, sorted and distinguished.
import type {
  CoverageRow,
  CoverageSection,
  Profile,
  ProfileBar,
  ProfileSlot,
  RowKey,
  Variant,
} from '../ipc';

/** A roll in a list. */
export interface ListedRoll extends Omit<Variant, 'seed'> {
  /** Its seed; null for an evaluation that no seed chooses. */
  seed: number | null;
  /** Its number in a sample, from 0. */
  index: number;
  /** Whether the sample chose its values, and not the seed alone. */
  planned: boolean;
  /** Whether it can become the prompt. */
  usable: boolean;
}

/** Rolls that their seed alone makes. */
export const bySeed = (rolls: Variant[]): ListedRoll[] =>
  rolls.map((roll, index) => ({ ...roll, index, planned: false, usable: true }));

/** How the rows of a coverage are sorted. */
export type CoverageOrder = 'rare' | 'common' | 'registry';

/** A section with the rows that some roll prints. */
export interface CoverageGroup {
  section: string;
  items: number;
  rolled: boolean;
  rows: CoverageRow[];
  /** The positions of a rolled slider, which share a row. */
  slider: CoverageRow[];
}

/** A row that no roll prints. */
export interface AbsentRow {
  section: string;
  row: CoverageRow;
}

/** What is chosen in the profile: rolls of some lengths, or those that print some rows. */
export type ProfileChoice =
  | { by: 'bar'; from: number; to: number }
  | { by: 'rows'; rows: RowKey[]; name: string; rolls: number };

/**
 * The rows of a section. A text printed whenever its item is has no separate row, unless all rows
 * are wanted.
 */
function shownRows({ rows }: CoverageSection, all = false): CoverageRow[] {
  if (all) return rows;
  const items = new Map(
    rows.flatMap((row) => (row.kind.is === 'item' ? [[row.item, row.rolls] as const] : [])),
  );
  return rows.filter((row) => row.kind.is === 'item' || items.get(row.item) !== row.rolls);
}

const isSlider = ({ kind }: CoverageRow) => kind.is === 'slider';

/** The rows of each section that some roll prints. */
export function coverageGroups(
  coverage: CoverageSection[],
  order: CoverageOrder,
  all = false,
): CoverageGroup[] {
  const sign = order === 'common' ? -1 : 1;
  const sorted = (rows: CoverageRow[]) =>
    order === 'registry' ? rows : rows.toSorted((one, other) => sign * (one.rolls - other.rolls));
  const groups = coverage.flatMap((section) => {
    const rows = shownRows(section, all);
    const positions = rows.filter(isSlider);
    const slider = positions.length > 1 && positions.some(({ rolls }) => rolls > 0);
    const printed = rows.filter((row) => row.rolls > 0 && !(slider && isSlider(row)));
    if (printed.length === 0 && !slider) return [];
    const { section: name, items, rolled } = section;
    return [
      { section: name, items, rolled, rows: sorted(printed), slider: slider ? positions : [] },
    ];
  });
  if (order === 'registry') return groups;
  const first = ({ rows, slider }: CoverageGroup) => (rows[0] ?? slider[0])?.rolls ?? 0;
  return groups.toSorted((one, other) => sign * (first(one) - first(other)));
}

/** The rows that no roll prints; those that are merely not selected last. */
export function absentRows(coverage: CoverageSection[]): AbsentRow[] {
  const last = ({ row }: AbsentRow) => Number(row.absence?.reason === 'never_selected');
  return coverage
    .flatMap((section) => {
      const rows = shownRows(section);
      const someSlider = rows.some((row) => isSlider(row) && row.rolls > 0);
      const absent = rows.filter((row) => row.rolls === 0 && !(someSlider && isSlider(row)));
      // What an item that is never printed holds goes without saying.
      const items = new Set(absent.flatMap((row) => (row.kind.is === 'item' ? [row.item] : [])));
      const absentRows = absent.filter((row) => row.kind.is === 'item' || !items.has(row.item));
      const positions = absentRows.filter(isSlider);
      return absentRows
        .filter((row) => !isSlider(row) || row === positions[0])
        .map((row) => ({ section: section.section, row }));
    })
    .toSorted((one, other) => last(one) - last(other));
}

/** Names a row, to find its rolls. */
export const keyOf = (section: string, { item, kind }: CoverageRow): RowKey => ({
  section,
  item,
  kind,
});

const sameKeys = (one: RowKey[], other: RowKey[]) => JSON.stringify(one) === JSON.stringify(other);

/** Whether a row or a pair of rows is what is chosen. */
export const isChosen = (choice: ProfileChoice | null, rows: RowKey[]): boolean =>
  choice?.by === 'rows' && sameKeys(choice.rows, rows);

/** Whether a bar is what is chosen. */
export const isChosenBar = (choice: ProfileChoice | null, bar: ProfileBar): boolean =>
  choice?.by === 'bar' && choice.from === bar.from && choice.to === bar.to;

/** How many rolls a choice has in a profile; undefined if the profile has no such mark. */
export function rollsOf(choice: ProfileChoice, profile: Profile): number | undefined {
  if (choice.by === 'bar') {
    return profile.tokens?.bars.find((bar) => isChosenBar(choice, bar))?.rolls;
  }
  const rows = profile.coverage.flatMap(({ section, rows: all }) =>
    all.map((row) => ({ key: keyOf(section, row), rolls: row.rolls })),
  );
  const found = choice.rows.map((key) => rows.find((row) => sameKeys([row.key], [key])));
  if (found.some((row) => row === undefined)) return undefined;
  if (found.length === 1) return found[0]?.rolls;
  return pairRolls(choice.rows, profile);
}

/** The rows of the items or slider positions of a slot, in the order of its values. */
export function slotRows(profile: Profile, slot: { section: string; slider: boolean }): RowKey[] {
  const section = profile.coverage.find((each) => each.section === slot.section);
  const is = slot.slider ? 'slider' : 'item';
  const rows = section?.rows.filter((row) => row.kind.is === is) ?? [];
  return rows.map((row) => keyOf(slot.section, row));
}

function pairRolls([one, other]: RowKey[], profile: Profile): number | undefined {
  const { pair } = profile;
  if (!pair || !one || !other) return undefined;
  const at = (slot: typeof pair.first, key: RowKey) =>
    slotRows(profile, slot).findIndex((row) => sameKeys([row], [key]));
  return pair.rolls[at(pair.first, one)]?.[at(pair.second, other)];
}

/** The slots whose combinations can be counted: sections with several items, and rolled sliders. */
export function pairSlots(coverage: CoverageSection[]): ProfileSlot[] {
  return coverage.flatMap(({ section, items, rows }) => [
    ...(items > 1 ? [{ section, slider: false }] : []),
    ...(rows.filter(isSlider).length > 1 ? [{ section, slider: true }] : []),
  ]);
}

/** The slots to begin with: two that are rolled, if there are two. */
export function firstPair(coverage: CoverageSection[]): [ProfileSlot, ProfileSlot] | undefined {
  const rolled = new Set(coverage.filter((each) => each.rolled).map((each) => each.section));
  const [first, second] = pairSlots(coverage).toSorted(
    (one, other) =>
      Number(other.slider || rolled.has(other.section)) -
      Number(one.slider || rolled.has(one.section)),
  );
  return first && second ? [first, second] : undefined;
}
