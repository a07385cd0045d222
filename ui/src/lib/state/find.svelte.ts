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
import { opensQuickly } from '../document/quick-open';
import { firstFrom, type SearchStart } from '../document/hit-order';
import { anchorOf } from '../document/place';
import { text } from '../text';
import { goTo, reveal } from '../window/goto';
import { markFound, nameOnCard, rangeInField } from '../window/found-marks';
import { wordsInName } from '../window/found-words';
import { placeToSearchFrom } from '../window/search-start';
import { isTextField, select } from '../window/text-field';
import type { Wanted } from '../window/word-marks.svelte';
import type { DeckState } from './deck.svelte';
import type { Finding, PreviewState } from './preview.svelte';
import type { Opened, ViewState } from './view.svelte';

/** How the words are looked for, in every deck until the window closes. */
export class FindSettings implements FindOptions {
  wholeWords = $state(false);
  matchCase = $state(false);
}

/** How long a deck is searched at a time, in milliseconds. */
const SLICE_MS = 8;

/** A hit is shown when no key came for so long, in milliseconds: to open its item may take longer than a
 *  key may. */
const SHOWN_AFTER = 120;

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
  /** Which hit is the current one; -1 before the first. */
  at = $state(-1);
  /** Whether it is in sight and marked. */
  #isShown = $state(false);
  #active = $state(false);
  /** How often a hit was gone to. */
  #steps = $state(0);
  /** Where the search began, or the hit that it went to. */
  #start: SearchStart | undefined;
  /** What had the focus before. */
  #from: HTMLElement | null = null;
  /** Whether the current hit waits for a key to be shown, as it takes long to open. */
  #waits = false;
  /** Whether the first hit from the start is still looked for. */
  #seeks = false;
  #showing: ReturnType<typeof setTimeout> | undefined;
  /** What was open before a hit was shown that was not gone to. */
  #opened: Opened | undefined;

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
        this.#seek();
        if (!search.isDone) timer = setTimeout(goOn);
      };
      let timer = setTimeout(goOn);
      return () => {
        clearTimeout(timer);
      };
    });
  }

  readonly #sections = $derived.by(() => arranged(this.#deck().names, this.#view().order));
  readonly #search = $derived.by(() => {
    const [deck, sections] = [this.#deck(), this.#sections];
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
    const hit = this.#shown;
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
    const hit = this.#shown;
    // Before the hits are asked for: each slice of a search has others, and nothing is drawn anew for them.
    if (!hit?.match) return { pattern, step, shown: undefined };
    const { hits, at } = this;
    const anchor = anchorOf(hit.place);
    const isSame = (other: Hit | undefined) =>
      other?.match !== undefined && anchorOf(other.place) === anchor;
    let [first, end] = [at, at + 1];
    while (isSame(hits[first - 1])) first -= 1;
    while (isSame(hits[end])) end += 1;
    return { pattern, step, shown: { place: hit.place, nth: at - first, of: end - first } };
  });

  get #shown(): Hit | undefined {
    return this.#isShown ? this.hits[this.at] : undefined;
  }

  /** The focus came to Find or Replace: what is found is marked, and a search begins where it was. */
  enter(from: Element | null): void {
    this.#active = true;
    // What had it may be gone, as the field of Find is where Replace takes its place.
    if (!from && this.words !== '') return;
    const place = placeToSearchFrom(from);
    this.#start = place && { place, offset: 0 };
    if (from instanceof HTMLElement) this.#from = from;
  }

  /** Looks for other words. */
  look(words: string): void {
    this.words = words;
    this.#begin();
  }

  /** Looks for the same words in another way. */
  toggle(option: keyof FindOptions): void {
    this.settings[option] = !this.settings[option];
    this.#begin();
  }

  /** Ends the search: the words go, and the focus is on the hit that is shown, else where it was before. */
  async close(): Promise<void> {
    clearTimeout(this.#showing);
    const hit = this.#shown;
    const from = this.#from;
    if (hit) this.#opened = undefined;
    this.look('');
    if (!hit) {
      from?.focus();
      return;
    }
    await goTo(this.#view(), hit.place, false);
    const { activeElement: field } = document;
    if (hit.match && field instanceof HTMLElement && isTextField(field)) select(field, hit.match);
  }

  /** The focus left Find and Replace: nothing is marked any more. */
  leaveBar(): void {
    this.#active = false;
    this.#opened = undefined;
    clearTimeout(this.#showing);
    this.#unmark();
  }

  /** Shows the hit that is so many further on, from the last one on the first again. */
  async go(by: number): Promise<void> {
    const { length } = this.#finish();
    if (length === 0) return;
    this.#seek();
    if (this.#waits) return this.#goTo(this.at);
    await this.#goTo((this.at + by + length + (this.at < 0 && by < 0 ? 1 : 0)) % length);
  }

  /** Replaces the hit that is shown and goes to the next; one that is not in sight yet is only shown. */
  async replace(): Promise<void> {
    const match = this.#shown?.match;
    if (!match && !this.#shown) return this.#goTo(Math.max(this.at, 0));
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
    this.#leave();
    return { matches, texts };
  }

  /** Begins to look for the first hit from the start. */
  #begin(): void {
    this.#leave();
    this.#seeks = this.words.trim() !== '';
    if (this.#seeks) this.#seek();
    else this.#closeOpened();
  }

  /** Makes the first hit from the start the current one, as soon as it is found. */
  #seek(): void {
    if (!this.#seeks) return;
    const { hits, isDone } = this;
    const at = this.#start
      ? firstFrom(hits, this.#start, this.#deck().tree, this.#sections)
      : Math.min(hits.length, 1) - 1;
    if (at < 0 && !isDone) return;
    this.#seeks = false;
    // Past the last one the first is next.
    this.at = at < 0 && hits.length > 0 ? 0 : at;
    if (this.at < 0) this.#closeOpened();
    else this.#showing = setTimeout(() => void this.#showTyped(), SHOWN_AFTER);
  }

  /** Goes to a hit, from which a search for other words begins then. */
  async #goTo(at: number): Promise<void> {
    this.at = at;
    const hit = this.hits[at];
    if (!hit) return;
    this.#start = { place: hit.place, offset: hit.match?.start ?? 0 };
    await this.#show();
    this.#opened = undefined;
  }

  /** Shows no hit any more. */
  #leave(): void {
    clearTimeout(this.#showing);
    this.#seeks = false;
    this.#waits = false;
    this.at = -1;
    this.#isShown = false;
    this.#unmark();
  }

  /** Takes the mark of the hit off, which stays the one to go on from. */
  #unmark(): void {
    markFound();
    this.#preview.found = undefined;
  }

  /** Closes what was opened for a hit that was not gone to. */
  #closeOpened(): void {
    if (this.#opened) this.#view().restore(this.#opened);
    this.#opened = undefined;
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

  /** Shows the current hit, or its card alone where it takes long to open. */
  async #showTyped(): Promise<void> {
    const view = this.#view();
    const { section: name, item } = this.hits[this.at]?.place ?? {};
    const section = name === undefined ? undefined : this.#deck().section(name);
    if (!section || opensQuickly(section, item, view.items.has(section.name))) return this.#show();
    this.#waits = true;
    this.#closeOpened();
    this.#opened = view.opened;
    await reveal(view, { section: section.name }, false);
  }

  async #show(): Promise<void> {
    clearTimeout(this.#showing);
    const hit = this.hits[this.at];
    if (!hit) return;
    const { place, match } = hit;
    const view = this.#view();
    this.#waits = false;
    this.#closeOpened();
    this.#opened = view.opened;
    this.#isShown = true;
    this.#steps += 1;
    const filtered = this.#preview.bySection.get(place.section ?? '')?.filtered_by.length ?? 0;
    this.#preview.found = place;
    // The focus stays where the words are typed, so that Enter goes on: the place is marked instead.
    markFound(await reveal(view, place, filtered > 0, 'center'), match);
  }
}
