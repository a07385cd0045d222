// What can be done with a section as a whole, for its card's menu and for the palette.
import { text } from '../text';
import {
  addSlider,
  removeSlider,
  setRandom,
  setRequired,
  setSliderRandom,
} from '../document/selection-edits';
import type { DeckState } from '../state/deck.svelte';
import { goTo } from '../window/goto';
import { addItem } from '../document/items';
import { isRandom, isSliderRandom, primaryField, type Section } from '../document/registry';
import { keptInPlace } from '../document/follow-card';
import { copyName, duplicateSection, reorderSections } from '../document/sections';
import type { ViewState } from '../state/view.svelte';

/** One thing to do. */
export interface SectionAction {
  id:
    | 'add-item'
    | 'edit-items'
    | 'add-variable'
    | 'random'
    | 'random-slider'
    | 'scale'
    | 'duplicate'
    | 'rename'
    | 'required'
    | 'up'
    | 'down'
    | 'delete';
  label: string;
  disabled?: boolean;
  /** It is destructive in the palette. */
  takesAway?: boolean;
  /** The key that does it where the focus is on the card. */
  key?: string;
  run: () => void;
}

/** Moves a card. The order of the cards follows the document, also when the move is undone. */
export function moveSection(
  deck: DeckState,
  view: ViewState,
  names: string[],
  from: number,
  to: number,
): void {
  const name = names[from];
  if (name === undefined || to < 0 || to >= names.length) return;
  const order = names.toSpliced(from, 1).toSpliced(to, 0, name);
  deck.edit(
    text.undoLabels.moveSection(name),
    reorderSections(deck.registry, order, (keys) => view.standsOtherwise(keys, order)),
  );
  view.arrange(order);
  view.moved = { name, up: to < from, inPlace: keptInPlace(names, order, name) };
}

/** Adds an item, opens it and goes to its text. */
export async function addItemTo(deck: DeckState, view: ViewState, section: Section): Promise<void> {
  deck.edit(text.undoLabels.addItem(section.name), addItem(section, deck.state));
  const field = primaryField(section.name);
  await goTo(view, { section: section.name, item: section.items.length, field }, false);
}

/** What the slider of a section is rolled or set by. */
function rollSlider(deck: DeckState, section: Section, hasSlider: boolean): SectionAction[] {
  if (!hasSlider) return [];
  const { name } = section;
  const rolls = isSliderRandom(section, deck.state);
  return [
    {
      id: 'random-slider',
      label: rolls ? text.stopRollingSlider : text.rollSlider,
      run: () =>
        deck.edit(
          text.undoLabels.random(text.sliderOf(name), !rolls),
          setSliderRandom(section, !rolls),
        ),
    },
  ];
}

/** A slider is given to a section or taken away; `sentiment` always has one. */
function scale(deck: DeckState, section: Section, hasSlider: boolean): SectionAction[] {
  const { name } = section;
  if (name === 'sentiment') return [];
  return [
    {
      id: 'scale',
      label: hasSlider ? text.removeSlider : text.addSlider,
      takesAway: hasSlider,
      run: () =>
        hasSlider
          ? deck.edit(text.undoLabels.removeSlider(name), removeSlider(section, deck.state))
          : deck.edit(text.undoLabels.addSlider(name), addSlider(section)),
    },
  ];
}

/** The actions of one section, in the order of the menu. */
export function sectionActions(
  deck: DeckState,
  view: ViewState,
  section: Section,
  names: string[],
  hasSlider: boolean,
): SectionAction[] {
  const { name } = section;
  const at = names.indexOf(name);
  const rolls = isRandom(section, deck.state);
  return [
    {
      id: 'add-item',
      label: text.addItem,
      run: () => void addItemTo(deck, view, section),
    },
    {
      id: 'edit-items',
      label: text.editItems,
      run: () => {
        view.showDeck();
        view.open(name);
        view.showItems(name, null);
      },
    },
    {
      id: 'add-variable',
      label: text.addVariable,
      run: () => {
        view.showDeck();
        view.open(name);
        view.addingVar = name;
      },
    },
    {
      id: 'random',
      label: rolls ? text.stopRolling : text.rollItem,
      run: () => deck.edit(text.undoLabels.random(name, !rolls), setRandom(section, !rolls)),
    },
    ...rollSlider(deck, section, hasSlider),
    ...scale(deck, section, hasSlider),
    {
      id: 'duplicate',
      label: text.duplicateSection,
      run: () => {
        const copy = copyName(deck.registry, name);
        deck.edit(
          text.undoLabels.duplicateSection(name),
          duplicateSection(name, copy, deck.tree, hasSlider),
        );
        void goTo(view, { section: copy }, false);
      },
    },
    {
      id: 'rename',
      label: text.renameSection,
      run: () => {
        view.showDeck();
        view.renaming = name;
      },
    },
    {
      id: 'required',
      label: section.required ? text.optionalSection : text.requiredSection,
      run: () =>
        deck.edit(
          text.undoLabels.required(name, !section.required),
          setRequired(section, deck.state, !section.required),
        ),
    },
    {
      id: 'up',
      label: text.moveCardUp,
      key: 'Alt+Up',
      disabled: at <= 0,
      run: () => moveSection(deck, view, names, at, at - 1),
    },
    {
      id: 'down',
      label: text.moveCardDown,
      key: 'Alt+Down',
      disabled: at === names.length - 1,
      run: () => moveSection(deck, view, names, at, at + 1),
    },
    {
      id: 'delete',
      label: text.deleteSection,
      takesAway: true,
      run: () => {
        view.showDeck();
        view.deleting = name;
      },
    },
  ];
}
