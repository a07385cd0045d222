// A text too long for a textarea: typed, composed, cut and changed elsewhere.
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, test } from 'vitest';
import { selectIn, selectionIn } from '$lib/window/text-offsets';
import ProseField from './ProseField.svelte';

const TEXT = `${Array.from({ length: 1_500 }, (_, n) => `Rule ${String(n)} of {venue}.\n`).join('')}End.`;

function open(value = TEXT, wrong: string[] = []) {
  const typed: string[] = [];
  const props = {
    label: 'rules.long.text',
    anchor: 'rules/0/text',
    value,
    prose: true,
    invalid: false,
    wrong,
    ontype: (next: string) => {
      typed.push(next);
      void show(next);
    },
  };
  const { rerender } = render(ProseField, { props });
  const show = (next: string) => rerender({ value: next });
  const field = () => screen.getByRole('textbox', { name: 'rules.long.text' });
  return { typed, show, field };
}

/** Puts the selection into a field that has the focus. */
async function select(field: HTMLElement, start: number, end = start): Promise<void> {
  field.focus();
  selectIn(field, { start, end });
  document.dispatchEvent(new Event('selectionchange'));
  await tick();
}

function input(field: HTMLElement, inputType: string, data?: string): void {
  const event = new InputEvent('beforeinput', {
    inputType,
    bubbles: true,
    cancelable: true,
    data: data ?? null,
  });
  Object.assign(event, { getTargetRanges: () => [] });
  field.dispatchEvent(event);
}

test('what is typed, pasted or deleted becomes the value, and the caret follows', async () => {
  const { typed, field } = open();
  const at = TEXT.indexOf('Rule 700');
  await select(field(), at);
  input(field(), 'insertText', 'So ');
  await tick();
  expect(typed.at(-1)).toBe(`${TEXT.slice(0, at)}So ${TEXT.slice(at)}`);
  expect(field().textContent).toBe(typed.at(-1));
  expect(selectionIn(field())).toEqual({ start: at + 3, end: at + 3 });
  input(field(), 'insertParagraph');
  await tick();
  expect(typed.at(-1)).toBe(`${TEXT.slice(0, at)}So \n${TEXT.slice(at)}`);
  await select(field(), at, at + 4);
  input(field(), 'deleteContentBackward');
  await tick();
  expect(typed.at(-1)).toBe(TEXT);
});

test('a change elsewhere is shown, and the caret stays at its words', async () => {
  const { show, field } = open();
  const at = TEXT.indexOf('Rule 800');
  await select(field(), at);
  const longer = TEXT.replace('Rule 700', 'Rule seven hundred');
  await show(longer);
  const ruleStart = longer.indexOf('Rule 800');
  expect(selectionIn(field())).toEqual({ start: ruleStart, end: ruleStart });
});

test('a word of an input method becomes the value once, when it is finished', async () => {
  const { typed, field } = open();
  await select(field(), 0);
  await fireEvent.compositionStart(field());
  const [first] = [...field().querySelectorAll('.words')].map((words) => words.firstChild);
  (first as Text).data = `né ${(first as Text).data}`;
  expect(typed).toEqual([]);
  await fireEvent.compositionEnd(field());
  expect(typed).toEqual([`né ${TEXT}`]);
  expect(field().textContent).toBe(`né ${TEXT}`);
});

test('lines are cut with their ends', async () => {
  const { typed, field } = open();
  const end = TEXT.indexOf('Rule 90 ');
  await select(field(), 0, end);
  const data = { text: '' };
  await fireEvent.cut(field(), {
    clipboardData: { setData: (_: string, text: string) => (data.text = text) },
  });
  expect(data.text).toBe(TEXT.slice(0, end));
  expect(typed).toEqual([TEXT.slice(end)]);
});

test('wrong words are marked', () => {
  const { field } = open(TEXT, ['{venue}']);
  expect(field().querySelectorAll('.undeclared-name')).toHaveLength(1_500);
});

test('a short text that grows stays a textarea until the focus leaves it', async () => {
  const { show, field } = open('Short.');
  const area = field();
  expect(area).toBeInstanceOf(HTMLTextAreaElement);
  area.focus();
  await show(TEXT);
  expect(field()).toBe(area);
  area.blur();
  await tick();
  expect(field()).not.toBeInstanceOf(HTMLTextAreaElement);
  expect(field().tabIndex).toBe(0);
});

test('the field undoes and redoes its own steps where it is asked to', async () => {
  const { typed, field } = open();
  await select(field(), 0);
  for (const letter of 'So') {
    input(field(), 'insertText', letter);
    await tick();
  }
  input(field(), 'historyUndo');
  await tick();
  expect(typed.at(-1)).toBe(TEXT);
  expect(selectionIn(field())).toEqual({ start: 0, end: 0 });
  input(field(), 'historyRedo');
  await tick();
  expect(typed.at(-1)).toBe(`So${TEXT}`);
  expect(selectionIn(field())).toEqual({ start: 2, end: 2 });
});
