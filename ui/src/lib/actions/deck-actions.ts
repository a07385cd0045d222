// What can be done in the deck, for the palette: with sections, items, tokens, routes and settings.
import type { Edit, Slot } from '../ipc';
import { text } from '../text';
import { act, destructive, type Action } from './actions';
import { checkItem, selectItem } from '../document/selection-edits';
import type { DeckState } from '../state/deck.svelte';
import { goTo, nameRoute } from '../window/goto';
import { KNOWN_FIELDS } from '../document/item-fields';
import { deleteItem, duplicateItem, moveItem } from '../document/items';
import { anchorOf, NAME } from '../document/place';
import { problemOf } from '../document/problems';
import { addLabel, addToPrompt, insertionsOf } from '../document/print-status';
import { arranged, selectedItems, type Item, type Section } from '../document/registry';
import { addRoute, freeRouteName } from '../document/routes';
import { sectionActions } from './section-actions';
import type { Studio } from '../state/studio.svelte';
import { rolledValue } from '../document/value-label';
import type { ViewState } from '../state/view.svelte';

/** Maximum number of problems with fixes on offer. */
const PROBLEMS = 50;
const FIELD_NAMES = Object.keys(KNOWN_FIELDS);
const PARTS = ['routes', 'generation', 'output_policy'] as const;

/** Everything the deck offers at this moment, in the order of its cards. */
export function deckActions(studio: Studio, deck: DeckState, view: ViewState): Action[] {
  const names = arranged(deck.names, view.order);
  return [
    ...fixes(studio, deck, view),
    ...studio.preview.rolled.map((slot) => lock(studio, slot)),
    ...parts(view),
    inDeck('add-section', text.addSection, () => {
      view.showDeck();
      view.adding = true;
    }),
    inDeck('add-route', text.addRoute, () => {
      const name = freeRouteName(deck.registry, text.newRouteName);
      deck.edit(text.undoLabels.addRoute(name), addRoute(deck.registry, name, null));
      void nameRoute(view, name);
    }),
    ...unprinted(studio, deck),
    ...names.flatMap((name) => ofSection(studio, deck, view, name, names)),
    ...tokens(deck),
  ];
}

function inDeck(id: string, label: string, run: () => void): Action {
  return { ...act(id, label, run), group: 'deck' };
}

/** The fixes of the first problems, like the links beside them. */
function fixes({ preview }: Studio, deck: DeckState, view: ViewState): Action[] {
  return preview.diagnostics.slice(0, PROBLEMS).flatMap((note, index) => {
    const { title, fixes: found } = problemOf(note, deck.tree);
    return found.map(({ label, undoLabel, edits, next }) => ({
      ...inDeck(`fix-${index}-${label}`, label, () => {
        deck.edit(undoLabel, edits);
        if (next) void goTo(view, next, false);
      }),
      hint: title,
    }));
  });
}

/** Freezes one rolled value. */
function lock(studio: Studio, slot: Slot): Action {
  const names = {
    item: slot.section,
    slider: text.sliderOf(slot.section),
    array: slot.kind === 'array' ? `${slot.section} ${slot.field}` : '',
  };
  const name = names[slot.kind];
  const value = rolledValue(slot, studio.preview.sections);
  return {
    ...inDeck(`lock-${name}`, text.lockValue(name), () => void studio.lock([slot])),
    ...(value && { hint: value.text, detail: value.detail }),
  };
}

function parts(view: ViewState): Action[] {
  return PARTS.map((part) =>
    inDeck(`go-${part}`, text.editSettings(text.parts[part]), () => {
      void goTo(view, { part }, false);
    }),
  );
}

/** The entries that would print what no entry of the assembly prints. */
function unprinted({ preview }: Studio, deck: DeckState): Action[] {
  return insertionsOf(preview.unprinted).map((insertion) =>
    inDeck(`print-${insertion.token}`, text.addToPromptNamed(insertion.token), () =>
      deck.edit(addLabel([insertion]), addToPrompt(deck.tree, deck.tokensPath, [insertion])),
    ),
  );
}

function ofSection(
  { preview }: Studio,
  deck: DeckState,
  view: ViewState,
  name: string,
  names: string[],
): Action[] {
  const section = deck.section(name);
  if (!section) return [];
  const sectionItems = sectionActions(deck, view, section, names, preview.hasSlider(name))
    .filter((action) => !action.disabled)
    .map(({ id, label, key, run, takesAway }) => ({
      ...inDeck(`${id}-${name}`, text.ofSection(label, name), run),
      ...(takesAway && { destructive: true }),
      ...(key === undefined ? {} : { key }),
    }));
  const chosen = new Set(selectedItems(section, deck.state));
  const items = section.items.flatMap((item) => {
    // No section's action is called so, whatever the section is called.
    const id = `${item.index}-${name}`;
    const title = `${name}.${item.name}`;
    const found = [
      ...choice(deck, section, item, chosen.has(item.index)),
      inDeck(`name.${id}`, text.renameItem(title), () => {
        void goTo(view, { section: name, item: item.index, field: NAME }, false);
      }),
      {
        ...inDeck(`field.${id}`, text.addFieldTo(title), () => {
          const place = { section: name, item: item.index };
          void goTo(view, place, false).then(() => (view.addingField = anchorOf(place)));
        }),
        words: FIELD_NAMES,
      },
      inDeck(`copy.${id}`, text.duplicateItem(title), () =>
        deck.edit(text.undoLabels.duplicateItem(item.name), duplicateItem(section, item)),
      ),
      destructive(
        inDeck(`delete.${id}`, text.deleteItem(title), () =>
          deck.edit(text.undoLabels.deleteItem(item.name), deleteItem(section, item, deck.tree)),
        ),
      ),
    ];
    if (item.index > 0) {
      found.push(
        inDeck(`up.${id}`, text.moveItemUp(title), () =>
          deck.edit(
            text.undoLabels.moveItem(item.name),
            moveItem(section, item.index, item.index - 1),
          ),
        ),
      );
    }
    return found;
  });
  return [...sectionItems, ...items];
}

/** Selects an item, or leaves it out where that can be. */
function choice(deck: DeckState, section: Section, item: Item, chosen: boolean): Action[] {
  // What has no identity can't be selected, and a required section is never without an item.
  if (!item.key || (section.required && chosen)) return [];
  const { name } = section;
  const title = `${name}.${item.name}`;
  const offer = (label: string, undoLabel: string, edits: () => Edit[]) => [
    inDeck(`use.${item.index}-${name}`, label, () => deck.edit(undoLabel, edits())),
  ];
  if (section.required) {
    return offer(text.useItem(title), text.undoLabels.select(name, item.name), () =>
      selectItem(section, deck.state, item.name),
    );
  }
  const [label, undoLabel] = chosen
    ? [text.leaveItem(title), text.undoLabels.uncheck]
    : [text.useItem(title), text.undoLabels.check];
  return offer(label, undoLabel(name, item.name), () =>
    checkItem(section, deck.state, item.index, !chosen),
  );
}

function tokens(deck: DeckState): Action[] {
  const { tokensPath: path, tokens: order } = deck;
  return order.flatMap((token, index) => {
    const remove = destructive(
      inDeck(`token-${index}`, text.removeNamedToken(token), () =>
        deck.edit(text.undoLabels.removeToken(token), [{ kind: 'remove', path: [...path, index] }]),
      ),
    );
    if (index === 0) return [remove];
    const up = inDeck(`token-up-${index}`, text.moveTokenUp(token), () =>
      deck.edit(text.undoLabels.moveToken(token), [
        { kind: 'move', path, from: index, to: index - 1 },
      ]),
    );
    return [remove, up];
  });
}
