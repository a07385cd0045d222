// A drag with the mouse, a pen or a finger, from the press to the release. It begins with a press of
// either kind of event: after a native context menu the engine still takes the right button for held,
// and tells the next press as `mousedown` alone.

/** What a drag does. */
export interface Drag {
  move: (at: MouseEvent) => void;
  /** Called once; `dropped` is false when the system ended it. */
  end: (dropped: boolean) => void;
}

const ENDS = ['pointerup', 'mouseup', 'pointercancel'] as const;

/** Lets presses on an element begin drags; `begin` gives undefined for a press that begins none. */
export function draggable(
  element: HTMLElement,
  begin: (at: MouseEvent) => Drag | undefined,
): () => void {
  let dragging = false;

  function press(event: MouseEvent) {
    if (event.button !== 0) return;
    const drag = dragging ? undefined : begin(event);
    if (!dragging && !drag) return;
    // Neither text is selected nor the focus taken away.
    event.preventDefault();
    if (!drag) return;
    dragging = true;
    const move = (at: MouseEvent) => drag.move(at);
    const end = (ended: Event) => {
      dragging = false;
      removeEventListener('pointermove', move);
      for (const kind of ENDS) removeEventListener(kind, end);
      drag.end(ended.type !== 'pointercancel');
    };
    addEventListener('pointermove', move);
    for (const kind of ENDS) addEventListener(kind, end);
  }

  element.addEventListener('pointerdown', press);
  element.addEventListener('mousedown', press);
  return () => {
    element.removeEventListener('pointerdown', press);
    element.removeEventListener('mousedown', press);
  };
}
