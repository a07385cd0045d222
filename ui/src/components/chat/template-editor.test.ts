// The editor of a template: it shows, tells what is typed, and marks faults, without a style
// element in the document.
import { Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import { offsetOf, openEditor } from './template-editor';

test.each([
  [1, 1, 0],
  [2, 1, 4],
  [2, 3, 7],
  [2, 99, 8],
  [9, 1, 9],
  [0, 0, 0],
])('line %i, column %i is at %i', (line, column, expected) => {
  // The second line holds a character of two units.
  expect(offsetOf(Text.of(['one', 'a𝒳b', 'c']), { line, column })).toBe(expected);
});

test('a programmatic change raises no input event, and styles stay in the shadow root', () => {
  const host = document.body.appendChild(document.createElement('div'));
  const before = document.querySelectorAll('style').length;
  const typed: string[] = [];
  const editor = openEditor(host, {
    label: 'Chat template',
    text: 'one',
    ontype: (text) => typed.push(text),
  });
  const content = host.shadowRoot?.querySelector('.cm-content');
  expect(content?.getAttribute('aria-label')).toBe('Chat template');
  editor.show('{{ two }}');
  expect(content?.textContent).toBe('{{ two }}');
  editor.mark({ line: 1, column: 4, message: 'no' });
  expect(host.shadowRoot?.querySelector('.cm-lintRange-error')?.textContent).toBe('two }}');
  editor.mark(undefined);
  expect(host.shadowRoot?.querySelector('.cm-lintRange-error')).toBeNull();
  expect(typed).toEqual([]);
  expect(document.querySelectorAll('style')).toHaveLength(before);
  editor.close();
});
