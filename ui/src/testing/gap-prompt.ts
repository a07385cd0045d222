// A prompt of the page's tests whose text has a variable without a value, and a tip below it.
import { at } from '$lib/document/edit';
import type { Edit, JsonValue, Segment } from '$lib/ipc';
import { guides } from './guides';
import { field, source } from './open-text';
import { openStudio } from './studio';

const CONTEXT = ['registry', 'personas', 'items', 0, 'context'];
const TIP = ['registry', 'personas', 'items', 0, 'tips', 0];
const GAP = '{mood}';

/** What a text prints in which `mood` is a variable without a value. */
function printed(text: string): Segment[] {
  const at = text.indexOf(GAP);
  if (at < 0) return text === '' ? [] : [{ text, source: source('context') }];
  const [before, after] = [text.slice(0, at), text.slice(at + GAP.length)];
  return [
    ...(before === '' ? [] : [{ text: before, source: source('context') }]),
    { text: '', source: source('context', { variable: 'mood' }) },
    ...(after === '' ? [] : [{ text: after, source: source('context'), start: at + GAP.length }]),
  ];
}

/** A window whose prompt is a text and a tip. */
export async function openText(text: string) {
  const scene = guides();
  const tree = structuredClone(scene.tree);
  const item = at(tree, CONTEXT.slice(0, -1)) as Record<string, JsonValue>;
  Object.assign(item, { context: text, tips: ['Breathe.'] });
  const segments = (tree: JsonValue): Segment[] => [
    ...printed(at(tree, CONTEXT) as string),
    { text: '\n' },
    { text: at(tree, TIP) as string, source: source('tips', { entry: 0 }) },
  ];
  const opened = await openStudio({
    ...scene,
    tree,
    editPrompt: ({ edit }, tree) => {
      if (edit.kind !== 'replace') throw new Error(edit.kind);
      const all = segments(tree);
      const piece = all[edit.segment] as Segment;
      const path = piece.source?.field === 'tips' ? TIP : CONTEXT;
      const start = (piece.start ?? 0) + edit.start;
      const splice = { path, at: start, delete: edit.end - edit.start, insert: edit.text };
      const edits: Edit[] = [{ kind: 'splice', ...splice }];
      const before = all.slice(0, edit.segment).reduce((sum, { text }) => sum + text.length, 0);
      const value = at(tree, path) as string;
      const written = value.slice(0, start) + edit.text;
      const caret = before + edit.start + edit.text.length;
      if (!written.endsWith(GAP)) return { edits, caret };
      return { edits, caret: written.length - GAP.length, caret_behind: 'mood' };
    },
    preview: (tree) => ({
      ...scene.preview(tree),
      sections: { head: 0, middle: [], tail: 0 },
      rolled: [],
      segments: { head: 0, middle: segments(tree), tail: 0 },
    }),
  });
  return { ...opened, text: () => at(opened.fake.tree, CONTEXT) as string };
}

/** Puts the caret into the open text, as a press does. */
export const caretTo = (offset: number): void => {
  getSelection()?.collapse(field()?.firstChild ?? null, offset);
  document.dispatchEvent(new Event('selectionchange'));
};
