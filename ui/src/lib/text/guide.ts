// The words of the help page on how a deck becomes a prompt.
import { plural } from './number-format';

export const guide = {
  title: 'How a deck becomes a prompt',
  pages: 'Pages of the help',
  keys: 'Keys',
  steps: [
    {
      title: '1. Choose',
      detail: 'Each card is a section. You choose its item, or several where it is optional.',
    },
    {
      title: '2. Roll',
      detail: 'The seed picks what is set to random. The same seed picks the same values.',
    },
    {
      title: '3. Assemble',
      detail: 'The entries of the assembly print in their order. One without text drops out.',
    },
    {
      title: '4. Join',
      detail: 'Entries of one section follow on the next line, others after a blank line.',
    },
  ],
  entries: 'The assembly of this deck, entry by entry',
  outcomes: {
    rendered: 'printed',
    merged: 'merged into the list above',
    dropped: 'dropped: no text',
    filtered: 'filtered out',
  },
  picture: (bands: number) => `The prompt of this deck in ${plural(bands, 'band')} by length`,
  now: (sections: number, rolled: number, printed: number, entries: number, characters: number) =>
    `Now: ${plural(sections, 'section')}, ${plural(rolled, 'rolled value')}, ${printed} of ${plural(entries, 'entry', 'entries')} printed, ${plural(characters, 'character')}.`,
  nothing: 'Open a registry to see its deck here.',
} as const;
