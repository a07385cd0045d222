/** Calls back once the next frame is drawn. */
export function afterFrame(done: () => void): void {
  requestAnimationFrame(() => setTimeout(done));
}
