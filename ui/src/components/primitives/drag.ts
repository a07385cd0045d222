// A drag with the mouse, a pen or a finger, from the press to the release. It begins with a press of
// either kind of event: after a native context menu the engine still takes the right button for held,
// and tells the next press as `mousedown` alone. Esc ends it. A press that has moved is no click.

/** What a drag does. */
export interface Drag {
  move: (at: MouseEvent) => void;
  /** Called once; `dropped` is false when the system or Esc ended it. */
  end: (dropped: boolean) => void;
}

/** A press that moves by less, in pixels, is a click. */
export const THRESHOLD = 4;

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
    let ended = false;
    let moved = false;
    const end = (dropped: boolean) => {
      if (ended) return;
      ended = true;
      removeEventListener('pointermove', move);
      removeEventListener('keydown', cancel, true);
      drag.end(dropped);
    };
    const move = (at: MouseEvent) => {
      const by = Math.hypot(at.clientX - event.clientX, at.clientY - event.clientY);
      moved ||= by >= THRESHOLD;
      drag.move(at);
    };
    const cancel = (key: KeyboardEvent) => {
      if (key.key !== 'Escape') return;
      key.preventDefault();
      key.stopPropagation();
      end(false);
    };
    const release = (event: Event) => {
      dragging = false;
      for (const kind of ENDS) removeEventListener(kind, release);
      if (moved) swallowClick();
      end(event.type !== 'pointercancel');
    };
    addEventListener('pointermove', move);
    addEventListener('keydown', cancel, true);
    for (const kind of ENDS) addEventListener(kind, release);
  }

  element.addEventListener('pointerdown', press);
  element.addEventListener('mousedown', press);
  return () => {
    element.removeEventListener('pointerdown', press);
    element.removeEventListener('mousedown', press);
  };
}

/** Keeps the click of this release from what is under it. It comes at once, or not at all. */
function swallowClick() {
  const swallow = (click: Event) => click.stopPropagation();
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, { capture: true }));
}
