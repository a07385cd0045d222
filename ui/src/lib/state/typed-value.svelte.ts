// What is typed into a field whose words have to be read, as a number has. The document follows the
// words while they can be read, so that the prompt does. While they can't, it has what it had before
// they were typed, and not what their beginning happened to mean; the words are kept beside it.
import { untrack } from 'svelte';
import {
  sameValue,
  type FieldValue,
  type TextField,
  type UnreadTexts,
} from './unread-texts.svelte';

/** Where the value is, how words are read, and how it is written. */
interface Field {
  /** Where words that can't be read are kept, and by which names. */
  unread: UnreadTexts | undefined;
  place: () => TextField;
  value: () => FieldValue;
  read: (words: string) => { value: FieldValue } | { problem: string };
  write: (value: FieldValue) => void;
}

/** A value while it is typed. */
export class TypedValue {
  readonly #field: Field;
  #typed = $state.raw<{ words: string; before: FieldValue; written: FieldValue }>();

  /** Has the words again that were kept when the field was shown last. */
  constructor(field: Field) {
    this.#field = field;
    const unread = untrack(() => field.unread?.words(field.place().path));
    if (unread !== undefined) untrack(() => this.type(unread));
    $effect(() => {
      const { problem, words } = this;
      field.unread?.keep(field.place(), problem === undefined ? undefined : words, problem);
    });
  }

  /** What was typed; none once the value was changed elsewhere. */
  readonly words = $derived.by(() =>
    this.#typed && sameValue(this.#typed.written, this.#field.value())
      ? this.#typed.words
      : undefined,
  );

  /** Why the words can't be read. */
  readonly problem = $derived.by(() => {
    if (this.words === undefined) return undefined;
    const read = this.#field.read(this.words);
    return 'problem' in read ? read.problem : undefined;
  });

  type(words: string): void {
    const before =
      this.#typed && this.words !== undefined ? this.#typed.before : this.#field.value();
    const read = this.#field.read(words);
    const written = 'problem' in read ? before : read.value;
    this.#typed = { words, before, written };
    if (!sameValue(written, this.#field.value())) this.#field.write(written);
  }

  /** The field was left: the value is shown as the document has it, unless the words can't be read. */
  leave(): void {
    if (this.problem === undefined) this.#typed = undefined;
  }

  /** Undo and Escape take back words that can't be read: the document has none of them. */
  keydown(event: KeyboardEvent): void {
    const undoes = (event.ctrlKey || event.metaKey) && !event.shiftKey && /^z$/i.test(event.key);
    if (this.problem === undefined || !(undoes || event.key === 'Escape')) return;
    event.preventDefault();
    this.#typed = undefined;
  }
}
