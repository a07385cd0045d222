// The prompt of the page's tests with a text that is open for editing: what is typed into it, and what is
// sent for that.
import { within } from '@testing-library/svelte';
import { expect } from 'vitest';
import type { TextRange } from '$lib/document/replacement';
import type { Edit, PromptEditRequest, Segment } from '$lib/ipc';
import { pointAt } from '$lib/window/text-offsets';
import type { FakeBackend } from './fake-backend';
import { guides } from './guides';
import { key, openStudio } from './studio';

export const source = (field: string, more = {}) => ({
  token: field === 'context' ? 0 : 1,
  section: 'personas',
  item: 0,
  item_name: 'calm',
  field,
  ...more,
});

export type Answer = (request: PromptEditRequest) => {
  edits: Edit[];
  caret: number;
  caret_behind?: string;
};

/** A window whose prompt is made of these segments. */
export async function openPrompt(
  middle: Segment[],
  answer: Answer = () => ({ edits: [], caret: 0 }),
) {
  const scene = guides();
  return openStudio({
    ...scene,
    editPrompt: answer,
    preview: (tree) => ({
      ...scene.preview(tree),
      rolled: [],
      segments: { head: 0, middle, tail: 0 },
    }),
  });
}

export const sent = (fake: FakeBackend): PromptEditRequest['edit'][] =>
  fake.calls
    .filter(({ name }) => name === 'editPrompt')
    .map(({ args }) => (args[1] as PromptEditRequest).edit);

export const field = () => document.querySelector<HTMLElement>('[role=textbox].open');

function rangeOf(open: HTMLElement, { start, end }: TextRange): StaticRangeInit {
  const [startContainer, startOffset] = pointAt(open, start);
  const [endContainer, endOffset] = pointAt(open, end);
  return { startContainer, startOffset, endContainer, endOffset };
}

/** Input of a kind into the open text, which the browser writes unless it is kept from it. */
export function input(inputType: string, data?: string, target?: TextRange): void {
  const open = field();
  const ranges = () => (open && target ? [rangeOf(open, target)] : []);
  const eventOf = (type: string, cancelable: boolean) => {
    const init = { inputType, bubbles: true, cancelable, ...(data === undefined ? {} : { data }) };
    return Object.assign(new InputEvent(type, init), { getTargetRanges: ranges });
  };
  const isAllowed = open?.dispatchEvent(eventOf('beforeinput', true));
  if (isAllowed !== true || inputType !== 'insertText' || data === undefined) return;
  const { anchorNode, anchorOffset = 0 } = getSelection() ?? {};
  (anchorNode as Text).insertData(anchorOffset, data);
  getSelection()?.collapse(anchorNode as Text, anchorOffset + data.length);
  field()?.dispatchEvent(eventOf('input', false));
}

/** Pastes into the open text. */
export function paste(words: string): void {
  const clipboardData = { getData: () => words, files: [] };
  const event = new Event('paste', { bubbles: true, cancelable: true });
  field()?.dispatchEvent(Object.assign(event, { clipboardData }));
}

export async function openSpot(words: string) {
  const prompt = document.querySelector<HTMLElement>('[aria-label="Evaluated prompt"]');
  const spot = within(prompt as HTMLElement)
    .getAllByRole('link')
    .find(({ textContent }) => textContent?.includes(words));
  spot?.focus();
  key('Enter');
  await expect.poll(() => document.activeElement === field()).toBe(true);
}

/** The note at the caret. */
export const note = () => document.querySelector('.prompt .reason')?.textContent;
