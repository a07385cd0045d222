// Keys in the prompt while edits are on their way. The browser would act on what is drawn: each key waits until all
// that came before it is made and drawn, and then acts as if it were pressed there. So does a paste, and an undo of an
// open text, which other keys may follow before it is answered.
import { flushSync } from 'svelte';
import { characterBeside, wordBeside } from '$lib/document/text-beside';
import type { PromptEditing } from '$lib/state/prompt-editing.svelte';
import { isOfInputMethod } from '$lib/window/composition';
import { pastedText } from '$lib/window/field-drawer';
import { selectIn, selectionIn } from '$lib/window/text-offsets';
import type { SpotElements } from './spot-elements';

interface Ports {
  elements: SpotElements;
  editing: PromptEditing;
  /** Puts words on the clipboard. */
  copy: (words: string) => Promise<void>;
}

type Clipboard = 'copy' | 'cut' | 'paste';

/** A motion of the caret, as `Selection.modify` names it. */
type Motion = [direction: string, granularity: string];

const MOTIONS: Readonly<Record<string, Motion>> = {
  ArrowLeft: ['left', 'character'],
  ArrowRight: ['right', 'character'],
  ArrowUp: ['backward', 'line'],
  ArrowDown: ['forward', 'line'],
  Home: ['backward', 'lineboundary'],
  End: ['forward', 'lineboundary'],
};

const WITH_CTRL: Readonly<Record<string, Motion>> = {
  ArrowLeft: ['left', 'word'],
  ArrowRight: ['right', 'word'],
  Home: ['backward', 'documentboundary'],
  End: ['forward', 'documentboundary'],
};

const motionOf = ({ key, ctrlKey, altKey }: KeyboardEvent): Motion | undefined =>
  altKey ? undefined : (ctrlKey ? WITH_CTRL : MOTIONS)[key];

/** Whether a key is one of these letters with Ctrl. */
const isWithCtrl = ({ key, ctrlKey, altKey }: KeyboardEvent, letters: string): boolean =>
  ctrlKey && !altKey && key.length === 1 && letters.includes(key.toLowerCase());

const isLetter = ({ key, ctrlKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !altKey && key.length === 1;

/** What a key copies or cuts. A paste has an event of its own, with the text. */
function clipboardOf(event: KeyboardEvent): Clipboard | undefined {
  const { key, ctrlKey, shiftKey } = event;
  if (isWithCtrl(event, 'x') || (key === 'Delete' && shiftKey && !ctrlKey)) return 'cut';
  if (isWithCtrl(event, 'c') || (key === 'Insert' && ctrlKey && !shiftKey)) return 'copy';
  return undefined;
}

/** Whether an event is of something in the prompt that is no text of it. */
const isOther = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.alternatives, .reason') !== null;

const isUndo = (event: KeyboardEvent): boolean => isWithCtrl(event, 'zy');

/** Whether what a key does depends on the text, its caret or what is selected. */
function isOfText(event: KeyboardEvent): boolean {
  if (event.metaKey || isOfInputMethod(event)) return false;
  if (event.key === 'Enter') return !event.ctrlKey;
  return (
    isLetter(event) ||
    isUndo(event) ||
    isWithCtrl(event, 'a') ||
    /^(Backspace|Delete|Escape)$/.test(event.key) ||
    clipboardOf(event) !== undefined ||
    motionOf(event) !== undefined
  );
}

export class QueuedKeys {
  readonly #ports: Ports;
  /** Whether a key acts that has waited. */
  #isActing = false;
  /** The last copy, as long as the clipboard does not have it: a paste after it is of these words. */
  #copying: { words?: string } | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Has a key wait for what was typed before it; false where it can act at once. */
  take(event: KeyboardEvent): boolean {
    const { elements, editing } = this.#ports;
    if (this.#isActing || !isOfText(event)) return false;
    if (isOther(event.target) || (editing.queue.isIdle && !(isUndo(event) && elements.field)))
      return false;
    const clipboard = clipboardOf(event);
    const copying = clipboard ? (this.#copying = {}) : undefined;
    this.#wait(event, (target) => {
      const again = new KeyboardEvent(event.type, event);
      if (!target.dispatchEvent(again)) return;
      if (copying && clipboard) this.#copy(target, clipboard, copying);
      else if (elements.field) this.#edit(elements.field, event);
    });
    return true;
  }

  /** Has a paste wait for what was typed before it; false where it can be made at once. */
  paste(event: ClipboardEvent): boolean {
    if (this.#isActing || isOther(event.target) || this.#ports.editing.queue.isIdle) return false;
    const words = pastedText(event);
    const copying = this.#copying;
    this.#wait(event, (target) => {
      this.#clipboard(target, 'paste', copying?.words ?? words);
    });
    return true;
  }

  #wait(event: Event, act: (target: Element) => void): void {
    event.preventDefault();
    event.stopPropagation();
    const pressed = event.target as Element;
    // Where the author went on to meanwhile.
    let elsewhere: Element | undefined;
    const key = () => {
      flushSync();
      const { elements, editing } = this.#ports;
      const { activeElement } = document;
      if (activeElement !== document.body && !elements.holds(activeElement))
        elsewhere = activeElement ?? undefined;
      const { field } = elements;
      if (field && activeElement !== field) field.focus({ preventScroll: true });
      if (field) selectIn(field, editing.selection);
      const target = field ?? (elements.holds(activeElement) ? activeElement : pressed);
      this.#isActing = true;
      try {
        if (target?.isConnected) act(target);
      } finally {
        this.#isActing = false;
      }
    };
    void this.#ports.editing.queue.act(key).then(() => {
      const { activeElement } = document;
      const isAway = activeElement === document.body || this.#ports.elements.holds(activeElement);
      if (elsewhere instanceof HTMLElement && isAway) elsewhere.focus({ preventScroll: true });
    });
  }

  /** Does in the open text what the browser does for a key that is no other's. */
  #edit(field: HTMLElement, event: KeyboardEvent): void {
    const { editing } = this.#ports;
    const { key, ctrlKey, altKey, shiftKey } = event;
    const motion = motionOf(event);
    if (isLetter(event)) void editing.type(key);
    else if (key === 'Backspace' || key === 'Delete') {
      const beside = ctrlKey || altKey ? wordBeside : characterBeside;
      void editing.deleteBeside(key === 'Delete', beside);
    } else if (isWithCtrl(event, 'a')) editing.select({ start: 0, end: editing.text.length });
    else if (motion) {
      getSelection()?.modify(shiftKey ? 'extend' : 'move', ...motion);
      const selection = selectionIn(field);
      const heading = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
      if (selection) editing.select(selection, heading);
    }
  }

  #copy(target: Element, kind: Clipboard, copying: { words?: string }): void {
    const words = this.#clipboard(target, kind);
    if (words === '') return;
    copying.words = words;
    void this.#ports.copy(words).finally(() => {
      if (this.#copying === copying) this.#copying = undefined;
    });
  }

  /** Has an event of the clipboard handled as the browser's; the text of it then. */
  #clipboard(target: Element, kind: Clipboard, words = ''): string {
    const clipboardData = new DataTransfer();
    if (words !== '') clipboardData.setData('text/plain', words);
    const init = { clipboardData, bubbles: true, cancelable: true };
    target.dispatchEvent(new ClipboardEvent(kind, init));
    return clipboardData.getData('text/plain');
  }
}
