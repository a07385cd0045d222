// One row of a list to choose from.

/** A value with the words shown for it. */
export interface Option<T extends string = string> {
  value: T;
  label: string;
  /** Quiet words at the row's end. */
  hint?: string;
}
