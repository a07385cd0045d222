import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepNoBreakSpaces } from './exact-copy';

const put: string[] = [];
let stop = (): void => undefined;

beforeEach(() => {
  put.length = 0;
  stop = keepNoBreakSpaces(document, (text) => put.push(text));
});
afterEach(() => {
  stop();
  document.body.innerHTML = '';
});

/** Copies or cuts in an element; `written` is what its own handler gives the clipboard. */
async function copy(target: Element, kind = 'copy', written?: string): Promise<void> {
  const event = new Event(kind, { bubbles: true, cancelable: true });
  Object.assign(event, { clipboardData: { getData: () => written ?? '' } });
  if (written !== undefined) event.preventDefault();
  target.dispatchEvent(event);
  await new Promise((resolve) => setTimeout(resolve));
}

function area(value: string, start: number, end: number): HTMLTextAreaElement {
  const field = document.createElement('textarea');
  document.body.append(field);
  field.value = value;
  field.setSelectionRange(start, end);
  return field;
}

test('the selection of a field is put with its no-break spaces', async () => {
  await copy(area('1 a\u00a0b 2', 2, 5), 'cut');
  expect(put).toEqual(['a\u00a0b']);
});

test('so is what a handler wrote, and selected text of the page', async () => {
  document.body.innerHTML = '<p>12\u00a0km</p>';
  const line = document.querySelector('p')!;
  await copy(line, 'copy', 'ten\u00a0km');
  getSelection()!.selectAllChildren(line);
  await copy(line);
  expect(put).toEqual(['ten\u00a0km', '12\u00a0km']);
});

test('text without them is left to the browser', async () => {
  await copy(area('1 a\u00a0b 2', 0, 2));
  expect(put).toEqual([]);
});
