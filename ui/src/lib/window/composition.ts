// What an input method composes is no text of the author's before it is committed: each stage of it
// would be an edit of its own, and undo would bring the stages back.

type Take = (event: Event & { currentTarget: never }) => unknown;

/** Handlers of a field whose text `take` takes as it is typed, and once it is composed. */
export const taking = (take: Take | null | undefined) => ({
  oninput: (event: Event) => {
    if (!(event as InputEvent).isComposing) take?.(event as Parameters<Take>[0]);
  },
  oncompositionend: (event: Event) => take?.(event as Parameters<Take>[0]),
});

/** Whether a key goes to an input method, which says itself what it writes. */
export const isOfInputMethod = ({ key, isComposing }: KeyboardEvent): boolean =>
  isComposing || key === 'Process' || key === 'Unidentified';
