// A press counts although the button moved away under the pointer: leaving a field by that press can
// show an error above the button, and WebKit then sees the button released elsewhere and drops the click.

/** How far a pointer may stray between press and release of a click, in pixels. */
const STILL = 4;

/** Clicks buttons that their own press moved; gives what ends that. */
export function clickMovedButtons(root: Document): () => void {
  let pressed: { button: HTMLElement; place: DOMRect; x: number; y: number } | undefined;

  const down = ({ target, button: which, clientX: x, clientY: y }: PointerEvent) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button') : null;
    pressed =
      which === 0 && button ? { button, place: button.getBoundingClientRect(), x, y } : undefined;
  };
  const up = ({ target, clientX, clientY }: PointerEvent) => {
    const before = pressed;
    pressed = undefined;
    if (!before?.button.isConnected) return;
    const { button, place, x, y } = before;
    if (target instanceof Node && button.contains(target)) return;
    const strayed = Math.abs(clientX - x) > STILL || Math.abs(clientY - y) > STILL;
    const now = button.getBoundingClientRect();
    const moved = now.top !== place.top || now.left !== place.left;
    if (moved && !strayed) button.click();
  };
  root.addEventListener('pointerdown', down, true);
  root.addEventListener('pointerup', up, true);
  return () => {
    root.removeEventListener('pointerdown', down, true);
    root.removeEventListener('pointerup', up, true);
  };
}
