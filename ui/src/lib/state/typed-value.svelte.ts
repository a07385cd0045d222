// What is typed into a field whose words have to be read, as a number has. The document follows the
// words while they can be read, so that the prompt does. While they can't, the last value that could be
// read stays, the field says so, and the words are kept beside the document. Of a number, that is the
// value before it was typed: the 1 of "1,000" is not what the author means.
import { untrack } from 'svelte';
import { text } from '../text';
import { shortJson } from '../util/short-json';
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
  /** Whether the words are a number, whose beginning is another number. */
  isNumber?: boolean;
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

  /** Why the words can't be read, and what the value is meanwhile. */
  readonly problem = $derived.by(() => {
    if (this.words === undefined) return undefined;
    const read = this.#field.read(this.words);
    if (!('problem' in read)) return undefined;
    return `${read.problem} ${text.valueStays(shortJson(this.#field.value()))}`;
  });

  type(words: string): void {
    const value = this.#field.value();
    const before = this.#typed && this.words !== undefined ? this.#typed.before : value;
    const read = this.#field.read(words);
    const unread = this.#field.isNumber ? before : value;
    const written = 'problem' in read ? unread : read.value;
    this.#typed = { words, before, written };
    if (!sameValue(written, value)) this.#field.write(written);
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
