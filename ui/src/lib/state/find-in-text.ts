// What Find marks in the tabs whose texts are made of the prompt: Chat, Request and Run.
import { wordsOfLine } from '../window/found-words';
import type { Wanted } from '../window/word-marks.svelte';
import type { PreviewState } from './preview.svelte';

export function wantedInText({ finding, foundLine }: PreviewState): Wanted | undefined {
  if (!finding) return undefined;
  const { pattern, step } = finding;
  return { pattern, step, current: (root) => foundLine && wordsOfLine(root, foundLine) };
}
