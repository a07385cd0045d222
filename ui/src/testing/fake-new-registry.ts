// The part of the fake service that creates registries: two starters, and documents that are split at
// blank lines. It converts nothing.
import type {
  NewRegistryOptions,
  Conversion,
  ImportEntry,
  ImportFormat,
  NewRegistry,
  PromptSplit,
  SourceChange,
  SourceView,
} from '$lib/ipc';
import { fileName } from './fake-files';
import type { NewRegistryBackend } from '$lib/ipc/new-registry';

/** A starter with sections of these lengths. */
const starter = (
  name: string,
  lengths: Record<string, number>,
): NewRegistryOptions['starters'][number] => ({
  starter: name,
  file: `${name}.json`,
  section_count: Object.keys(lengths).length + 1,
  // One has a call document.
  messages: name === 'agent' ? 1 : 0,
  tools: name === 'agent' ? 4 : 0,
  sections: Object.entries(lengths).map(([section, characters]) => ({
    section,
    characters,
    tokens: Math.ceil(characters / 4),
  })),
  prompt: Object.keys(lengths).flatMap((section, index) => [
    { section, text: index === 0 ? `You are the ${name}.` : `More of ${section}.` },
    { section: null, text: '\n\n' },
  ]),
});

export class FakeNewRegistry {
  /** What the next document that is no plain text is recognised as. */
  format: ImportFormat = 'v0_8';
  /** The report of the next document that is no plain text, where a test gives one. */
  entries: Conversion['entries'] | undefined;
  /** The conversation of the next document that is no plain text. */
  call: Pick<Conversion, 'messages' | 'tools' | 'call_problem'> = {
    messages: 0,
    tools: 0,
    call_problem: null,
  };
  /** What the next plain prompt looks like. */
  resembles: SourceView['resembles'] = null;
  /** Whether the deck of a plain prompt prints its bytes. */
  same = true;
  /** Whether plain prompts have Windows line ends. */
  lineEnds = false;
  /** What the report of a plain prompt lists as not part of it. */
  unread: ImportEntry[] = [];
  /** The folder of wildcards that the author chooses. */
  wildcards: string | null = null;
  /** Whether documents cannot be read. */
  damaged = false;
  /** The kinds of places that change nothing in the split of a prompt. */
  ineffectivePoints: SourceView['ineffective_points'] = [];
  #number = 0;
  #lines: string[] = [];

  get calls(): NewRegistryBackend {
    return {
      newRegistryOptions: async () => ({
        folder: '/home/author/quiz',
        sub_folder: '',
        blank_file: 'untitled.json',
        starters: [
          starter('persona', { personas: 40, sentiment: 20, examples: 30, prompt_endings: 10 }),
          starter('support_desk', { base_context: 50, static_injections: 20 }),
          starter('agent', { personas: 20, tools: 40, static_injections: 20 }),
        ],
      }),
      readSource: async (name, bytes) => {
        const words = new TextDecoder().decode(bytes);
        if (this.damaged) {
          const problem = { code: 'syntax', message: 'Line 1, column 6: the text ends' };
          return this.#view(name, { as_type: 'registry', problem });
        }
        return words.startsWith('{') ? this.#document(name) : this.#plain(name, words);
      },
      changeSource: async (_, change) => this.#change(change),
      chooseWildcards: async () =>
        this.wildcards === null ? null : this.#template({ path: this.wildcards, lists: 3 }),
      forgetSource: async () => undefined,
      newRegistry: async (_content: NewRegistry, folder: string, name: string) =>
        folder === '' ? fileName(name) : `${folder}/${fileName(name)}`,
    };
  }

  #view(name: string, more: Partial<SourceView>): SourceView {
    this.#number += 1;
    return {
      number: this.#number,
      name,
      as_type: 'plain',
      resembles: this.resembles,
      length: this.#lines.join('\n').length,
      file: 'prompt.json',
      lines: this.#lines,
      line_count: this.#lines.length,
      split: null,
      ineffective_points: [],
      conversion: null,
      problem: null,
      wildcards: null,
      ...more,
    };
  }

  /** A template, whose wildcard prints as written without a folder. */
  #template(wildcards: SourceView['wildcards']): SourceView {
    this.format = 'dynamic_prompt';
    this.entries = wildcards
      ? []
      : [
          {
            status: 'not_supported',
            pointer: '',
            line: 1,
            message: 'no wildcard is called colors',
          },
        ];
    return { ...this.#document('scene.txt'), as_type: 'template', wildcards };
  }

  #document(name: string): SourceView {
    this.#lines = [];
    const conversion: Conversion = {
      format: this.format,
      sections: [{ section: 'mood', field: null, tokens: 4, lines: null }],
      section_count: 3,
      is_template: this.format === 'jinja',
      entries:
        this.entries ??
        (this.format === 'canonical'
          ? []
          : [
              {
                status: 'not_supported',
                pointer: '/mood/items/0',
                line: 7,
                message: 'A text is a heading.',
              },
              { status: 'converted', pointer: '/mood', line: 5, message: 'converted' },
            ]),
      more_entries: 0,
      ...this.call,
      characters: 20,
      same: null,
      line_ends: false,
    };
    return this.#view(name, { as_type: 'registry', file: 'old.json', conversion });
  }

  #plain(name: string, words: string): SourceView {
    this.#lines = words.split('\n');
    const starts = this.#lines.flatMap((line, index) =>
      index === 0 || (line !== '' && this.#lines[index - 1] === '') ? [index + 1] : [],
    );
    return this.#split(name, {
      at: { headings: true, tags: true, blank_lines: true, lists: true },
      parts: starts.map((line, index) => ({ name: `part_${String(index + 1)}`, line })),
    });
  }

  #split(name: string, split: PromptSplit): SourceView {
    const conversion: Conversion = {
      format: 'plain_prompt',
      sections: split.parts.map((part, index) => ({
        section: part.name,
        field: null,
        tokens: 3,
        lines: {
          first: part.line,
          last: (split.parts[index + 1]?.line ?? this.#lines.length + 1) - 1,
          opening: 'text',
          entries: 0,
          headed: false,
        },
      })),
      section_count: split.parts.length,
      is_template: false,
      entries: this.same
        ? this.unread
        : [
            {
              status: 'not_supported',
              pointer: '',
              line: 3,
              message: 'two bytes of three blank lines',
            },
          ],
      more_entries: 0,
      messages: 0,
      tools: 0,
      call_problem: null,
      characters: 20,
      same: this.same,
      line_ends: this.lineEnds,
    };
    return this.#view(name, { split, ineffective_points: this.ineffectivePoints, conversion });
  }

  #change(change: SourceChange): SourceView {
    switch (change.kind) {
      case 'read':
        if (change.as_type === 'template') return this.#template(null);
        return change.as_type === 'plain'
          ? this.#plain('', 'One.\n\nTwo.')
          : this.#view('', { as_type: change.as_type });
      case 'no_wildcards':
        return this.#template(null);
      case 'trim':
        this.same = true;
        return this.#plain('', this.#lines.join('\n'));
      case 'undo_trim':
        this.same = false;
        return this.#split('', change.split);
      case 'propose': {
        const split = { at: change.at, parts: [{ name: 'whole', line: 1 }] };
        return this.#split('', split);
      }
      case 'split': {
        const parts = change.split.parts.map((part) => ({ ...part }));
        const { edit } = change;
        const part = parts[edit && 'part' in edit ? edit.part : -1];
        if (edit?.kind === 'rename' && part) part.name = edit.name;
        if (edit?.kind === 'move' && part) part.line = edit.line;
        if (edit?.kind === 'merge') parts.splice(edit.part, 1);
        if (edit?.kind === 'divide') {
          const at = parts.filter(({ line }) => line < edit.line).length;
          parts.splice(at, 0, { name: `part_at_${String(edit.line)}`, line: edit.line });
        }
        return this.#split('', { ...change.split, parts });
      }
    }
  }
}
