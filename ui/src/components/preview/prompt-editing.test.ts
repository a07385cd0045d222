// The prompt edited where it is printed: what is sent for what is typed, what a refusal does, and how
// the open text follows the prompt.
import { fireEvent } from '@testing-library/svelte';
import { tick } from 'svelte';
import { expect, test } from 'vitest';
import { selectIn, selectionIn } from '$lib/window/text-offsets';
import { guides } from '../../testing/guides';
import { field, input, note, openSpot, paste, sent, source } from '../../testing/open-text';
import { openTips } from '../../testing/open-tips';
import { key, openStudio } from '../../testing/studio';

test('Enter opens a text in place, and what is typed is sent as a splice of its segment', async () => {
  const { fake, shown } = await openTips(() => {
    shown.tips = ['xBreathe.', 'Wait.'];
    return { edits: [], caret: 14 };
  });
  await openSpot('Breathe.');
  expect(field()?.textContent).toBe('Breathe.');
  expect(field()?.getAttribute('aria-label')).toBe('personas.calm.tips[0], printed text');
  input('insertText', 'x');
  await expect.poll(() => field()?.textContent).toBe('xBreathe.');
  expect(sent(fake)).toEqual([{ kind: 'replace', segment: 5, start: 0, end: 0, text: 'x' }]);
  key('Escape');
  await expect.poll(field).toBe(null);
  expect(document.activeElement?.textContent).toBe('- xBreathe.');
});

test('what was typed before Esc is made, however late', async () => {
  const { fake, shown } = await openTips(({ edit }) => {
    if (edit.kind === 'replace') shown.tips = [`${edit.text}Breathe.`, 'Wait.'];
    return { edits: [], caret: 14 };
  });
  await openSpot('Breathe.');
  for (const letter of 'abc') input('insertText', letter);
  key('Escape');
  await expect.poll(field).toBe(null);
  expect(sent(fake).map((edit) => edit.kind === 'replace' && edit.text)).toEqual(['a', 'b', 'c']);
});

/** Opens a text into which words are typed, with the caret at an offset. */
async function openAt(caret: number) {
  let words = 'Breathe.';
  const opened = await openTips(({ edit }) => {
    if (edit.kind !== 'replace') throw new Error(edit.kind);
    words = words.slice(0, edit.start) + edit.text + words.slice(edit.end);
    opened.shown.tips = [words, 'Wait.'];
    return { edits: [], caret: 13 + edit.start + edit.text.length };
  });
  await openSpot('Breathe.');
  const select = (start: number, end: number) => {
    selectIn(field()!, { start, end });
    document.dispatchEvent(new Event('selectionchange'));
  };
  select(caret, caret);
  await tick();
  return { select, words: () => words };
}

const selection = () => selectionIn(field()!);

test.each([
  ['that the browser wrote', 2, 'Brxeathe.'],
  ['at the start', 0, 'xBreathe.'],
])('what is selected while a letter %s is on its way stays selected', async (_, caret, typed) => {
  const { select, words } = await openAt(caret);
  input('insertText', 'x');
  select(0, field()!.textContent.length);
  await expect.poll(words).toBe(typed);
  await expect.poll(selection).toMatchObject({ start: 0, end: 9 });
  await tick();
  expect(selection()).toMatchObject({ start: 0, end: 9 });
  input('insertText', 'z');
  await expect.poll(() => field()?.textContent).toBe('z');
});

test('keys after letters that are on their way come after them', async () => {
  const { select, words } = await openAt(2);
  input('insertText', 'x');
  input('insertText', 'y');
  select(0, field()!.textContent.length);
  input('insertText', 'zest');
  select(0, 2);
  input('deleteContentBackward');
  await expect.poll(() => field()?.textContent).toBe('st');
  expect(words()).toBe('st');
});

test('keys that delete before the answer to one of them take one letter after the other', async () => {
  const { words } = await openAt(4);
  // What the browser names is beside the caret that it draws.
  for (let presses = 0; presses < 3; presses += 1)
    input('deleteContentBackward', undefined, { start: 3, end: 4 });
  await expect.poll(words).toBe('Bthe.');
  await expect.poll(selection).toMatchObject({ start: 1, end: 1 });
  for (let presses = 0; presses < 2; presses += 1)
    input('deleteContentForward', undefined, { start: 1, end: 2 });
  await expect.poll(words).toBe('Be.');
});

test('a part that is selected while a letter is on its way stays selected', async () => {
  const { select, words } = await openAt(0);
  input('insertText', 'x');
  select(2, 4);
  await expect.poll(words).toBe('xBreathe.');
  await expect.poll(selection).toMatchObject({ start: 3, end: 5 });
});

test('a refused edit changes nothing, and says why at the caret until the next key', async () => {
  const { screen } = await openTips(() => {
    throw {
      code: 'prompt_other_text',
      message: 'this would change other text; edit it on its card',
    };
  });
  await openSpot('Breathe.');
  input('insertText', 'x');
  await expect.poll(note).toContain('This would change other text');
  expect(note()).toContain('Go to its field');
  expect(field()?.textContent).toBe('Breathe.');
  // The line below the prompt says it as well, and only one of the two is read out.
  const announcements = screen
    .getAllByText(/This would change other text/)
    .map((words) => words.closest('[role=status]'))
    .filter((region) => region?.getAttribute('aria-live') !== 'off');
  expect(announcements).toHaveLength(1);
  key('Shift');
  expect(note()).toBeDefined();
  key('End');
  await expect.poll(note).toBeUndefined();
  input('insertText', 'x');
  await expect.poll(note).toBeDefined();
  getSelection()?.collapse(field()!.firstChild, 2);
  document.dispatchEvent(new Event('selectionchange'));
  await expect.poll(note).toBeUndefined();
});

test('what is typed at a text that is not open opens it and goes into it', async () => {
  const { fake } = await openTips(() => ({ edits: [], caret: 25 }));
  textOf((words) => words === 'Wait.')
    .parentElement!.closest<HTMLElement>('[role=link]')!
    .focus();
  key('N');
  await expect.poll(() => sent(fake)).toHaveLength(1);
  expect(sent(fake)[0]).toMatchObject({ kind: 'replace', start: 0, end: 0, text: 'N' });
  expect(field()?.textContent).toBe('Wait.');
});

test('a selection over several fields that is made by the pointer ends the editing of another', async () => {
  await openTips(() => ({ edits: [], caret: 0 }));
  await openSpot('Breathe.');
  const [first, last] = [
    textOf((words) => words === 'Calm '),
    textOf((words) => words === 'Wait.'),
  ];
  getSelection()!.setBaseAndExtent(first, 1, last, 3);
  await fireEvent.click(last.parentElement!);
  await expect.poll(field).toBeNull();
  key('ArrowRight');
  await expect.poll(() => field()?.textContent).toBe('Wait.');
  expect(selectionIn(field()!)).toEqual({ start: 3, end: 3 });
});

test('the note of a refused selection goes with the selection', async () => {
  await openTips(() => {
    throw { code: 'prompt_slider', message: '8 is made by the slider' };
  });
  const [first, last] = [
    textOf((words) => words === 'Calm '),
    textOf((words) => words === 'Wait.'),
  ];
  first.parentElement!.closest<HTMLElement>('[role=link]')!.focus();
  getSelection()!.setBaseAndExtent(first, 1, last, 3);
  key('x');
  await expect.poll(note).toBeDefined();
  getSelection()!.collapse(last, 3);
  document.dispatchEvent(new Event('selectionchange'));
  await expect.poll(note).toBeUndefined();
});

test('white space the prompt does not hold waits for what follows it', async () => {
  const { fake, shown } = await openTips(({ edit }) => {
    if (edit.kind === 'replace' && edit.text.trim() === '') {
      throw { code: 'prompt_whitespace', message: 'the prompt prints no further white space' };
    }
    shown.tips = ['Breathe.', ' on'];
    return { edits: [], caret: 0 };
  });
  await openSpot('Wait.');
  input('insertText', ' ');
  await expect.poll(() => field()?.textContent).toBe(' Wait.');
  input('insertText', 'on');
  await expect.poll(() => sent(fake).length).toBe(2);
  expect(sent(fake).at(-1)).toEqual({ kind: 'replace', segment: 8, start: 0, end: 0, text: ' on' });
});

test('Enter splits an entry, and Backspace at its start joins it to the one before', async () => {
  const { fake, shown } = await openTips(({ edit }) => {
    shown.tips = edit.kind === 'split' ? ['', 'Breathe.', 'Wait.'] : ['Breathe.', 'Wait.'];
    return { edits: [], caret: edit.kind === 'split' ? 16 : 13 };
  });
  await openSpot('Breathe.');
  key('Enter');
  await expect.poll(() => sent(fake)).toEqual([{ kind: 'split', segment: 5, at: 0, lines: '' }]);
  // The caret is in the new entry, which has the rest of the text; its bullet is its first segment.
  await expect.poll(() => field()?.getAttribute('aria-label')).toContain('tips[1]');
  key('Backspace');
  await expect.poll(() => sent(fake).at(-1)).toEqual({ kind: 'join', segment: 6 });
});

test('Backspace deletes a letter that was just typed at the start, before the prompt has it', async () => {
  const { fake, shown } = await openTips(({ edit }) => {
    const words = edit.kind === 'replace' ? edit.text : '';
    shown.tips = [`${words}Breathe.`, 'Wait.'];
    return { edits: [], caret: 13 + words.length };
  });
  await openSpot('Breathe.');
  input('insertText', 'x');
  key('Backspace');
  await expect.poll(() => sent(fake).length).toBe(2);
  expect(sent(fake)).toEqual([
    { kind: 'replace', segment: 5, start: 0, end: 0, text: 'x' },
    { kind: 'replace', segment: 5, start: 0, end: 1, text: '' },
  ]);
  await expect.poll(() => field()?.textContent).toBe('Breathe.');
});

test('Delete joins the next entry where the edits before it leave the caret at the end', async () => {
  const { fake, shown } = await openTips(({ edit }) => {
    if (edit.kind === 'replace') shown.tips = ['Breathe', 'Wait.'];
    return { edits: [], caret: 20 };
  });
  await openSpot('Breathe.');
  selectIn(field()!, { start: 7, end: 7 });
  document.dispatchEvent(new Event('selectionchange'));
  await tick();
  input('deleteContentForward', undefined, { start: 7, end: 8 });
  key('Delete');
  await expect.poll(() => sent(fake).length).toBe(2);
  expect(sent(fake)).toEqual([
    { kind: 'replace', segment: 5, start: 7, end: 8, text: '' },
    { kind: 'join', segment: 7 },
  ]);
});

test('Ctrl+Enter in an open text leads to its field and runs nothing', async () => {
  const { fake } = await openTips(() => ({ edits: [], caret: 0 }));
  await openSpot('Breathe.');
  key('Enter', { ctrlKey: true });
  await expect.poll(() => document.activeElement?.matches('textarea')).toBe(true);
  expect(fake.calls.filter(({ name }) => name === 'startRuns')).toEqual([]);
});

test('Delete at the end of a text says that what joins it to the next is no text', async () => {
  const { fake } = await openTips(() => ({ edits: [], caret: 0 }));
  await openSpot('Calm here.');
  selectIn(field()!, { start: 10, end: 10 });
  document.dispatchEvent(new Event('selectionchange'));
  await tick();
  key('Delete');
  await expect.poll(note).toBeDefined();
  expect(sent(fake)).toEqual([]);
});

test('lines that are pasted into an entry become entries; where that is refused, one text', async () => {
  const rolled = { code: 'prompt_mode', message: 'its mode is random:2' };
  let isRolled = false;
  const { fake, shown } = await openTips(({ edit }) => {
    if (edit.kind === 'split' && isRolled) throw rolled;
    if (edit.kind === 'split') shown.tips = ['One.', 'Two.', 'Breathe.', 'Wait.'];
    return { edits: [], caret: 13 };
  });
  await openSpot('Breathe.');
  paste('One.\r\nTwo.\n');
  const split = { kind: 'split', segment: 5, at: 0, lines: 'One.\nTwo.\n' };
  await expect.poll(() => sent(fake)).toEqual([split]);
  await expect.poll(() => field()?.textContent).toBe('One.');
  paste('words');
  await expect.poll(() => sent(fake).at(-1)).toMatchObject({ kind: 'replace', text: 'words' });
  isRolled = true;
  paste('a\nb');
  await expect.poll(() => sent(fake).at(-1)).toMatchObject({ kind: 'replace', text: 'a\nb' });
});

test('arrows lead from one text to the next, past what joins them', async () => {
  await openTips(() => ({ edits: [], caret: 0 }));
  await openSpot('Wait.');
  key('ArrowLeft');
  await expect.poll(() => field()?.textContent).toBe('Breathe.');
  key('ArrowRight');
  await expect.poll(() => field()?.textContent).toBe('Wait.');
});

test('a selection made backwards grows at its start', async () => {
  await openTips(() => ({ edits: [], caret: 0 }));
  await openSpot('Breathe.');
  const selection = getSelection()!;
  const words = field()!.firstChild!;
  for (const focus of [4, 3, 2]) {
    // What Shift+Left does: the anchor stays.
    const { anchorNode, anchorOffset } = selection;
    const isFirst = focus === 4;
    selection.setBaseAndExtent(
      isFirst ? words : anchorNode!,
      isFirst ? 5 : anchorOffset,
      words,
      focus,
    );
    document.dispatchEvent(new Event('selectionchange'));
    await new Promise((done) => setTimeout(done, 20));
    expect([selection.anchorOffset, selection.focusOffset]).toEqual([5, focus]);
    // The text is not drawn again: the browser would forget the column of the caret.
    expect(selection.focusNode).toBe(words);
  }
});

test('words over a variable are replaced as one edit, and a part of a value says why not', async () => {
  const partOfValue = { code: 'prompt_part_of_value', message: 'a part of the value is selected' };
  const { fake } = await openTips(({ edit }) => {
    if (edit.kind === 'replace_passage' && edit.end === 2) throw partOfValue;
    return { edits: [], caret: 2 };
  });
  await openSpot('Calm');
  const select = (end: number) => {
    const parts = [...field()!.childNodes].map((node) => node.firstChild ?? node);
    const last = parts[1] as Text;
    getSelection()!.setBaseAndExtent(parts[0]!, 2, last, end);
    document.dispatchEvent(new Event('selectionchange'));
  };
  select(2);
  input('deleteContentBackward');
  await expect.poll(note).toContain('A part of the value is selected');
  select(4);
  input('insertText', 'x');
  const edit = { kind: 'replace_passage', segment: 0, start: 2, last: 1, end: 4, text: 'x' };
  await expect.poll(() => sent(fake).at(-1)).toEqual(edit);
});

test('Enter over selected words deletes them and splits the entry', async () => {
  const { fake } = await openTips(() => ({ edits: [], caret: 13 }));
  await openSpot('Breathe.');
  const words = field()!.firstChild!;
  getSelection()!.setBaseAndExtent(words, 1, words, 3);
  document.dispatchEvent(new Event('selectionchange'));
  key('Enter');
  await expect
    .poll(() => sent(fake))
    .toEqual([
      { kind: 'replace', segment: 5, start: 1, end: 3, text: '' },
      { kind: 'split', segment: 5, at: 0, lines: '' },
    ]);
});

/** A press in the empty part of a block, where the engine finds a caret at a point of a text. */
async function pressBeside(node: Node, offset: number): Promise<boolean> {
  const range = document.createRange();
  range.setStart(node, offset);
  Object.assign(document, { caretRangeFromPoint: () => range });
  // A press begins a selection of its own.
  getSelection()?.collapse(node, offset);
  const block = node.parentElement?.closest('.block') as HTMLElement;
  const isKept = !(await fireEvent.mouseDown(block, { button: 0 }));
  await fireEvent.click(block);
  return isKept;
}

/** The last text of the prompt of which something holds. */
function textOf(holds: (words: string) => boolean): Text {
  const prompt = document.querySelector('[aria-label="Evaluated prompt"]') as HTMLElement;
  const walker = document.createTreeWalker(prompt, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) found.push(node as Text);
  return found.findLast(({ data }) => holds(data)) as Text;
}

test('a press right of a line puts the caret at its end, also while another text is open', async () => {
  const { fake, shown } = await openTips(() => {
    shown.tips = ['Breathe.', 'Wait.!'];
    return { edits: [], caret: 31 };
  });
  await pressBeside(
    textOf((words) => words === 'Wait.'),
    5,
  );
  await expect.poll(() => field()?.textContent).toBe('Wait.');
  expect(document.activeElement).toBe(field());
  expect(getSelection()?.anchorOffset).toBe(5);
  // The break between two entries belongs to neither: the text before it is meant.
  const glue = textOf((words) => words === '\n');
  expect(await pressBeside(glue, 0)).toBe(true);
  await expect.poll(() => field()?.textContent).toBe('Breathe.');
  expect(getSelection()?.anchorOffset).toBe(8);
  input('insertText', '!');
  await expect.poll(() => sent(fake)).toHaveLength(1);
  expect(sent(fake)[0]).toEqual({ kind: 'replace', segment: 5, start: 8, end: 8, text: '!' });
});

test('an undo of another text goes on in that, an undo of its own stays', async () => {
  const { fake, shown } = await openTips(() => {
    shown.tips = ['xBreathe.', 'Wait.'];
    return { edits: [], caret: 14 };
  });
  await openSpot('Breathe.');
  input('insertText', 'x');
  await expect.poll(() => field()?.textContent).toBe('xBreathe.');
  shown.tips = ['Breathe.', 'Wait.'];
  key('z', { ctrlKey: true });
  await expect.poll(() => field()?.textContent).toBe('Breathe.');
  key('Escape');
  await expect.poll(field).toBe(null);
  await openSpot('Breathe.');
  input('insertText', 'x');
  await expect.poll(() => field()?.textContent).toBe('xBreathe.');
  key('Escape');
  await expect.poll(field).toBe(null);
  await openSpot('Wait.');
  shown.tips = ['Breathe.', 'Wait.'];
  key('z', { ctrlKey: true });
  await expect.poll(() => field()?.textContent).toBe('Breathe.');
  expect(fake.calls.filter(({ name }) => name === 'undo')).toHaveLength(2);
  expect(selectionIn(field()!)).toEqual({ start: 0, end: 0 });
  input('insertText', 'Q');
  await expect.poll(() => sent(fake)).toHaveLength(3);
  expect(sent(fake)[2]).toEqual({ kind: 'replace', segment: 5, start: 0, end: 0, text: 'Q' });
});

test('a paste while the prompt has the focus opens no import', async () => {
  const { screen } = await openTips(() => ({ edits: [], caret: 0 }));
  const paste = (target: Element) =>
    fireEvent.paste(target, { clipboardData: { getData: () => 'One.\nTwo.', files: [] } });
  await openSpot('Breathe.');
  key('Escape');
  await expect.poll(field).toBe(null);
  await paste(document.body);
  expect(await screen.findByText('Click a text of the prompt to paste into it.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
  (document.activeElement as HTMLElement).blur();
  getSelection()?.removeAllRanges();
  await paste(document.body);
  expect(await screen.findByRole('dialog', { name: 'New registry' })).toBeTruthy();
});

test('a press on what is edited shows its field on the card, and its token is lit', async () => {
  const { screen } = await openTips(() => ({ edits: [], caret: 0 }));
  await openSpot('Breathe.');
  expect(await screen.findByLabelText('personas.calm.tips entry 1')).toBeTruthy();
  expect(document.querySelector('li.lit')?.textContent).toContain('personas.tips');
  await fireEvent.keyDown(field() as HTMLElement, { key: 'Escape' });
  await expect.poll(() => document.querySelector('li.lit')).toBe(null);
});

test('after a variable without a value that ends a text, typing goes into the text', async () => {
  const scene = guides();
  let typed = '';
  const { fake } = await openStudio({
    ...scene,
    editPrompt: ({ edit }) => {
      typed = edit.kind === 'beside' || edit.kind === 'replace' ? typed + edit.text : typed;
      return { edits: [], caret: 5 + typed.length };
    },
    preview: (tree) => ({
      ...scene.preview(tree),
      rolled: [],
      segments: {
        head: 0,
        middle: [
          { text: 'Calm ', source: source('context') },
          { text: '', source: source('context', { variable: 'place' }) },
          ...(typed === '' ? [] : [{ text: typed, source: source('context'), start: 12 }]),
        ],
        tail: 0,
      },
    }),
  });
  await openSpot('Calm ');
  getSelection()?.selectAllChildren(field() as HTMLElement);
  getSelection()?.collapseToEnd();
  document.dispatchEvent(new Event('selectionchange'));
  key('ArrowRight');
  await expect.poll(() => field()?.dataset.name).toBe('place');
  key('ArrowRight');
  await expect.poll(() => field()?.dataset.name).toBe(undefined);
  expect(field()?.textContent).toBe('');
  input('insertText', 'x');
  await expect.poll(() => field()?.textContent).toBe('x');
  input('insertText', 'y');
  await expect.poll(() => field()?.textContent).toBe('xy');
  expect(sent(fake)).toEqual([
    { kind: 'beside', segment: 1, after: true, text: 'x' },
    { kind: 'replace', segment: 2, start: 1, end: 1, text: 'y' },
  ]);
});
