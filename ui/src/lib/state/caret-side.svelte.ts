// Which of the texts that meet at the caret in an open stretch gets what is typed.
import type { Spot } from '../document/blocks';
import {
  arrivingTarget,
  targetsAt,
  variableOf,
  type CaretTarget,
  type Heading,
} from '../document/caret-target';
import { pieceRange } from '../document/open-spot';
import type { TextRange } from '../document/replacement';

export class CaretSide {
  /** The target at an offset, where it is not the one of a caret that is put there. */
  #chosen = $state.raw<{ at: number; target: number } | undefined>();

  #targetAt(spot: Spot, at: number): CaretTarget | undefined {
    return targetsAt(spot, at)[this.#indexAt(spot, at)];
  }

  /** What a range is typed into; undefined when it covers several pieces. */
  targetOf(spot: Spot, { start, end }: TextRange): CaretTarget | undefined {
    if (start === end) return this.#targetAt(spot, start);
    const range = pieceRange(spot, start, end);
    return range && { kind: 'piece', piece: range.piece, at: range.start };
  }

  #indexAt(spot: Spot, at: number): number {
    const targets = targetsAt(spot, at);
    const chosen = this.#chosen?.at === at ? this.#chosen.target : -1;
    return targets[chosen] ? chosen : arrivingTarget(targets, 0);
  }

  /** Whether texts meet at an offset. */
  isBetween(spot: Spot, at: number): boolean {
    return targetsAt(spot, at).length > 1;
  }

  /** The caret comes to an offset. */
  arrive(spot: Spot, at: number, heading: Heading): void {
    this.#chosen = { at, target: arrivingTarget(targetsAt(spot, at), heading) };
  }

  /** The caret stays in what was typed into: the value of a variable, or a text. */
  stay(spot: Spot, at: number, variable: string | undefined): void {
    const target = targetsAt(spot, at).findIndex((each) => variableOf(each) === variable);
    this.#chosen = { at, target };
  }

  /** Goes to the next text that meets there; false where there is none in that direction. */
  step(spot: Spot, at: number, by: 1 | -1): boolean {
    const target = this.#indexAt(spot, at) + by;
    if (!targetsAt(spot, at)[target]) return false;
    this.#chosen = { at, target };
    return true;
  }

  /** Goes from the edge of a value into the text that names its variable; within a value it stays there. */
  leaveValue(spot: Spot, at: number): void {
    const target = targetsAt(spot, at).findIndex((each) => variableOf(each) === undefined);
    if (target >= 0) this.#chosen = { at, target };
  }

  /** The caret is in the text of a caret that is put there. */
  reset(): void {
    this.#chosen = undefined;
  }
}
