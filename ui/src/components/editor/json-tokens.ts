// Colours for JSON: keys, strings, numbers and words; the same for text that is not JSON yet.
import type { StreamParser } from '@codemirror/language';

export const json: StreamParser<null> = {
  name: 'json',
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"(?=\s*:)/)) return 'variableName';
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/^-?\d[\d.eE+-]*/)) return 'number';
    if (stream.match(/^(?:true|false|null)\b/)) return 'keyword';
    if (stream.match(/^[{}[\],:]/)) return 'brace';
    stream.next();
    return null;
  },
};
