// What keys, the clipboard and a drop do to a selection over several texts of the prompt, of which none is open:
// the core deletes it or types over it, and the caret then is where it began.
import type { TextRange } from '$lib/document/replacement';
import type { PromptEditing } from '$lib/state/prompt-editing.svelte';
import { text } from '$lib/text';
import { isOfInputMethod } from '$lib/window/composition';

interface Ports {
  editing: PromptEditing;
  /** What is selected, when it is of several texts. */
  selected: () => TextRange | undefined;
}

export class AcrossKeys {
  readonly #ports: Ports;
  /** A dead key was pressed. */
  #composing = false;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /**
   * Whether a key is of a letter that a dead key or an input method begins: where nothing can be edited WebKit
   * composes none, and the letter without its accent would be typed.
   */
  composes(event: KeyboardEvent): boolean {
    const { key } = event;
    if (/^(Shift|Control|Alt|Meta|AltGraph)$/.test(key)) return false;
    const isLetter = isOfInputMethod(event) || (this.#composing && key.length === 1);
    this.#composing = key === 'Dead';
    if (isLetter) this.#ports.editing.refuse('prompt_composition', text.promptComposition);
    return isLetter || this.#composing;
  }

  /** Types a letter, or deletes or splits by a key. */
  key(name: string): void {
    if (name === 'Backspace' || name === 'Delete') this.#replace('');
    else if (name === 'Enter') this.#replace('', (editing) => editing.enter());
    else this.type(name);
  }

  type(words: string): void {
    // White space at the end of a text waits for words.
    if (words.trim() === '') this.#replace('', (editing) => editing.type(words));
    else this.#replace(words);
  }

  /** Pastes; lines are pasted into the text that is left, where they may become entries of a list. */
  paste(words: string): void {
    if (words.includes('\n')) this.#replace('', (editing) => editing.paste(words));
    else if (words !== '') this.#replace(words);
  }

  /** Deletes what was cut. */
  cut(): void {
    this.#replace('');
  }

  #replace(words: string, then?: (editing: PromptEditing) => Promise<void>): void {
    const { editing, selected } = this.#ports;
    const range = selected();
    if (!range) return;
    void editing.replaceAcross(range, words);
    // Where that is refused no text is open.
    if (then) void then(editing);
  }
}
