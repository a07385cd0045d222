// A text of the prompt that is emptied stays open, is written anew as on its card, and is left to the
// prompt.
import { expect, test } from 'vitest';
import type { Edit, JsonValue, PromptEditRequest, Segment } from '$lib/ipc';
import { at } from '$lib/document/edit';
import { field, input, openSpot, paste, sent, source } from '../../testing/open-text';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';

const PATH = ['registry', 'personas', 'items', 0, 'context'];

const wordsOf = (tree: JsonValue): string => String(at(tree, PATH));

/** Makes a splice of the text that is printed, as the service does. */
function spliced({ edit }: PromptEditRequest): { edits: Edit[]; caret: number } {
  if (edit.kind !== 'replace') throw new Error(edit.kind);
  const { start, end, text } = edit;
  const splice: Edit = { kind: 'splice', path: PATH, at: start, delete: end - start, insert: text };
  return { edits: [splice], caret: start + text.length };
}

/** A window whose prompt is one text, or one and another. */
async function openWith(words: string, other = '') {
  const scene = guides();
  const tree = structuredClone(scene.tree);
  Object.assign(at(tree, PATH.slice(0, -1)) as object, { context: words });
  const segments = (tree: JsonValue): Segment[] => {
    const text = wordsOf(tree);
    const segments = text === '' ? [] : [{ text, source: source('context') }];
    const rest = other === '' ? [] : [{ text: other, source: source('tips', { entry: 0 }) }];
    const glue = segments.length > 0 && rest.length > 0 ? [{ text: '\n\n' }] : [];
    return [...segments, ...glue, ...rest];
  };
  return openStudio({
    ...scene,
    tree,
    editPrompt: spliced,
    preview: (changed) => ({
      ...scene.preview(changed),
      sections: { head: 0, middle: [], tail: 0 },
      rolled: [],
      segments: { head: 0, middle: segments(changed), tail: 0 },
    }),
  });
}

function selectAll(): void {
  const words = field()!.firstChild!;
  getSelection()!.setBaseAndExtent(words, 0, words, words.textContent!.length);
  document.dispatchEvent(new Event('selectionchange'));
}

/** Empties the open text. */
async function empty(): Promise<void> {
  selectAll();
  input('deleteContentBackward');
  await expect.poll(() => field()?.textContent).toBe('');
  expect(document.activeElement).toBe(field());
}

test.each([
  ['the only text', ''],
  ['a text before another', 'Breathe.'],
])('%s that is emptied stays open, and takes what is typed next', async (_name, other) => {
  const { fake } = await openWith('Calm.', other);
  await openSpot('Calm.');
  await empty();
  for (const letter of 'New') input('insertText', letter);
  await expect.poll(() => field()?.textContent).toBe('New');
  expect(wordsOf(fake.tree)).toBe('New');
  expect(sent(fake).map((edit) => edit.kind)).toEqual(['replace', 'replace', 'replace']);
  const types = fake.calls.filter(({ name }) => name === 'apply');
  expect(types.map(({ args }) => (args[1] as { burst: string }).burst)).toEqual([
    'type:registry/personas/items/0/context',
  ]);
});

test('undo, redo and a change elsewhere find the emptied text', async () => {
  await openWith('Calm.');
  await openSpot('Calm.');
  await empty();
  key('z', { ctrlKey: true });
  await expect.poll(() => field()?.textContent).toBe('Calm.');
  key('z', { ctrlKey: true, shiftKey: true });
  await expect.poll(() => field()?.textContent).toBe('');
  input('insertText', 'x');
  await expect.poll(() => field()?.textContent).toBe('x');
});

test('white space waits in an emptied text for the words that follow', async () => {
  const { fake } = await openWith('Calm.');
  await openSpot('Calm.');
  await empty();
  input('insertText', ' ');
  await expect.poll(() => field()?.textContent).toBe(' ');
  paste('two words ');
  await expect.poll(() => wordsOf(fake.tree)).toBe('two words');
  await expect.poll(() => field()?.textContent).toBe('two words ');
});

test('an emptied text that is left leaves the focus in the prompt', async () => {
  await openWith('Calm.', 'Breathe.');
  await openSpot('Calm.');
  await empty();
  key('Escape');
  await expect.poll(field).toBe(null);
  expect(document.activeElement?.textContent).toBe('Breathe.');
  expect(document.activeElement?.getAttribute('role')).toBe('link');
});

/** A window whose prompt is a list of one entry. */
/** A window whose prompt is a list, with its last entry open. */
async function openList(modes: Record<string, JsonValue>, tips = ['Breathe.']) {
  const scene = guides();
  const tree = structuredClone(scene.tree);
  const list = ['registry', 'personas', 'items', 0, 'tips'];
  Object.assign(at(tree, list.slice(0, -1)) as object, { tips });
  Object.assign(at(tree, ['state']) as object, { array_modes: { personas: modes } });
  const entries = (tree: JsonValue) => at(tree, list) as string[];
  const { fake } = await openStudio({
    ...scene,
    tree,
    editPrompt: ({ edit }, changed) => {
      const changedEntries = entries(changed);
      const last = [...list, changedEntries.length - 1];
      if (edit.kind === 'join') {
        const edits: Edit[] = [
          {
            kind: 'set',
            path: [...list, changedEntries.length - 2],
            value: changedEntries.slice(-2).join(''),
          },
          { kind: 'remove', path: last },
        ];
        return { edits, caret: changedEntries.slice(0, -1).join('\n').length };
      }
      if (edit.kind !== 'replace') throw new Error(edit.kind);
      const { start, end, text } = edit;
      const splice = { path: last, at: start, delete: end - start, insert: text };
      return { edits: [{ kind: 'splice', ...splice }], caret: start + text.length };
    },
    preview: (changed) => ({
      ...scene.preview(changed),
      sections: { head: 0, middle: [], tail: 0 },
      rolled: [],
      segments: {
        head: 0,
        tail: 0,
        middle: entries(changed).flatMap((text, entry): Segment[] =>
          text === ''
            ? []
            : [
                ...(entry === 0 ? [] : [{ text: '\n' }]),
                { text, source: source('tips', { entry }) },
              ],
        ),
      },
    }),
  });
  await openSpot(tips.at(-1)!);
  return { fake, entries: () => entries(fake.tree) };
}

test('lines pasted into the emptied only entry of a list become entries, in one step', async () => {
  const { entries } = await openList({});
  await empty();
  paste('- One.\n\n- Two.\n');
  await expect.poll(entries).toEqual(['One.', 'Two.']);
  await expect.poll(() => field()?.textContent).toBe('Two.');
  expect(getSelection()).toMatchObject({ anchorOffset: 4, isCollapsed: true });
  key('z', { ctrlKey: true });
  await expect.poll(entries).toEqual(['']);
});

test('lines pasted into the emptied only entry of a rolled list stay one text', async () => {
  const { entries } = await openList({ tips: 'random:1' });
  await empty();
  paste('One.\nTwo.');
  await expect.poll(entries).toEqual(['One.\nTwo.']);
});

test('the last entry that is joined to the one before is no emptied text', async () => {
  const { entries } = await openList({}, ['Breathe.', 'Wait.']);
  key('Backspace');
  await expect.poll(entries).toEqual(['Breathe.Wait.']);
  await expect.poll(() => field()?.textContent).toBe('Breathe.Wait.');
  expect(getSelection()).toMatchObject({ anchorOffset: 8, isCollapsed: true });
  input('insertText', ' ');
  await expect.poll(entries).toEqual(['Breathe. Wait.']);
});

test('what is typed at the empty prompt of a list without entries is its first entry', async () => {
  const scene = guides();
  const tree = structuredClone(scene.tree);
  const item = ['registry', 'personas', 'items', 1];
  Object.assign(at(tree, item) as object, { tips: [] });
  const entries = (tree: JsonValue) => at(tree, [...item, 'tips']) as string[];
  const tips = (entry: number) => source('tips', { token: 0, item: 1, item_name: 'brisk', entry });
  const { fake, screen } = await openStudio({
    ...scene,
    tree,
    preview: (changed) => ({
      ...scene.preview(changed),
      rolled: [],
      tokens: {
        head: 0,
        middle: [{ token: 'personas.tips', section: 'personas', status: 'dropped' }],
        tail: 0,
      },
      segments: {
        head: 0,
        middle: entries(changed).map((text, entry) => ({ text, source: tips(entry) })),
        tail: 0,
      },
    }),
  });
  const prompt = await screen.findByRole('link', { name: /press here/i });
  prompt.focus();
  key('W');
  await expect.poll(() => entries(fake.tree)).toEqual(['W']);
  await expect.poll(() => field()?.textContent).toBe('W');
});
