// What is looked for in the deck, the hit that is shown, and what is put in its place.
import { arranged } from '../document/registry';
import {
  MOST_HITS,
  patternOf,
  replaceEdits,
  searchDeck,
  type FindOptions,
  type Hit,
  type Match,
} from '../document/find';
import { anchorOf } from '../document/place';
import { text } from '../text';
import { reveal } from '../window/goto';
import { markFound, nameOnCard, rangeInField } from '../window/found-marks';
import { wordsInName } from '../window/found-words';
import type { Wanted } from '../window/word-marks.svelte';
import type { DeckState } from './deck.svelte';
import type { Finding, PreviewState } from './preview.svelte';
import type { ViewState } from './view.svelte';

/** How the words are looked for, in every deck until the window closes. */
export class FindSettings implements FindOptions {
  wholeWords = $state(false);
  matchCase = $state(false);
}

/** How long a deck is searched at a time, in milliseconds. */
const SLICE_MS = 8;

/** The clock is read after so many items, as most take microseconds. */
const ITEMS_BETWEEN = 16;

/** A search of a deck, of which only the first slice is done at once: a deck may hold megabytes, and no key
 *  waits for them. */
class DeckSearch {
  readonly #steps: ReturnType<typeof searchDeck>;
  #isDone = $state(false);
  #hits = $state.raw<readonly Hit[]>([]);

  constructor(...search: Parameters<typeof searchDeck>) {
    this.#steps = searchDeck(...search);
    const { hits, isDone } = this.#advance(SLICE_MS);
    this.#hits = hits;
    this.#isDone = isDone;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** What is found so far. */
  get hits(): readonly Hit[] {
    return this.#hits;
  }

  /** Searches on for so many milliseconds. */
  run(milliseconds: number): void {
    const { hits, isDone } = this.#advance(milliseconds);
    this.#hits = hits;
    this.#isDone = isDone;
  }

  #advance(milliseconds: number): { hits: readonly Hit[]; isDone: boolean } {
    const end = performance.now() + milliseconds;
    let items = 0;
    for (;;) {
      const { value, done } = this.#steps.next();
      if (done) return { hits: value, isDone: true };
      items += 1;
      if (items % ITEMS_BETWEEN === 0 && performance.now() >= end) {
        return { hits: [...value], isDone: false };
      }
    }
  }
}

/** Find and replace in one deck. */
export class FindState {
  words = $state('');
  replacement = $state('');
  /** Which hit is shown; -1 before the first. */
  at = $state(-1);
  #active = $state(false);
  /** How often a hit was gone to. */
  #steps = $state(0);

  readonly #deck: () => DeckState;
  readonly #view: () => ViewState;
  readonly #preview: PreviewState;
  readonly settings: FindSettings;

  constructor(
    deck: () => DeckState,
    view: () => ViewState,
    preview: PreviewState,
    settings: FindSettings,
  ) {
    this.#deck = deck;
    this.#view = view;
    this.#preview = preview;
    this.settings = settings;
    $effect(() => {
      const search = this.#search;
      if (search.isDone) return undefined;
      const goOn = () => {
        search.run(SLICE_MS);
        if (!search.isDone) timer = setTimeout(goOn);
      };
      let timer = setTimeout(goOn);
      return () => {
        clearTimeout(timer);
      };
    });
  }

  readonly #search = $derived.by(() => {
    const [deck, view] = [this.#deck(), this.#view()];
    const sections = arranged(deck.names, view.order);
    const { wholeWords, matchCase } = this.settings;
    const options = { wholeWords, matchCase };
    return new DeckSearch(deck.tree, deck.route, sections, this.words, options);
  });
  readonly hits = $derived(this.#search.hits);
  /** Whether the whole deck is searched. */
  readonly isDone = $derived(this.#search.isDone);
  /** Whether there are more hits than are listed. */
  readonly hasMore = $derived(this.hits.length === MOST_HITS);
  /** The matches that can be replaced: not names, which are renamed where they are declared. */
  readonly replaceable = $derived(
    this.hits.flatMap(({ match }) => (match && !match.inName ? [match] : [])),
  );

  readonly #anchors = $derived(new Set(this.hits.map(({ place }) => anchorOf(place))));

  /** What is marked on the cards, while the focus is in Find or Replace. */
  readonly marks = $derived.by((): Wanted | undefined => {
    const pattern = this.#active ? patternOf(this.words, this.settings) : undefined;
    if (!pattern) return undefined;
    const hit = this.hits[this.at];
    return {
      pattern,
      step: this.#steps,
      current: (cards) => {
        if (!hit) return undefined;
        const { place, match } = hit;
        if (match) return rangeInField(cards, anchorOf(place), match);
        const name = place.field === undefined ? nameOnCard(cards, place.section) : null;
        return name ? wordsInName(name, pattern) : undefined;
      },
      leadsTo: (anchor) => this.#anchors.has(anchor),
    };
  });

  /** What is marked in the prompt then. */
  readonly finding = $derived.by((): Finding | undefined => {
    if (!this.marks) return undefined;
    const { pattern, step } = this.marks;
    const { hits, at } = this;
    const hit = hits[at];
    if (!hit?.match) return { pattern, step, shown: undefined };
    const anchor = anchorOf(hit.place);
    const isSame = (other: Hit | undefined) =>
      other?.match !== undefined && anchorOf(other.place) === anchor;
    let [first, end] = [at, at + 1];
    while (isSame(hits[first - 1])) first -= 1;
    while (isSame(hits[end])) end += 1;
    return { pattern, step, shown: { place: hit.place, nth: at - first, of: end - first } };
  });

  /** The focus is in Find or Replace: what is found is marked. */
  enter(): void {
    this.#active = true;
  }

  /** Looks for other words. */
  look(words: string): void {
    this.words = words;
    this.leave();
  }

  /** Looks for the same words in another way. */
  toggle(option: keyof FindOptions): void {
    this.settings[option] = !this.settings[option];
    this.leave();
  }

  /** Shows no hit any more. */
  leave(): void {
    this.at = -1;
    this.unmark();
  }

  /** Takes the mark of the hit off, which stays the one to go on from. */
  unmark(): void {
    markFound();
    this.#preview.found = undefined;
  }

  /** The focus left Find and Replace: nothing is marked any more. */
  leaveBar(): void {
    this.#active = false;
    this.unmark();
  }

  /** Shows the hit that is so many further on, from the last one on the first again. */
  async go(by: number): Promise<void> {
    const { length } = this.#finish();
    if (length === 0) return;
    this.at = (this.at + by + length + (this.at < 0 && by < 0 ? 1 : 0)) % length;
    this.#steps += 1;
    await this.#show();
  }

  /** Replaces the hit that is shown and goes to the next; before the first, it only goes there. */
  async replace(): Promise<void> {
    const match = this.hits[this.at]?.match;
    if (!match || match.inName) return this.go(1);
    const { length } = this.#finish();
    this.#edit([match]);
    // What was put in its place may hold the words as well, and is passed over.
    this.at += this.#finish().length - length;
    await this.go(1);
  }

  /** Replaces every match. Gives how many there were, and in how many texts. */
  replaceAll(): { matches: number; texts: number } {
    this.#finish();
    const matches = this.replaceable.length;
    const texts = this.#edit(this.replaceable);
    this.leave();
    return { matches, texts };
  }

  /** Searches what is left of the deck. */
  #finish(): readonly Hit[] {
    if (!this.#search.isDone) this.#search.run(Infinity);
    return this.hits;
  }

  #edit(matches: readonly Match[]): number {
    const deck = this.#deck();
    const edits = replaceEdits(deck.tree, matches, this.replacement);
    deck.edit(text.undoLabels.replace(this.words), edits);
    return edits.length;
  }

  async #show(): Promise<void> {
    const hit = this.hits[this.at];
    if (!hit) return;
    const { place, match } = hit;
    const filtered = this.#preview.bySection.get(place.section ?? '')?.filtered_by.length ?? 0;
    this.#preview.found = place;
    // The focus stays where the words are typed, so that Enter goes on: the place is marked instead.
    markFound(await reveal(this.#view(), place, filtered > 0, 'center'), match);
  }
}
