// JSON that a person types: its value, or where and why it is none yet. `JSON.parse` reports no place
// in WebKit, keeps the last of two equal keys, rounds long whole numbers and silently turns 2.0 into 2.

/** What is missing where a text stops being JSON. */
export type JsonPart =
  'value' | 'word' | 'key' | 'colon' | 'list_end' | 'object_end' | 'digit' | 'escape' | 'hex';

export interface JsonPlace {
  line: number;
  column: number;
}

type Reason =
  | { kind: 'empty' | 'open_string' | 'bare_control' | 'more' }
  | { kind: 'expected'; part: JsonPart; found: string }
  | { kind: 'ended'; open?: JsonPlace & { container: 'object' | 'list' } }
  | { kind: 'duplicate_key'; key: string }
  | { kind: 'inexact'; number: string }
  | { kind: 'reformed'; words: string; number: string };

export type JsonFault = JsonPlace & Reason;

/** Ends the search at the first fault. */
class Stop {
  constructor(
    readonly at: number,
    readonly reason: Reason,
  ) {}
}

/** The value of a text, or why it has none. */
export function readJson(text: string): { value: unknown } | { fault: JsonFault } {
  try {
    new Search(text).run();
    return { value: JSON.parse(text) };
  } catch (error) {
    const stop = error instanceof Stop ? error : new Stop(text.length, { kind: 'ended' });
    return { fault: { ...placeAt(text, stop.at), ...stop.reason } };
  }
}

/** Line and column from 1, in characters. */
function placeAt(text: string, at: number): JsonPlace {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 };
}

class Search {
  #at = 0;
  /** Where the objects and lists begin that are open. */
  readonly #open: number[] = [];

  constructor(readonly text: string) {}

  run(): void {
    this.#space();
    if (this.#at === this.text.length) throw new Stop(this.#at, { kind: 'empty' });
    this.#value();
    this.#space();
    if (this.#at < this.text.length) throw new Stop(this.#at, { kind: 'more' });
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #space(): void {
    this.#match(/[ \n\r\t]*/y);
  }

  #missing(part: JsonPart): Stop {
    const code = this.text.codePointAt(this.#at);
    if (code !== undefined)
      return new Stop(this.#at, { kind: 'expected', part, found: String.fromCodePoint(code) });
    const start = this.#open.at(-1);
    if (start === undefined) return new Stop(this.#at, { kind: 'ended' });
    const container = this.text[start] === '{' ? 'object' : 'list';
    return new Stop(this.#at, {
      kind: 'ended',
      open: { container, ...placeAt(this.text, start) },
    });
  }

  #value(): void {
    switch (this.text[this.#at]) {
      case '{':
        return this.#container('}', new Set());
      case '[':
        return this.#container(']');
      case '"':
        return void this.#string();
      case 't':
      case 'f':
      case 'n':
        if (!this.#match(/true|false|null/y)) throw this.#missing('word');
        return;
      default:
        this.#number();
    }
  }

  /** An object, whose keys are collected, or a list. */
  #container(end: '}' | ']', keys?: Set<string>): void {
    this.#open.push(this.#at);
    this.#at += 1;
    this.#space();
    if (this.text[this.#at] !== end) {
      do {
        this.#space();
        if (keys) this.#key(keys);
        this.#value();
        this.#space();
      } while (this.#match(/,/y));
      if (this.text[this.#at] !== end) throw this.#missing(keys ? 'object_end' : 'list_end');
    }
    this.#open.pop();
    this.#at += 1;
  }

  #key(keys: Set<string>): void {
    const start = this.#at;
    if (this.text[start] !== '"') throw this.#missing('key');
    const key = this.#string();
    if (keys.has(key)) throw new Stop(start, { kind: 'duplicate_key', key });
    keys.add(key);
    this.#space();
    if (!this.#match(/:/y)) throw this.#missing('colon');
    this.#space();
  }

  #string(): string {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      this.#match(/(?:[^"\\\p{Cc}]|[\x7f-\x9f])*/uy);
      const next = this.text[this.#at];
      if (next === '"') break;
      if (next === '\\') this.#escape();
      else if (this.text.slice(this.#at).trim() === '')
        throw new Stop(start, { kind: 'open_string' });
      else throw new Stop(this.#at, { kind: 'bare_control' });
    }
    this.#at += 1;
    return JSON.parse(this.text.slice(start, this.#at)) as string;
  }

  #escape(): void {
    this.#at += 1;
    if (this.#match(/["\\/bfnrt]/y)) return;
    if (!this.#match(/u/y)) throw this.#missing('escape');
    if (!this.#match(/[0-9a-f]{4}/iy)) throw this.#missing('hex');
  }

  #number(): void {
    const start = this.#at;
    const minus = this.#match(/-/y);
    if (!this.#match(/0|[1-9]\d*/y)) throw this.#missing(minus ? 'digit' : 'value');
    const isWhole = !/[.e]/i.test(this.text[this.#at] ?? '');
    if (this.#match(/\./y) && !this.#match(/\d+/y)) throw this.#missing('digit');
    if (this.#match(/e[+-]?/iy) && !this.#match(/\d+/y)) throw this.#missing('digit');
    const words = this.text.slice(start, this.#at);
    const number = String(Number(words));
    if (isWhole && !Number.isSafeInteger(Number(words)) && number !== words)
      throw new Stop(start, { kind: 'inexact', number });
    // Templates and the command line print 2.0 and 2 differently, and a number here has one form only.
    const written = JSON.stringify(Number(words));
    if (/[.e]/i.test(words) !== /[.e]/.test(written) || (minus && !written.startsWith('-')))
      throw new Stop(start, { kind: 'reformed', words, number: written });
  }
}
