// What was copied last from the prompt, to be pasted in its section with the names of its variables.
import type { Spot } from '../document/blocks';
import { writtenText } from '../document/open-spot';
import type { TextRange } from '../document/replacement';
import type { PastedAs } from './deck.svelte';

export const PASTED: PastedAs = { pasted: true };
export const TYPED: PastedAs = { pasted: false };

export class CopiedText {
  /** The text as it was printed, and as it is written in its section. */
  #last: { section: string; text: string; written: string } | undefined;

  /** Takes note of a range of a stretch that is drawn with a text. */
  take(spot: Spot, { start, end }: TextRange, text: string): void {
    const section = spot.source?.section;
    if (section === undefined) return;
    const written = writtenText(spot, start, end);
    this.#last = { section, written, text: text.slice(start, end) };
  }

  /** How words are pasted into a stretch. */
  pasted(words: string, spot: Spot | undefined): PastedAs {
    const last = this.#last;
    const isOwn = last?.text === words && last.section === spot?.source?.section;
    return isOwn && last.written !== words ? { ...PASTED, written: last.written } : PASTED;
  }
}
