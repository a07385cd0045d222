// A long text of the prompt is drawn in lines of its own, and an edit redraws the lines it is in.
import { render } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, test } from 'vitest';
import { blocksOf, type Block } from '$lib/document/blocks';
import type { Segment } from '$lib/ipc';
import type { PromptEditing } from '$lib/state/prompt-editing.svelte';
import { selectIn, selectionIn } from '$lib/window/text-offsets';
import { fieldDrawer } from '$lib/window/field-drawer';
import PromptBlock from './PromptBlock.svelte';

const TEXT = `${Array.from({ length: 300 }, (_, n) => `Rule ${String(n)}.\n`).join('')}The end.`;
const source = { token: 0, section: 'rules', item: 0, item_name: 'long', field: 'text' };

const blockOf = (text: string): Block => {
  const segments: Segment[] = [
    { text: 'Rules: ', source: { ...source, field: 'pre_context' } },
    { text, source },
    { text: '\n- ', source: { ...source, field: 'tips', entry: 0 }, bullet: true },
    { text: 'Wait.', source: { ...source, field: 'tips', entry: 0 } },
  ];
  return blocksOf(segments)[0] as Block;
};

const open = (text: string) => {
  const props = {
    block: blockOf(text),
    at: 0,
    drawn: true,
    editing: {} as PromptEditing,
    opened: undefined,
    listed: undefined,
    isRolled: () => false,
    onleave: () => undefined,
    onwalk: () => false,
    alternatives: createRawSnippet(() => ({ render: () => '<i></i>' })),
  };
  const { container, rerender } = render(PromptBlock, props);
  const spot = () => container.querySelector('[data-spot="0/1"]') as HTMLElement;
  return { container, spot, redraw: (next: string) => rerender({ block: blockOf(next) }) };
};

test('the text is the prompt, its first and last lines beside what shares them', () => {
  const { container, spot } = open(TEXT);
  expect(container.textContent).toBe(`Rules: ${TEXT}\n- Wait.`);
  expect(spot().textContent).toBe(TEXT);
  const lines = [...spot().querySelectorAll('.lines')];
  expect(lines.length).toBeGreaterThan(5);
  for (const each of lines) expect(each.textContent).toMatch(/\n$/);
  expect(lines[0]?.textContent).not.toContain('Rule 0.');
  expect(lines.at(-1)?.textContent).not.toContain('The end.');
});

test('an edit leaves all other lines as they are', async () => {
  const { spot, redraw } = open(TEXT);
  const nodes = () => [...spot().querySelectorAll('.lines')];
  const before = nodes();
  const texts = before.map((each) => each.textContent);
  const seen: Node[] = [];
  const observer = new MutationObserver((records) => {
    seen.push(...records.map(({ target }) => target));
  });
  observer.observe(spot(), { subtree: true, childList: true, characterData: true });
  await redraw(TEXT.replace('Rule 150.', 'Rule one hundred and fifty.'));
  await Promise.resolve();
  observer.disconnect();
  expect(nodes()).toEqual(before);
  const changed = before.filter((each, index) => each.textContent !== texts[index]);
  expect(changed).toHaveLength(1);
  expect(seen.length).toBeGreaterThan(0);
  for (const node of seen) expect(changed[0]?.contains(node)).toBe(true);
});

test('a short text has no lines of its own', () => {
  expect(open('Rule 1.\nRule 2.').container.querySelectorAll('.lines')).toHaveLength(0);
});

const drawnField = () => {
  const field = document.createElement('div');
  document.body.append(field);
  const draw = fieldDrawer();
  return { field, draw: (text: string) => draw(field, [{ text, source }]) };
};

test('lines of two chunks, which are no blocks, keep the line end between them', () => {
  const { field, draw } = drawnField();
  const text = ['One', 'Two', 'Three'].map((word) => word.repeat(400)).join('\n');
  draw(text);
  expect(field.textContent).toBe(text);
  expect(field.querySelectorAll(':scope > span')).toHaveLength(2);
  expect(field.querySelectorAll('.line-end')).toHaveLength(0);
});

test('a long line is whole in its chunks, drawn and open', () => {
  const line = 'All of it. '.repeat(10_000);
  const text = `First.\n${line}\nLast.`;
  expect(open(text).spot().textContent).toBe(text);
  const { field, draw } = drawnField();
  draw(text);
  expect(field.querySelectorAll('.lines').length).toBeGreaterThan(3);
  expect(field.textContent).toBe(text);
});

test('the open text changes where it was edited, and keeps all nodes', () => {
  const { field, draw } = drawnField();
  draw(TEXT);
  expect(field.textContent).toBe(TEXT);
  const before = [...field.children];
  const observer = new MutationObserver(() => undefined);
  observer.observe(field, { subtree: true, childList: true, characterData: true });
  const edited = TEXT.replace('Rule 150.', 'Rule one hundred and fifty.');
  draw(edited);
  expect(field.textContent).toBe(edited);
  expect([...field.children]).toEqual(before);
  const records = observer.takeRecords();
  expect(records.map(({ type }) => type)).toEqual(['characterData']);
  draw(edited);
  expect(observer.takeRecords()).toEqual([]);
});

test('what an input method wrote into the open text is taken back, also out of its place', () => {
  const { field, draw } = drawnField();
  draw(TEXT);
  const chunks = [...field.children];
  chunks[3]?.append('é');
  chunks[5]?.remove();
  field.append(chunks[6] as Element);
  draw(TEXT);
  expect(field.textContent).toBe(TEXT);
});

test.each([0, 5, TEXT.indexOf('Rule 150'), TEXT.length])('the selection is put at %i', (start) => {
  const { field, draw } = drawnField();
  draw(TEXT);
  for (let at = Math.max(start - 400, 0); at <= start; at += 1) {
    selectIn(field, { start: at, end: at });
    expect(selectionIn(field)).toEqual({ start: at, end: at });
    expect(getSelection()?.anchorNode?.parentElement?.className).not.toBe('line-end');
  }
});
