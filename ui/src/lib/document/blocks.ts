// Cuts the pieces of a prompt into what is drawn: a block per token, blocks of bands, and inside a
// block the stretches that come from one field. Blocks whose pieces did not change stay the same
// objects, so that drawing them again costs nothing.
import type { Segment, Source, UndeclaredName } from '../ipc';

/** A stretch of a block that comes from one place; glue inside a block has no source. */
export interface Spot {
  source: Source | undefined;
  /** The expression that printed it, in a prompt that is rendered with arguments. */
  expression?: string;
  /** The variable, or the expression, that has no value and would be printed here. */
  gap?: string;
  /** A place beside such a variable where the text has no letter: what is typed here gets there. */
  edge?: Edge;
  /** Whether it is a text that prints nothing and is open for its words. */
  emptied?: true;
  pieces: Segment[];
}

/** A place before or after a variable. */
export interface Edge {
  /** The piece of the variable; without a value it is empty. */
  variable: Segment;
  after: boolean;
}

/** What one token, or one injection that follows at the end, put into the prompt. */
export interface Block {
  section: string;
  spots: Spot[];
  /** First and last of a band: a run of blocks without a blank line between them. */
  first: boolean;
  last: boolean;
}

/** The text of a block. */
export const textOf = ({ spots }: Block): string =>
  spots.map(({ pieces }) => pieces.map(({ text }) => text).join('')).join('');

/** Whether a block draws what is no text of it: the name of what has no value. */
export const hasGap = ({ spots }: Block): boolean => spots.some(({ gap }) => gap !== undefined);

interface Draft {
  owner: number | string;
  section: string;
  pieces: Segment[];
  gap: boolean;
}

/** The blocks of a prompt, reusing those of `before` that are equal, and the stretches of the others. */
export function blocksOf(segments: Segment[], before: Block[] = []): Block[] {
  const drafts: Draft[] = [];
  let open: Draft | undefined;
  // Walked at every keystroke, with thousands of segments: the glue before one is not copied.
  let glue = 0;
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at] as Segment;
    const { source } = segment;
    if (!source) continue;
    const owner = ownerOf(source);
    if (open?.owner === owner) {
      while (glue <= at) open.pieces.push(segments[glue++] as Segment);
    } else {
      let text = '';
      while (glue < at) text += segments[glue++]?.text ?? '';
      const cut = text.lastIndexOf('\n') + 1;
      const lead = text.slice(cut);
      // A newline that ends a block is not drawn: the next one begins a line anyway.
      const breaks = (open && endsLine(open.pieces) ? '\n' : '') + text.slice(0, cut);
      open = {
        owner,
        section: source.section,
        pieces: lead ? [{ text: lead }, segment] : [segment],
        gap: breaks.includes('\n\n'),
      };
      drafts.push(open);
      glue = at + 1;
    }
  }
  open?.pieces.push(...segments.slice(glue));
  return drafts.map((draft, index) => {
    const next = drafts[index + 1];
    const first = index === 0 || draft.gap;
    const last = !next || next.gap;
    const old = before[index];
    if (old && same(old, draft, first, last)) return old;
    const spots = spotsOf(draft.pieces).map((spot, place) => {
      const known = old?.spots[place];
      return known && isSameSpot(known, spot) ? known : spot;
    });
    return { section: draft.section, spots, first, last };
  });
}

const endsLine = (pieces: readonly Segment[]): boolean =>
  pieces.findLast(({ text }) => text !== '')?.text.endsWith('\n') ?? false;

const ownerOf = ({ token, section, item }: Source): number | string =>
  token ?? `${section}#${item}`;

function same(old: Block, draft: Draft, first: boolean, last: boolean): boolean {
  if (old.section !== draft.section || old.first !== first || old.last !== last) return false;
  let at = 0;
  for (const spot of old.spots) {
    for (const piece of spot.pieces) {
      const other = draft.pieces[at];
      at += 1;
      if (!other || !isSamePiece(piece, other)) return false;
    }
  }
  return at === draft.pieces.length;
}

/** Whether both are one piece, or the same glue. */
const isSamePiece = (one: Segment, other: Segment): boolean =>
  one === other || (one.text === other.text && !one.source && !other.source);

const isSameSpot = (one: Spot, other: Spot): boolean =>
  one.gap === other.gap &&
  one.expression === other.expression &&
  one.edge?.variable === other.edge?.variable &&
  one.edge?.after === other.edge?.after &&
  one.pieces.length === other.pieces.length &&
  one.pieces.every((piece, index) => isSamePiece(piece, other.pieces[index] as Segment));

function spotsOf(pieces: Segment[]): Spot[] {
  const spots: Spot[] = [];
  for (const piece of pieces) {
    const open = spots.at(-1);
    const isText = open?.gap === undefined && samePlace(open?.source, piece.source);
    if (piece.text === '' && piece.expression !== undefined) {
      const { source, expression } = piece;
      spots.push({ source, expression, gap: expression, pieces: [piece] });
    } else if (piece.text === '' && piece.source?.variable !== undefined) {
      if (!open || !samePlace(open.source, piece.source)) {
        spots.push(edge(piece.source, piece, false));
      } else if (open.gap !== undefined) {
        spots.push(edge(piece.source, open.pieces[0] ?? piece, true));
      }
      spots.push({ source: piece.source, gap: piece.source.variable, pieces: [piece] });
    } else if (open && isText && open.expression === piece.expression) {
      open.pieces.push(piece);
    } else {
      closeGap(spots, piece.source);
      const spot: Spot = { source: piece.source, pieces: [piece] };
      spots.push(piece.expression === undefined ? spot : { ...spot, expression: piece.expression });
    }
  }
  closeGap(spots, undefined);
  return spots;
}

/** A place beside a variable, in the text that has its name. */
const edge = (source: Source, variable: Segment, after: boolean): Spot => ({
  source: withoutVariable(source),
  edge: { variable, after },
  pieces: [],
});

/** The source of a text around a variable. */
export function withoutVariable(source: Source): Source {
  const text = { ...source };
  delete text.variable;
  return text;
}

/** Adds the place after a variable without a value that ends its text. */
function closeGap(spots: Spot[], next: Source | undefined): void {
  const last = spots.at(-1);
  const [gap] = last?.pieces ?? [];
  if (last?.gap === undefined || last.expression !== undefined) return;
  if (!gap?.source || samePlace(last.source, next)) return;
  spots.push(edge(gap.source, gap, true));
}

/** Whether both are of one text of a block. */
export function samePlace(a: Source | undefined, b: Source | undefined): boolean {
  return (
    a?.section === b?.section &&
    a?.item === b?.item &&
    a?.field === b?.field &&
    a?.entry === b?.entry &&
    a?.fragment === b?.fragment
  );
}

/** A piece of the prompt and the line it begins on, counted from 1. */
export interface Print {
  piece: Segment;
  line: number;
}

/**
 * The lines that the pieces of a prompt begin on. From one keystroke to the next most pieces stay the
 * same objects: lines are counted again only from the first that differs.
 */
export class LineNumbers {
  #pieces: readonly Segment[] = [];
  /** The line that each piece ends on, as far as that was asked for. */
  readonly #ends: number[] = [];

  /** The first piece that is wanted, with its line. */
  find(pieces: readonly Segment[], wanted: (piece: Segment) => boolean): Print | undefined {
    const index = pieces.findIndex(wanted);
    const piece = pieces[index];
    if (!piece) return undefined;
    const line = this.#endBefore(pieces, index);
    return { piece, line: line + breaks(/^\n*/.exec(piece.text)?.[0] ?? '') };
  }

  #endBefore(pieces: readonly Segment[], index: number): number {
    const ends = this.#ends;
    const most = Math.min(ends.length, pieces.length);
    let same = 0;
    while (same < most && pieces[same] === this.#pieces[same]) same += 1;
    ends.length = same;
    this.#pieces = pieces;
    for (let at = same; at < index; at += 1) {
      ends.push((ends[at - 1] ?? 1) + breaks(pieces[at]?.text ?? ''));
    }
    return ends[index - 1] ?? 1;
  }
}

function breaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** A name in braces that is printed as written. */
export interface BracedName {
  name: string;
  /** Whether its brace is closed; then it is not declared. */
  closed: boolean;
}

const nameAt = (text: string, { start, end, closed }: UndeclaredName): BracedName => ({
  name: text.slice(start + 1, closed ? end - 1 : end),
  closed,
});

/** A piece cut at the names it prints as written; the parts concatenated are its text. */
export function partsOf(piece: Segment): { text: string; braced?: BracedName }[] {
  const { text, undeclared = [] } = piece;
  const parts: { text: string; braced?: BracedName }[] = [];
  let from = 0;
  for (const found of undeclared) {
    const { start, end } = found;
    if (start > from) parts.push({ text: text.slice(from, start) });
    parts.push({ text: text.slice(start, end), braced: nameAt(text, found) });
    from = end;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** The names that a stretch prints as written, in their order. */
export function bracedNames(spot: Spot): (BracedName & { pointer: string })[] {
  return spot.pieces.flatMap(({ text, undeclared = [] }) =>
    undeclared.map((found) => ({ ...nameAt(text, found), pointer: found.pointer })),
  );
}
