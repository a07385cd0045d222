// The focus that a key moved after a press of the pointer. WebKit shows no ring then: it takes what a
// script focuses for part of the press, until Tab is used. Elements get the attribute
// `data-key-focus` instead, which the styles treat as `:focus-visible`.

const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph']);
const MOVES = /^(Arrow|Home$|End$|Page)/;

/** Marks what has the focus by a key; gives what ends that. */
export function showKeyFocus(root: Document): () => void {
  let byKey = false;
  let marked: Element | undefined;
  const unmark = () => {
    marked?.removeAttribute('data-key-focus');
    marked = undefined;
  };
  const mark = (element: EventTarget | null) => {
    if (element === marked) return;
    unmark();
    if (!(element instanceof Element) || element === root.body) return;
    if (element.matches(':focus-visible')) return;
    marked = element;
    element.setAttribute('data-key-focus', '');
  };
  const keydown = ({ key }: KeyboardEvent) => {
    if (MODIFIERS.has(key)) return;
    byKey = true;
    // The focus may be where it was pressed to, and the key find nothing to move it to.
    if (MOVES.test(key)) mark(root.activeElement);
  };
  const press = () => {
    byKey = false;
    unmark();
  };
  const focusin = ({ target }: FocusEvent) => (byKey ? mark(target) : unmark());
  root.addEventListener('keydown', keydown, true);
  root.addEventListener('pointerdown', press, true);
  root.addEventListener('focusin', focusin);
  root.addEventListener('focusout', unmark);
  return () => {
    root.removeEventListener('keydown', keydown, true);
    root.removeEventListener('pointerdown', press, true);
    root.removeEventListener('focusin', focusin);
    root.removeEventListener('focusout', unmark);
  };
}
