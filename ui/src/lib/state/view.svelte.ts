// How one registry is looked at: which cards are closed, their order, which item is
// open, which tab is shown. It is not part of the document and has no undo.
import type { Backend, LockedSlot, Slot, View } from '../ipc';
import type { MovedCard } from '../document/follow-card';
import { RESERVED_KEYS } from '../ipc/generated/constants';
import { inRenamedSection, slotKey } from '../document/locks';
import { arranged, canonicalOrder } from '../document/registry';
import { renamedBetween } from '../document/sections';
import { ImpactSettings } from './impact.svelte';
import { NearRows } from '../window/near-rows.svelte';
import { ProfileSettings } from './profile.svelte';
import { SavedTexts } from './saved-texts';

/** Registries with more sections than this open with their cards closed. */
const MANY = 24;
const WRITE_AFTER = 400;
/** The cards of the registry's own settings; they begin closed, below the sections. */
export const PART_CARDS = ['#registry', '#routes', '#generation', '#output_policy'] as const;

const TABS = ['prompt', 'chat', 'request', 'run', 'variants', 'compare', 'checks', 'json'] as const;
export type Tab = (typeof TABS)[number];

const locksByKey = (locks: LockedSlot[]) =>
  new Map(locks.map((lock) => [slotKey(lock.slot), lock]));

/** A target of requests and the chat format it may need, as a view keeps them. */
export type SavedReceiver = Pick<View, 'target' | 'family'>;

/** Which cards and items are open. */
export type Opened = Pick<ViewState, 'collapsed' | 'openFiltered' | 'items'>;

export class ViewState {
  collapsed = $state.raw<ReadonlySet<string>>(new Set());
  order = $state.raw<string[]>([]);
  tab = $state<Tab>('prompt');
  /** Which of the two is shown where the window is too narrow for both. */
  side = $state<'deck' | 'preview'>('deck');
  /** What the JSON tab shows: the model, or what saving would change in the file. */
  json = $state<'json' | 'diff'>('json');
  /** What the middle column holds. */
  middle = $state<'deck' | 'conversation'>('deck');
  /** Filtered cards that are open nevertheless. */
  openFiltered = $state.raw<ReadonlySet<string>>(new Set());
  /** Sections whose items are listed, with the index of the item that is edited, or null. */
  items = $state.raw<ReadonlyMap<string, number | null>>(new Map());
  scroll = 0;
  /** Where the tabs of the preview are scrolled to, until another registry is open. */
  readonly scrolls = new Map<string, number>();
  /** Which cards and tokens are drawn, where there are many. */
  readonly cards = new NearRows();
  readonly tokens = new NearRows();
  /** Whether the preview takes the place of the deck too. */
  wide = $state(false);
  /** What is measured of the rolls. */
  readonly profile = new ProfileSettings();
  /** What is compared in Compare. */
  readonly impact = new ImpactSettings();
  /** Slots that were locked, by `slotKey`. */
  locks = $state.raw<ReadonlyMap<string, LockedSlot>>(new Map());
  /** The sentences that cards show about their sections, by section. */
  notes = $state.raw<Readonly<Record<string, string>>>({});
  /** The section whose name is a field. */
  renaming = $state<string | null>(null);
  /** Whether a new section is being named. */
  adding = $state(false);
  /** What was typed as that name. */
  newSection = $state('');
  /** Whether what is found in the deck can be replaced. */
  replacing = $state(false);
  /** The card that was moved last, until its author has answered whether its text follows. */
  moved = $state.raw<MovedCard | null>(null);
  /** The section that is asked about before it goes. */
  deleting = $state<string | null>(null);
  /** The route whose row is open; null is the default one, undefined none. */
  route = $state<string | null | undefined>(undefined);
  /** The text the output policy is tried on. */
  trial = $state('');
  /** The section that is asked for the name of a new template variable. */
  addingVar = $state<string | null>(null);
  /** The item, by its place, that is asked which field to add. */
  addingField = $state<string | null>(null);

  /** The order of the cards, by the keys of the registry in their order. */
  readonly #arrangements: Map<string, string[]>;
  #file: string;
  #backend: Backend;
  #failed: (error: unknown) => void;
  /** The call document the author chose: empty for none, null while nothing was chosen. */
  #call: string | null;
  /** Who requests are for, as the author chose. */
  #receiver: SavedReceiver;
  #seedLocked: boolean;
  #lastSeed: number | null;
  /** What was typed and is in no document yet. */
  readonly texts: SavedTexts;
  /** The last turn of the shown branch of each conversation, null for an empty one, by its call
      document. */
  readonly #branches: Map<string, number | null>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(
    file: string,
    saved: View | null,
    names: string[],
    backend: Backend,
    failed: (error: unknown) => void,
    arrangements = new Map<string, string[]>(),
  ) {
    this.#file = file;
    this.#backend = backend;
    this.#failed = failed;
    this.#arrangements = arrangements;
    this.#seedLocked = saved?.seed_locked ?? false;
    this.#lastSeed = saved?.last_seed ?? null;
    this.#call = saved?.call ?? null;
    this.#receiver = { target: saved?.target ?? null, family: saved?.family ?? null };
    this.order = saved?.order ?? [];
    this.tab = TABS.find((tab) => tab === saved?.tab) ?? this.tab;
    this.scroll = saved?.scroll ?? 0;
    this.locks = locksByKey(saved?.locks ?? []);
    this.notes = saved?.notes ?? {};
    this.texts = new SavedTexts(saved?.unsent ?? {}, () => this.keep());
    this.#branches = new Map(Object.entries(saved?.branches ?? {}));
    // A view that was never saved says nothing: many cards then start closed.
    const untouched = !saved || (saved.tab === null && saved.collapsed.length === 0);
    this.collapsed = new Set(
      untouched ? [...PART_CARDS, ...(names.length > MANY ? names : [])] : saved.collapsed,
    );
  }

  toggle(section: string): void {
    this.#setCollapsed(section, !this.collapsed.has(section));
  }

  open(section: string): void {
    this.#setCollapsed(section, false);
  }

  #setCollapsed(section: string, closed: boolean): void {
    if (this.collapsed.has(section) === closed) return;
    const next = new Set(this.collapsed);
    if (closed) next.add(section);
    else next.delete(section);
    this.collapsed = next;
    this.keep();
  }

  collapseAll(sections: string[]): void {
    this.collapsed = new Set([...sections, ...PART_CARDS]);
    this.openFiltered = new Set();
    this.keep();
  }

  expandAll(): void {
    this.collapsed = new Set();
    this.keep();
  }

  /** Opens or closes a card that an injection filters out. */
  toggleFiltered(section: string): void {
    const next = new Set(this.openFiltered);
    if (!next.delete(section)) next.add(section);
    this.openFiltered = next;
  }

  /** Closes the form for a new section. */
  closeNewSection(): void {
    this.adding = false;
    this.newSection = '';
  }

  get opened(): Opened {
    const { collapsed, openFiltered, items } = this;
    return { collapsed, openFiltered, items };
  }

  /** Opens and closes cards and items as they were. */
  restore({ collapsed, openFiltered, items }: Opened): void {
    this.openFiltered = openFiltered;
    this.items = items;
    if (this.collapsed === collapsed) return;
    this.collapsed = collapsed;
    this.keep();
  }

  /** Brings the deck into the middle, for what is done in it. */
  showDeck(): void {
    this.middle = 'deck';
    this.side = 'deck';
    this.wide = false;
  }

  /** Brings the call document in use into the middle, whose messages are edited there. */
  showConversation(): void {
    this.middle = 'conversation';
    this.side = 'deck';
    this.wide = false;
  }

  /** Lists the items of a section and opens one of them, or none. */
  showItems(section: string, item: number | null): void {
    this.items = new Map(this.items).set(section, item);
  }

  hideItems(section: string): void {
    const next = new Map(this.items);
    next.delete(section);
    this.items = next;
  }

  arrange(order: string[]): void {
    this.order = order;
    this.keep();
  }

  /**
   * Follows the registry from one order of its keys to another. An order that was
   * there before brings back the cards as they stood then, so undo moves a card back.
   */
  follow(before: string[], after: string[]): void {
    this.#arrangements.set(JSON.stringify(before), this.order);
    this.moved = null;
    const renamed = renamedBetween(before, after);
    if (renamed) this.#rename(...renamed, before);
    this.arrange(this.#arrangements.get(JSON.stringify(after)) ?? this.order);
  }

  /** Whether the cards had another order than this one when the keys had this order. */
  standsOtherwise(keys: string[], order: string[]): boolean {
    const known = this.#arrangements.get(JSON.stringify(keys));
    return known !== undefined && JSON.stringify(known) !== JSON.stringify(order);
  }

  /**
   * What is known of a section goes on under its new name, its place among the cards too: the place
   * of a well-known section comes from its name.
   */
  #rename(from: string, to: string, keys: string[]): void {
    const name = (each: string) => (each === from ? to : each);
    // The focus goes over to its card before the next look at what is near.
    this.cards.draw(to);
    const names = (set: ReadonlySet<string>) => new Set([...set].map(name));
    const sections = canonicalOrder(keys.filter((key) => !RESERVED_KEYS.includes(key)));
    this.order = arranged(sections, this.order).map(name);
    this.collapsed = names(this.collapsed);
    this.openFiltered = names(this.openFiltered);
    this.items = new Map([...this.items].map(([section, item]) => [name(section), item]));
    this.notes = Object.fromEntries(
      Object.entries(this.notes).map(([section, note]) => [name(section), note]),
    );
    this.locks = locksByKey(
      [...this.locks.values()].map((lock) => inRenamedSection(lock, from, to)),
    );
  }

  /** Takes note of slots that were locked. */
  lock(locks: LockedSlot[]): void {
    this.locks = new Map([...this.locks, ...locksByKey(locks)]);
    this.keep();
  }

  /** Forgets that slots were locked. */
  forgetLocks(slots: Slot[]): void {
    const forgotten = new Set(slots.map(slotKey));
    this.locks = new Map([...this.locks].filter(([key]) => !forgotten.has(key)));
    this.keep();
  }

  /** Takes away the sentence about a section, or about all of them. */
  dismissNote(section?: string): void {
    this.notes = Object.fromEntries(
      Object.entries(this.notes).filter(([each]) => section !== undefined && each !== section),
    );
    this.keep();
  }

  show(tab: Tab): void {
    this.tab = tab;
    this.side = 'preview';
    this.keep();
  }

  /** Writes the view a moment later. */
  keep(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.write(), WRITE_AFTER);
  }

  /** Writes the view for the last time: the name of its registry means another file in another folder. */
  async close(): Promise<void> {
    const written = this.write();
    this.#isClosed = true;
    await written;
  }

  get file(): string {
    return this.#file;
  }

  /** Follows the registry to another name. */
  renamed(file: string): void {
    this.#file = file;
  }

  async write(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    try {
      await this.#backend.saveView(this.#file, {
        collapsed: [...this.collapsed],
        order: this.order,
        tab: this.tab,
        scroll: this.scroll,
        call: this.#call,
        ...this.#receiver,
        seed_locked: this.#seedLocked,
        last_seed: this.#lastSeed,
        locks: [...this.locks.values()],
        notes: this.notes,
        unsent: this.texts.saved,
        branches: Object.fromEntries(this.#branches),
      });
    } catch (error) {
      this.#failed(error);
    }
  }

  get call(): string | null {
    return this.#call;
  }

  /** Remembers the call document that the author chose, for the next start. */
  chooseCall(document: string | null): void {
    this.#call = document ?? '';
    this.keep();
  }

  get receiver(): SavedReceiver {
    return this.#receiver;
  }

  /** Remembers the target of requests that the author chose, for the next start. */
  chooseReceiver(receiver: SavedReceiver): void {
    this.#receiver = receiver;
    this.keep();
  }

  /** The last turn of the branch that was shown of a conversation, null for an empty one; undefined
      when none was shown yet. */
  branch(call: string | null): number | null | undefined {
    return this.#branches.get(call ?? '');
  }

  /** Remembers which branch of a conversation is shown; null for an empty one. */
  keepBranch(call: string | null, leaf: number | null): void {
    const key = call ?? '';
    if (this.#branches.get(key) === leaf) return;
    this.#branches.set(key, leaf);
    this.keep();
  }

  /** Takes note of the seed's lock, which the view keeps between starts. */
  seedLocked(locked: boolean): void {
    if (this.#seedLocked === locked) return;
    this.#seedLocked = locked;
    this.keep();
  }

  /** Takes note of the seed before the last roll, which the view keeps as well. */
  keepLastSeed(seed: number | null): void {
    if (this.#lastSeed === seed) return;
    this.#lastSeed = seed;
    this.keep();
  }
}
