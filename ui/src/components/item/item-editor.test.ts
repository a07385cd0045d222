// The editor of an item: what is wrong in a text is marked in it, and what does not print says so.
import { cleanup, fireEvent, within } from '@testing-library/svelte';
import { expect, test, vi } from 'vitest';
import type { Segment, UnprintedText } from '$lib/ipc';
import type { JsonObject } from '$lib/document/edit';
import { caretTo } from '$lib/window/text-field';
import { guides } from '../../testing/guides';
import { openItem, undeclared } from '../../testing/open-item';
import { key, lastEdits } from '../../testing/studio';

test.each([
  ['a text', 'context', { context: 'At {plaice}, {place}, {plaice}.' }, ['{plaice}', '{plaice}']],
  ['an entry of a list', 'tips/0', { tips: ['Go to {plaice}.'] }, ['{plaice}']],
  [
    'a fragment',
    'fragments/0/text',
    { fragments: [{ if_var: 'place', text: 'See {plaice}.' }] },
    ['{plaice}'],
  ],
])('an undeclared name is underlined in %s', async (_what, field, item, words) => {
  const { fake, card } = await openItem(item as JsonObject);
  expect(card.querySelectorAll('.undeclared-name')).toHaveLength(0);
  fake.emit({
    kind: 'lint',
    document: 'guides.json',
    revision: 0,
    diagnostics: [undeclared(field)],
  });
  await expect
    .poll(() =>
      [...card.querySelectorAll('.undeclared-name')].map(({ textContent }) => textContent),
    )
    .toEqual(words);
});

test.each([
  ['a text', { context: 'At {{ place. }}, {{ place }}.' }, '/context', 'personas.calm.context'],
  ['a line', { pre_context: 'At {{ place. }}:' }, '/pre_context', 'personas.calm.pre_context'],
  [
    'an entry',
    { nudges: ['Hum.', 'At {{ place. }}.'] },
    '/nudges/1',
    'personas.calm.nudges entry 2',
  ],
  [
    'a fragment',
    { fragments: [{ text: 'Hum.' }, { text: 'At {{ place. }}.' }] },
    '/fragments/1/text',
    'Fragment 2 text',
  ],
])('a Jinja tag with a fault describes %s, and no other', async (what, item, pointer, label) => {
  const { fake, card } = await openItem(item as unknown as JsonObject);
  const found = {
    ...undeclared('context'),
    code: 'prompt_template',
    severity: 'error' as const,
    pointer: `/personas/items/0${pointer}`,
    message: 'the prompt is not rendered: syntax error: unexpected `}}`',
    data: { reason: 'syntax error: unexpected `}}`', found: '{{ place. }}' },
  };
  fake.emit({ kind: 'lint', document: 'guides.json', revision: 0, diagnostics: [found] });
  const described = () =>
    [...card.querySelectorAll('.editor [aria-describedby]')].filter(({ tagName }) =>
      /TEXTAREA|INPUT/.test(tagName),
    );
  await expect
    .poll(() => described().map((field) => field.getAttribute('aria-label')))
    .toEqual([label]);
  const [field] = described();
  expect(field?.getAttribute('aria-invalid')).toBe('true');
  const words = document.getElementById(field?.getAttribute('aria-describedby') ?? '');
  expect(words?.textContent).toContain('The prompt is not rendered: syntax error');
  const underlined = [...card.querySelectorAll('.undeclared-name')];
  expect(underlined.map(({ textContent }) => textContent)).toEqual(
    what === 'a line' ? [] : ['{{ place. }}'],
  );
});

test('a variable that is not closed is underlined, and closed by its fix', async () => {
  const context = 'At {place, {place} and {placed.';
  const { fake, card } = await openItem({ context });
  const found = {
    ...undeclared('context'),
    code: 'variable_not_closed',
    severity: 'warning' as const,
    data: { name: 'place', section: 'personas' },
  };
  fake.emit({ kind: 'lint', document: 'guides.json', revision: 0, diagnostics: [found] });
  await expect
    .poll(() =>
      [...card.querySelectorAll('.undeclared-name')].map(({ textContent }) => textContent),
    )
    .toEqual(['{place']);
  expect(within(card).getByText('{place in personas is not closed')).toBeTruthy();
  await fireEvent.click(within(card).getByRole('button', { name: 'Replace with {place}' }));
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([
      {
        kind: 'set',
        path: ['registry', 'personas', 'items', 0, 'context'],
        value: 'At {place}, {place} and {placed.',
      },
    ]);
});

test('an item that is neither selected nor rolled says so, and is selected by a press', async () => {
  const { screen, fake, card } = await openItem({});
  await fireEvent.click(within(card).getByRole('switch', { name: /^Random/ }));
  await fireEvent.click(within(card).getByRole('button', { name: 'Edit brisk' }));
  const words = await screen.findByText('Not in the prompt: calm is selected.');
  const note = words.closest<HTMLElement>('.note')!;
  await fireEvent.click(within(note).getByRole('button', { name: 'Select' }));
  expect(lastEdits(fake)).toEqual([
    { kind: 'set', path: ['state', 'selections', 'personas'], value: 'brisk' },
  ]);
});

test('an item of a section that no entry prints says so, and no selection is offered', async () => {
  const tokens = { head: 0, middle: [], tail: 0 };
  const { screen, card } = await openItem({}, {}, [], { tokens });
  await fireEvent.click(within(card).getByRole('switch', { name: /^Random/ }));
  await fireEvent.click(within(card).getByRole('button', { name: 'Edit brisk' }));
  const words = await screen.findByText(
    'Not in the prompt: no entry of the assembly in use prints personas.',
  );
  const note = within(words.closest<HTMLElement>('.note')!);
  expect(note.queryByRole('button', { name: 'Select' })).toBeNull();
});

test('the label of the checked items is not the name of the list `items` below it', async () => {
  const items = [{ id: 'short', text: 'Short.', items: ['One.', 'Two.'] }];
  await openItem({}, { items });
  const card = document.querySelector<HTMLElement>('[data-card="notes"]')!;
  const labels = [...card.querySelectorAll('.lab')].map(({ textContent }) =>
    textContent.toLowerCase(),
  );
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels).toContain('items');
});

const unprinted = (more: Partial<UnprintedText>): UnprintedText => ({
  section: 'personas',
  item: { index: 0, name: 'calm' },
  field: 'tips',
  reason: 'not_in_assembly',
  words: 'in no entry',
  ...more,
});

/** Opens the item in a preview that leaves these of its texts out. */

async function openWith(unprinted: UnprintedText[], item: JsonObject = {}) {
  return openItem(item, {}, unprinted);
}

test('a list that no entry prints is marked, and one press adds the entry', async () => {
  const left = unprinted({ token: 'personas.tips', index: 1 });
  const { fake, card } = await openWith([left]);
  const note = await vi.waitFor(() => {
    const found = card.querySelector<HTMLElement>('.print-note');
    expect(found).not.toBeNull();
    return found!;
  });
  expect(note.textContent).toContain('No entry prints this');
  expect(card.querySelectorAll('.entry.printed')).toHaveLength(0);
  await fireEvent.click(within(note).getByRole('button', { name: 'Add to prompt' }));
  expect(lastEdits(fake)).toEqual([
    { kind: 'insert', path: ['registry', 'assembly_order', 1], value: 'personas.tips' },
  ]);
});

test('an entry that was not rolled is marked beside those that print', async () => {
  const { card } = await openWith([
    unprinted({ entry: 1, reason: 'not_rolled', words: 'not rolled' }),
  ]);
  await expect.poll(() => card.querySelectorAll('.entry.printed')).toHaveLength(2);
  const left = card.querySelector('.entry.unprinted');
  expect(left?.querySelector('textarea')?.value).toBe('Wait.');
  expect(left?.querySelector('.why')?.textContent).toBe('not rolled');
  expect(card.querySelector('.print-note')).toBeNull();
  expect(card.querySelectorAll('.entry.printed.rolled')).toHaveLength(2);
});

test('entries that are printed without a roll have no mark of one', async () => {
  const evaluated = guides().preview(guides().tree).sections.middle;
  const unrolled = evaluated.map((section) => ({
    ...section,
    used: section.section === 'personas' ? [{ index: 0, name: 'calm' }] : section.used,
    arrays: section.arrays.map((array) => ({ ...array, origin: 'baked' as const })),
  }));
  const change = { sections: { head: 0, middle: unrolled, tail: 0 } };
  const { card } = await openItem({}, {}, [], change);
  await expect.poll(() => card.querySelectorAll('.entry.printed')).toHaveLength(3);
  expect(card.querySelectorAll('.entry.rolled')).toHaveLength(0);
});

test('the sentence of a slider and what it measures have the border where they are printed', async () => {
  const source = { token: 0, section: 'personas', item: 0, item_name: 'calm', field: 'scale' };
  const emotion = '/personas/items/0/scale_emotion';
  const evaluated = guides().preview(guides().tree).sections.middle;
  const open = async (texts: Segment[]) => {
    const sections = evaluated.map((section) =>
      section.section === 'personas'
        ? {
            ...section,
            used: [{ index: 0, name: 'calm' }],
            slider: { selected: 5, used: 5, origin: 'default' as const },
          }
        : section,
    );
    const opened = await openItem({ scale_emotion: 'calm' }, {}, [], {
      segments: { head: 0, middle: texts, tail: 0 },
      sections: { head: 0, middle: sections, tail: 0 },
    });
    const of = (label: string) => opened.card.querySelector(`[aria-label="${label}"]`);
    await expect.poll(() => of('Scale sentence of personas')).not.toBeNull();
    return [of('personas.calm.scale_emotion'), of('Scale sentence of personas')].map(
      (field) => field?.closest('.printed') !== null,
    );
  };
  const rest = { text: 'Of ten: ', source, pointer: '/personas/scale_template' };
  expect(await open([rest, { text: 'calm', source, pointer: emotion }])).toEqual([true, true]);
  cleanup();
  expect(await open([rest])).toEqual([false, true]);
  cleanup();
  expect(await open([])).toEqual([false, false]);
});

test('a printed text has the section border, a name does not', async () => {
  const { card } = await openWith([], { scale_emotion: 'joy', pre_context: '' });
  const control = (label: string) =>
    card.querySelector(`[aria-label="personas.calm.${label}"]`)?.closest('.ctl')?.classList;
  await expect.poll(() => control('context')?.contains('printed')).toBe(true);
  for (const label of ['scale_emotion', 'pre_context']) {
    expect(control(label)?.contains('printed'), label).toBe(false);
    expect(control(label)?.contains('unprinted'), label).toBe(false);
  }
});

test('lines pasted into a row of a list become rows, in one step', async () => {
  const { fake, card } = await openItem({ tips: ['Be brief.', 'Wait.'] });
  const rows = () =>
    within(card)
      .getAllByRole<HTMLTextAreaElement>('textbox')
      .filter((each) => each.matches('[data-text-row] textarea'));
  const row = rows()[0]!;
  row.focus();
  row.setSelectionRange(9, 9);
  const groups = fake.calls.filter(({ name }) => name === 'apply').length;
  const paste = (words: string) =>
    fireEvent.paste(row, { clipboardData: { getData: () => words, files: [] } });
  expect(await paste('words'), 'one line is left to the field').toBe(true);
  await paste('\n- Stay calm.\n* Listen.\n');
  const path = ['registry', 'personas', 'items', 0, 'tips'];
  expect(lastEdits(fake)).toEqual([
    { kind: 'set', path: [...path, 0], value: 'Be brief.' },
    { kind: 'insert', path: [...path, 1], value: 'Stay calm.' },
    { kind: 'insert', path: [...path, 2], value: 'Listen.' },
  ]);
  expect(fake.calls.filter(({ name }) => name === 'apply')).toHaveLength(groups + 1);
  await expect
    .poll(() => rows().map(({ value }) => value))
    .toEqual(['Be brief.', 'Stay calm.', 'Listen.', 'Wait.']);
  expect(document.activeElement).toBe(rows()[2]);
});

test('a mode that names an entry by its position stays with the entry', async () => {
  const hints = ['Be brief.', 'Wait.', 'Listen.'];
  const { fake, card } = await openItem({ hints });
  const row = () => within(card).getByRole('textbox', { name: /hints entry 2$/ });
  await fireEvent.click(within(card).getByRole('button', { name: /^Mode of .*hints/ }));
  await fireEvent.click(await within(document.body).findByRole('button', { name: /^\d* ?Wait/ }));
  row().focus();
  key('ArrowUp', { altKey: true });
  await expect
    .poll(() => lastEdits(fake))
    .toMatchObject([
      { kind: 'move', from: 1, to: 0 },
      { kind: 'set', path: ['state', 'array_modes', 'personas', 'hints'], value: 'index:0' },
    ]);
});

test('a mode of the lists of several items stays where a roll decides, and a notice says so', async () => {
  const { fake, card } = await openItem({});
  const row = () => within(card).getByRole('textbox', { name: /tips entry 2$/ });
  await fireEvent.click(
    within(card)
      .getAllByRole('button', { name: /^Mode of .*tips/ })
      .at(-1)!,
  );
  await fireEvent.click(await within(document.body).findByRole('button', { name: /^\d* ?Wait/ }));
  row().focus();
  key('ArrowUp', { altKey: true });
  await expect.poll(() => lastEdits(fake)).toMatchObject([{ kind: 'move', from: 1, to: 0 }]);
  expect(lastEdits(fake)).toHaveLength(1);
  await expect
    .poll(() => document.body.textContent)
    .toContain('The mode index:1 of personas.tips stays');
});

test('a long row of a list takes pasted lines and adds a row below, as a short one does', async () => {
  const long = `${'One rule of many.\n'.repeat(800)}Wait.`;
  const { fake, card } = await openItem({ tips: [long] });
  const rows = () => [
    ...card.querySelectorAll<HTMLElement>('[data-text-row] :is(textarea, [role=textbox])'),
  ];
  const row = rows()[0]!;
  expect(row.tagName, 'no textarea at this length').not.toBe('TEXTAREA');
  row.focus();
  caretTo(row, long.length - 'Wait.'.length);
  document.dispatchEvent(new Event('selectionchange'));
  await fireEvent.paste(row, {
    clipboardData: { getData: () => 'Stay calm.\nListen. ', files: [] },
  });
  const path = ['registry', 'personas', 'items', 0, 'tips'];
  expect(lastEdits(fake)).toEqual([
    { kind: 'set', path: [...path, 0], value: `${long.slice(0, -'Wait.'.length)}Stay calm.` },
    { kind: 'insert', path: [...path, 1], value: 'Listen. Wait.' },
  ]);
  await expect.poll(() => document.activeElement).toBe(rows()[1]);
  rows()[0]!.focus();
  key('Enter');
  expect(lastEdits(fake)).toEqual([{ kind: 'insert', path: [...path, 1], value: '' }]);
});

test('a long fragment is edited as a long text', async () => {
  const long = 'One rule of many.\n'.repeat(800);
  const { fake, card } = await openItem({ fragments: [{ text: long }] });
  const field = within(card).getByRole('textbox', { name: 'Fragment 1 text' });
  expect(field.tagName).not.toBe('TEXTAREA');
  field.focus();
  caretTo(field, 0);
  document.dispatchEvent(new Event('selectionchange'));
  const event = new InputEvent('beforeinput', {
    inputType: 'insertText',
    data: 'A',
    bubbles: true,
    cancelable: true,
  });
  field.dispatchEvent(Object.assign(event, { getTargetRanges: () => [] }));
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([
      expect.objectContaining({
        path: ['registry', 'personas', 'items', 0, 'fragments', 0, 'text'],
      }),
    ]);
});

test.each(['the card', 'the list of problems'])(
  'a declared variable has the focus for its value, from %s',
  async (place) => {
    const { fake, card, screen } = await openItem({ context: 'At {plaice} with {who}.' });
    const who = {
      ...undeclared('context'),
      data: { name: 'who', found: '{who}', section: 'personas' },
    };
    const lint = (diagnostics: unknown[]) =>
      fake.emit({
        kind: 'lint',
        document: 'guides.json',
        revision: 0,
        diagnostics: diagnostics as never,
      });
    lint([undeclared('context'), who]);
    const around = place === 'the card' ? card : screen.getByRole('region', { name: 'Problems' });
    const link = await within(around).findByRole('button', { name: 'Declare plaice' });
    link.focus();
    await fireEvent.click(link);
    await expect
      .poll(() => document.activeElement?.getAttribute('aria-label'))
      .toBe('personas variable plaice');
    lint([who]);
    await within(around).findByRole('button', { name: 'Declare who' });
    expect(document.activeElement?.getAttribute('aria-label')).toBe('personas variable plaice');
  },
);
