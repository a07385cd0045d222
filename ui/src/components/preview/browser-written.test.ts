// What the browser or an input method writes into the open text of the prompt itself: it stays where the prompt
// has the same, and goes where it is refused or given up.
import { tick } from 'svelte';
import { expect, test } from 'vitest';
import { selectionIn } from '$lib/window/text-offsets';
import { field, input, note, openSpot, sent } from '../../testing/open-text';
import { openTips } from '../../testing/open-tips';

/** Writes with an input method: over the selection, or given up, which takes everything back. */
function compose(words: string, end: 'commit' | 'cancel' = 'commit'): void {
  const open = field();
  const range = getSelection()?.getRangeAt(0);
  if (!open || !range) throw new Error('nothing is open');
  const fire = (name: string, data: string) =>
    open.dispatchEvent(new CompositionEvent(name, { data, bubbles: true }));
  fire('compositionstart', '');
  const node = document.createTextNode('');
  range.deleteContents();
  range.insertNode(node);
  for (let length = 1; length <= words.length; length += 1) {
    node.data = words.slice(0, length);
    fire('compositionupdate', node.data);
    input('insertCompositionText', node.data);
  }
  if (end === 'cancel') node.data = '';
  fire('compositionend', node.data);
}

/** Records of what changed in the open text. */
function watchField(): MutationObserver {
  const observer = new MutationObserver(() => undefined);
  observer.observe(field()!, { subtree: true, childList: true, characterData: true });
  return observer;
}

test('a letter that the browser wrote is left as it is when the prompt has the same', async () => {
  const { fake, shown } = await openTips(() => {
    shown.tips = ['Bxreathe.', 'Wait.'];
    return { edits: [], caret: 15 };
  });
  await openSpot('Breathe.');
  getSelection()?.collapse(field()!.firstChild, 1);
  const node = field()!.firstChild as Text;
  input('insertText', 'x');
  expect(node.data).toBe('Bxreathe.');
  const changes = watchField();
  await expect.poll(() => sent(fake)).toHaveLength(1);
  expect(sent(fake)[0]).toEqual({ kind: 'replace', segment: 5, start: 1, end: 1, text: 'x' });
  await expect.poll(() => document.querySelector('.prompt')?.textContent).toContain('Bxreathe.');
  expect(changes.takeRecords()).toEqual([]);
  expect(field()!.firstChild).toBe(node);
  expect(selectionIn(field()!)).toEqual({ start: 2, end: 2 });
});

test('a letter that the browser wrote goes when the core refuses it, and its reason stays', async () => {
  await openTips(() => {
    throw { code: 'prompt_other_text', message: 'this would change other text' };
  });
  await openSpot('Breathe.');
  getSelection()?.collapse(field()!.firstChild, 3);
  document.dispatchEvent(new Event('selectionchange'));
  await tick();
  input('insertText', 'x');
  document.dispatchEvent(new Event('selectionchange'));
  await expect.poll(() => field()?.textContent).toBe('Breathe.');
  expect(selectionIn(field()!)).toEqual({ start: 3, end: 3 });
  document.dispatchEvent(new Event('selectionchange'));
  await expect.poll(note).toContain('This would change other text');
});

test('letters that follow one on its way arrive in their order', async () => {
  const { fake, shown } = await openTips(({ edit }) => {
    if (edit.kind !== 'replace') throw new Error(edit.kind);
    const [first = ''] = shown.tips;
    shown.tips = [first.slice(0, edit.start) + edit.text + first.slice(edit.end), 'Wait.'];
    return { edits: [], caret: 13 + edit.start + 1 };
  });
  await openSpot('Breathe.');
  getSelection()?.collapse(field()!.firstChild, 3);
  for (const letter of 'abc') input('insertText', letter);
  await expect.poll(() => sent(fake)).toHaveLength(3);
  await expect.poll(() => field()?.textContent).toBe('Breabcathe.');
  expect(selectionIn(field()!)).toEqual({ start: 6, end: 6 });
});

test('what an input method writes lands once, when its word is finished', async () => {
  const { fake, shown } = await openTips(() => {
    shown.tips = ['日本Breathe.', 'Wait.'];
    return { edits: [], caret: 15 };
  });
  await openSpot('Breathe.');
  compose('日本');
  await expect.poll(() => field()?.textContent).toBe('日本Breathe.');
  expect(sent(fake)).toEqual([{ kind: 'replace', segment: 5, start: 0, end: 0, text: '日本' }]);
});

test('a word that an input method gives up leaves the text and sends nothing', async () => {
  const { fake } = await openTips(() => ({ edits: [], caret: 0 }));
  await openSpot('Breathe.');
  compose('にほん', 'cancel');
  expect(field()?.textContent).toBe('Breathe.');
  input('insertText', 'x');
  await expect.poll(() => sent(fake).length).toBe(1);
  expect(sent(fake)[0]).toMatchObject({ text: 'x', start: 0, end: 0 });
});

test('an input method begins where letters still on their way will stand', async () => {
  const { fake, shown } = await openTips(({ edit }) => {
    if (edit.kind === 'replace' && edit.text === 'a') shown.tips = ['aBreathe.', 'Wait.'];
    return { edits: [], caret: 14 };
  });
  await openSpot('Breathe.');
  input('insertText', 'a');
  compose('é');
  await expect.poll(() => sent(fake).length).toBe(2);
  expect(sent(fake)[1]).toEqual({ kind: 'replace', segment: 5, start: 1, end: 1, text: 'é' });
});
