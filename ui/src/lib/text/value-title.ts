// A name with a value at length, for a tooltip.
import type { ValueLabel } from '../ipc';

/** The name and the detail of a value: behind it, or below it where it is more than the value. */
export function valueTitle(name: string, { text, detail }: ValueLabel): string {
  return `${name}:${detail === text ? ' ' : '\n'}${detail}`;
}
