// What is said of a piece of the prompt that can't be edited there.

/** The words of a reason, and the ways to where its text is made. */
export interface Reason {
  title: string;
  detail: string;
  ways: { label: string; go: () => void }[];
}
