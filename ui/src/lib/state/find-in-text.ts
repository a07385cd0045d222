// What Find marks in the tabs whose texts are made of the prompt or answer it: Chat, Request and Run.
import { wordsOfLine } from '../window/found-words';
import type { Wanted } from '../window/word-marks.svelte';
import type { PreviewState } from './preview.svelte';

/** `prompt` selects the text of the prompt where other texts are beside it: a line of a turn may read as
 *  one of the prompt, and prints no hit. */
export function wantedInText(
  { finding, foundLine }: PreviewState,
  prompt?: string,
): Wanted | undefined {
  if (!finding) return undefined;
  const { pattern, step } = finding;
  const current = (root: HTMLElement) => {
    const text = prompt === undefined ? root : root.querySelector(prompt);
    return text && foundLine ? wordsOfLine(text, foundLine) : undefined;
  };
  return { pattern, step, current };
}

/** The same where only answers are: a line of theirs may read as one of the prompt, and prints no hit. */
export function wantedInAnswers({ finding }: PreviewState): Wanted | undefined {
  return finding && { pattern: finding.pattern, step: finding.step, current: () => undefined };
}
