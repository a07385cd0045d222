// The prompt inside a chat, folded: the beginnings of its first sections, and how much more there
// is. Everything that is not of the registry stays as it is.
import type { ChatPiece } from '../ipc';
import { characters } from '../util/characters';

/** Sections that are begun, and characters shown of each. */
const SECTIONS = 3;
const SHOWN = 40;
/** How many characters the link takes that stands for what is folded: fewer are not worth it. */
const LINK_LENGTH = 20;

/** A piece to show, with its index in the block; a fold replaces what is left out. */
export type Folded =
  | { kind: 'piece'; index: number; text: string }
  | { kind: 'more'; characters: number; sections: number };

/** Whether there is enough of the registry in a block to be worth folding. */
export function foldable(pieces: ChatPiece[]): boolean {
  return fold(pieces).some((each) => each.kind === 'more');
}

/** The pieces of a block, with the prompt folded. */
export function fold(pieces: ChatPiece[]): Folded[] {
  const first = pieces.findIndex((piece) => piece.source !== null);
  const last = pieces.findLastIndex((piece) => piece.source !== null);
  if (first < 0) return whole(pieces, 0, pieces.length);
  const runs = runsOf(pieces, first, last);
  const folded = whole(pieces, 0, first);
  const listedRuns = runs.slice(0, SECTIONS);
  const left = runs.slice(SECTIONS);
  for (const [at, run] of listedRuns.entries()) {
    folded.push(...begun(pieces, run.from, run.to));
    const next = runs[at + 1];
    if (at + 1 < listedRuns.length && next) folded.push(...whole(pieces, run.to, next.from));
  }
  if (left.length > 0) {
    const from = listedRuns.at(-1)?.to ?? first;
    const hidden = pieces
      .slice(from, last + 1)
      .reduce((sum, { text }) => sum + characters(text), 0);
    // What is left of the last section that was begun and the sections behind it are one fold.
    const begun = folded.at(-1);
    const before = begun?.kind === 'more' ? begun.characters : 0;
    if (before > 0) folded.pop();
    if (before + hidden > LINK_LENGTH)
      folded.push({ kind: 'more', characters: before + hidden, sections: left.length });
    else folded.push(...whole(pieces, from, last + 1));
  }
  folded.push(...whole(pieces, last + 1, pieces.length));
  return folded;
}

function whole(pieces: ChatPiece[], from: number, to: number): Folded[] {
  return pieces
    .slice(from, to)
    .map(({ text }, offset) => ({ kind: 'piece', index: from + offset, text }));
}

/** Stretches of one section in a row, glue at their ends left out. */
function runsOf(pieces: ChatPiece[], first: number, last: number): { from: number; to: number }[] {
  const runs: { section: string; from: number; to: number }[] = [];
  for (let at = first; at <= last; at += 1) {
    const section = pieces[at]?.source?.section;
    if (section === undefined) continue;
    const open = runs.at(-1);
    if (open?.section === section) open.to = at + 1;
    else runs.push({ section, from: at, to: at + 1 });
  }
  return runs;
}

/** How much of a line goes into the room: whole words, unless half of it would stay empty. */
function cut(line: string, room: number): number {
  if (line.length <= room) return line.length;
  const word = line.lastIndexOf(' ', room);
  if (word > room / 2) return word;
  // Half of a character that takes two units would be shown as a fault.
  return /[\uD800-\uDBFF]/.test(line.charAt(room - 1)) ? room - 1 : room;
}

/** The beginning of a stretch, up to the end of its first line; all of it if little would be left. */
function begun(pieces: ChatPiece[], from: number, to: number): Folded[] {
  const made: Folded[] = [];
  let room = SHOWN;
  let hidden = 0;
  for (let index = from; index < to; index += 1) {
    const { text } = pieces[index] as ChatPiece;
    const line = text.indexOf('\n');
    const first = line < 0 ? text : text.slice(0, line);
    const part = room <= 0 ? '' : first.slice(0, cut(first, room));
    if (part) made.push({ kind: 'piece', index, text: part });
    hidden += characters(text) - characters(part);
    room = part.length < text.length ? 0 : room - part.length;
  }
  if (hidden <= LINK_LENGTH) return whole(pieces, from, to);
  made.push({ kind: 'more', characters: hidden, sections: 0 });
  return made;
}
