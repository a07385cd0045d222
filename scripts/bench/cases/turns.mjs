// A conversation of some length for the benchmarks of chat templates.

/** A system message, so many turns, and the question that is open. */
export const turns = (count) => [
  { role: 'system', content: 'You are a helpful assistant.' },
  ...Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { role: 'user', content: `Question ${index}: what comes next, and why would it?` }
      : {
          role: 'assistant',
          content: `Answer ${index}.\n\nIt depends on a few things, and here they are in some detail.`,
        },
  ),
  { role: 'user', content: 'And now?' },
];
