// What Find marks in the tabs whose texts are made of the prompt or answer it: Chat, Request and Run.
import { wordsOfLine } from '../window/found-words';
import type { Wanted } from '../window/word-marks.svelte';
import type { PreviewState } from './preview.svelte';

export function wantedInText({ finding, foundLine }: PreviewState): Wanted | undefined {
  if (!finding) return undefined;
  const { pattern, step } = finding;
  return { pattern, step, current: (root) => foundLine && wordsOfLine(root, foundLine) };
}

/** The same where only answers are: a line of theirs may read as one of the prompt, and prints no hit. */
export function wantedInAnswers({ finding }: PreviewState): Wanted | undefined {
  return finding && { pattern: finding.pattern, step: finding.step, current: () => undefined };
}
