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

/** The key code of every key that an input method handles, as UI Events defines it. */
const OF_INPUT_METHOD = 229;

/** Whether an input method handles a key; it reports by events of its own what it writes. WebKitGTK gives
    such a key the name 'Unidentified', which keys without a name have too. */
export const isOfInputMethod = ({ key, isComposing, keyCode }: KeyboardEvent): boolean =>
  isComposing || key === 'Process' || keyCode === OF_INPUT_METHOD;
