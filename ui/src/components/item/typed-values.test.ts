// Fields of an item whose words have to be read, numbers and JSON: what can't be read is marked and kept.
import { cleanup, fireEvent, render, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import App from '../../App.svelte';
import { openItem, undeclared } from '../../testing/open-item';
import { key, lastEdits } from '../../testing/studio';

test('a weight is a number, and what is none stays out of the document', async () => {
  const { fake, card } = await openItem({ weight: 2 });
  const field = within(card).getByRole<HTMLInputElement>('textbox', { name: /calm\.weight$/ });
  expect(field.value).toBe('2');
  expect(field.closest('.field')?.closest('.prop')?.textContent).toContain(
    'With 0 it is picked only where no other can be',
  );
  const path = ['registry', 'personas', 'items', 0, 'weight'];
  await fireEvent.input(field, { target: { value: '0.5' } });
  await expect.poll(() => lastEdits(fake)).toEqual([{ kind: 'set', path, value: 0.5 }]);
  await fireEvent.input(field, { target: { value: '0.5x' } });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(field.getAttribute('aria-describedby')).not.toBeNull();
  // The beginning of what can't be read is not what the author meant, and the field says what counts.
  expect(within(card).getByRole('alert').textContent).toContain('The value stays 2.');
  await expect.poll(() => lastEdits(fake)).toEqual([{ kind: 'set', path, value: 2 }]);
  await fireEvent.keyDown(field, { key: 'z', ctrlKey: true });
  expect(field.value).toBe('2');
  expect(fake.calls.some(({ name }) => name === 'undo')).toBe(false);
  // Without words the weight stays what it was, and comes back.
  await fireEvent.input(field, { target: { value: '' } });
  await fireEvent.blur(field);
  expect(field.value).toBe('2');
  expect(lastEdits(fake)).toEqual([{ kind: 'set', path, value: 2 }]);
});

test('a number that is changed elsewhere shows what it became', async () => {
  const { fake, card } = await openItem({ weight: 2 });
  const field = within(card).getByRole<HTMLInputElement>('textbox', { name: /calm\.weight$/ });
  await fireEvent.input(field, { target: { value: '3' } });
  await expect.poll(() => fake.revision).toBe(1);
  await fireEvent.input(field, { target: { value: '3,5' } });
  await expect.poll(() => fake.revision).toBe(2);
  await fireEvent.blur(field);
  expect(field.value).toBe('3,5');
  key('z', { ctrlKey: true });
  await expect.poll(() => field.value).not.toBe('3,5');
});

test('JSON that can’t be read yet is kept while its field is not shown, and counts as unsaved', async () => {
  const { fake, card, screen } = await openItem({ extra: { a: 1 } });
  const field = () =>
    within(card).getByRole<HTMLTextAreaElement>('textbox', { name: /calm\.extra$/ });
  await fireEvent.input(field(), { target: { value: '{"a": 2' } });
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(fake.calls.some(({ name }) => name === 'apply')).toBe(false);
  key('s', { ctrlKey: true });
  const saved = /^Saved with the last valid value of personas\.calm\.extra \({"a":1}\): /;
  expect(await screen.findByText(saved)).toBeTruthy();
  await fireEvent.click(within(card).getByRole('button', { name: /^Collapse/ }));
  await fireEvent.click(within(card).getByRole('button', { name: /^Expand/ }));
  await expect.poll(() => field().value).toBe('{"a": 2');
  await fireEvent.input(field(), { target: { value: '{"a": 2}' } });
  await expect.poll(() => lastEdits(fake)).toMatchObject([{ value: { a: 2 } }]);
  await expect.poll(() => screen.queryByText(/^Saved with/)).toBeNull();
});

test('while JSON can’t be read, the last value that could be stays, and undo goes from one to the next', async () => {
  const { fake, card, screen } = await openItem({ extra: [1] });
  const field = within(card).getByRole<HTMLTextAreaElement>('textbox', { name: /calm\.extra$/ });
  const type = (value: string) => fireEvent.input(field, { target: { value } });
  await type('[1, 2]');
  await type('[1, 2, ');
  const path = ['registry', 'personas', 'items', 0, 'extra'];
  await expect.poll(() => lastEdits(fake)).toEqual([{ kind: 'set', path, value: [1, 2] }]);
  const reason =
    /Not JSON yet: .* of the list that begins at line 1, column 1\. The value stays \[1,2\]\./;
  expect(within(card).getByRole('alert').textContent).toMatch(reason);
  const problems = within(screen.getByRole('region', { name: 'Problems' }));
  expect(await problems.findByRole('button', { name: reason })).toBeTruthy();
  expect(screen.getByText(/^What is typed in personas\.calm\.extra is not valid yet/)).toBeTruthy();
  await type('[1, 2, 3]');
  await expect.poll(() => lastEdits(fake)).toEqual([{ kind: 'set', path, value: [1, 2, 3] }]);
  const groups = fake.calls.filter(({ name }) => name === 'apply');
  expect(groups.map(({ args }) => (args[1] as { edits: { value: unknown }[] }).edits)).toEqual([
    [{ kind: 'set', path, value: [1, 2] }],
    [{ kind: 'set', path, value: [1, 2, 3] }],
  ]);
});

test('JSON that can’t be read yet is there again at the next start', async () => {
  const { fake, card } = await openItem({ extra: { a: 1 } });
  const name = /calm\.extra$/;
  const field = within(card).getByRole('textbox', { name });
  await fireEvent.input(field, { target: { value: '{"a": 2,\n' } });
  const unsent = () => Object.values(fake.views.get('guides.json')?.unsent ?? {});
  await expect.poll(unsent).toEqual([expect.stringContaining(JSON.stringify('{"a": 2,\n'))]);
  cleanup();
  const next = render(App, { backend: fake.backend });
  await fireEvent.click(await next.findByRole('button', { name: 'Edit items of personas' }));
  const expand = next.queryByRole('button', { name: /^Expand .*calm/ });
  if (expand) await fireEvent.click(expand);
  const again = (await next.findByRole('textbox', { name })) as HTMLTextAreaElement;
  expect(again.value).toBe('{"a": 2,\n');
  await fireEvent.input(again, { target: { value: '{"a": 2}' } });
  await expect.poll(unsent).toEqual([]);
});

test('an invalid weight is marked in place', async () => {
  const { fake, card } = await openItem({ weight: -1 });
  const field = within(card).getByRole('textbox', { name: /calm\.weight$/ });
  expect(field.getAttribute('aria-invalid')).toBeNull();
  fake.emit({
    kind: 'lint',
    document: 'guides.json',
    revision: 0,
    diagnostics: [
      {
        ...undeclared('weight'),
        code: 'weight_invalid',
        severity: 'warning',
        message: 'weight of personas.calm is -1 and counts as 1',
      },
    ],
  });
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  expect(within(card).getByText(/counts as 1/)).toBeTruthy();
});

test('a weight that is a text becomes the number that is typed', async () => {
  const { fake, card } = await openItem({ weight: '0.5' });
  const field = within(card).getByRole<HTMLInputElement>('textbox', { name: /calm\.weight$/ });
  expect(field.value).toBe('0.5');
  await fireEvent.input(field, { target: { value: '0.25' } });
  const path = ['registry', 'personas', 'items', 0, 'weight'];
  await expect.poll(() => lastEdits(fake)).toEqual([{ kind: 'set', path, value: 0.25 }]);
});
