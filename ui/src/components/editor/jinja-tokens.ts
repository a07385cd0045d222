// Colours for Jinja: what is text, what is a tag, and inside tags words, strings and numbers.
import type { StreamParser } from '@codemirror/language';

interface Inside {
  /** What ends what the parser is in: a tag, a comment, or nothing. */
  end: '' | '%}' | '}}' | '#}';
}

const KEYWORDS = new Set(
  (
    'if elif else endif for in endfor set endset macro endmacro block endblock filter endfilter ' +
    'call endcall raw endraw generation endgeneration break continue and or not is true false ' +
    'none True False None recursive import include extends with endwith'
  ).split(' '),
);
const CLOSES = { '{%': '%}', '{{': '}}', '{#': '#}' } as const;

export const jinja: StreamParser<Inside> = {
  name: 'jinja',
  startState: () => ({ end: '' }),
  token(stream, state) {
    if (state.end === '#}') return comment(stream, state);
    if (state.end === '') {
      const opened = stream.match(/^(\{%|\{\{|\{#)[-+]?/) as RegExpMatchArray | null;
      if (opened) {
        state.end = CLOSES[opened[1] as keyof typeof CLOSES];
        return state.end === '#}' ? 'comment' : 'brace';
      }
      stream.next();
      stream.match(/^[^{]+/);
      return 'content';
    }
    if (stream.match(new RegExp(`^[-+]?${state.end}`))) {
      state.end = '';
      return 'brace';
    }
    if (stream.match(/^'(?:[^'\\]|\\.)*'?/) || stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/^\d[\d_.]*/)) return 'number';
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word) return KEYWORDS.has(word[0]) ? 'keyword' : 'variableName';
    stream.next();
    return null;
  },
};

function comment(stream: Parameters<typeof jinja.token>[0], state: Inside): string {
  if (stream.skipTo('#}')) {
    stream.match('#}');
    state.end = '';
  } else {
    stream.skipToEnd();
  }
  return 'comment';
}
