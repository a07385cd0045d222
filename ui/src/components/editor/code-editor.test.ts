// The editor of templates and files: it shows, tells what is typed, and marks faults, without a style
// element in the document.
import { Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { offsetOf, openEditor } from './code-editor';

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
    language: 'jinja',
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

test.each([
  ['one line end', '{\r\n}\r\n'],
  ['another', '{\n}\n'],
  ['a mixture of both', '{\r\n"a": 1\n}\r\n'],
])('a text with %s keeps it', (_, text) => {
  const host = document.body.appendChild(document.createElement('div'));
  const typed: string[] = [];
  const ontype = (words: string) => typed.push(words);
  const editor = openEditor(host, { label: 'Text', language: 'json', text, ontype });
  const content = host.shadowRoot?.querySelector<HTMLElement>('.cm-content');
  const view = content && EditorView.findFromDOM(content);
  view?.dispatch({ changes: { from: 0, insert: '[]' } });
  expect(typed).toEqual([`[]${text}`]);
  expect(content?.textContent).toContain('[]{');
  editor.close();
});

/** Presses a key on an element of the editor; whether the editor took it. */
const press = (target: Element | null | undefined, key: string, ctrlKey = false): boolean => {
  const event = new KeyboardEvent('keydown', {
    key,
    ctrlKey,
    keyCode: key.toUpperCase().charCodeAt(0),
    bubbles: true,
    composed: true,
    cancelable: true,
  });
  target?.dispatchEvent(event);
  return event.defaultPrevented;
};

test('the text is searched and replaced in the editor, and Esc ends that', () => {
  const host = document.body.appendChild(document.createElement('div'));
  const typed: string[] = [];
  const ontype = (words: string) => typed.push(words);
  const editor = openEditor(host, { label: 'Text', language: 'jinja', text: 'a b a', ontype });
  const root = host.shadowRoot;
  const field = (name: string) =>
    root?.querySelector<HTMLInputElement>(`.cm-search [name=${name}]`);
  const fill = (name: string, words: string) => {
    const input = field(name);
    if (!input) throw new Error(name);
    input.value = words;
    input.dispatchEvent(new Event('change'));
  };
  const content = root?.querySelector('.cm-content');
  expect(press(content, 'f', true)).toBe(true);
  fill('search', 'a');
  expect(root?.querySelectorAll('.cm-searchMatch')).toHaveLength(2);
  expect(press(content, 'h', true), 'the key of the deck').toBe(true);
  expect(root?.activeElement).toBe(field('replace'));
  fill('replace', 'c');
  root?.querySelector<HTMLButtonElement>('.cm-search [name=replaceAll]')?.click();
  expect(typed).toEqual(['c b c']);
  expect(press(field('search'), 'Escape')).toBe(true);
  expect(field('search')).toBeNull();
  expect(press(content, 'Escape'), 'left to what is around the editor').toBe(false);
  editor.close();
});
