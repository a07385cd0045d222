// What is written in a conversation and not sent stays where it was written.
import { cleanup, fireEvent, render, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import App from '../../App.svelte';
import { answer, rolled } from '../../testing/fake-talk';
import { guides } from '../../testing/guides';
import { asked, openCallTalk, openIn, openTalk, said, sent } from '../../testing/open-talk';
import { openStudio } from '../../testing/studio';

test('an edit of a turn stays while other tabs and documents are shown, until it is cancelled', async () => {
  const { screen, log } = await openTalk(rolled());
  const open = async (at: HTMLElement) => {
    await fireEvent.click(within(at).getAllByRole('button', { name: 'Edit this turn' })[1]!);
    return within(at).findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit this turn' });
  };
  await within(log).findByText('Good evening.');
  await fireEvent.input(await open(log), { target: { value: 'Good night.' } });
  await fireEvent.click(screen.getByRole('tab', { name: 'Prompt' }));
  await expect.poll(() => screen.queryByRole('log', { name: 'Conversation' })).toBeNull();
  await fireEvent.click(screen.getByRole('tab', { name: 'Run' }));
  const again = await screen.findByRole('log', { name: 'Conversation' });
  const field = await within(again).findByRole<HTMLTextAreaElement>('textbox', {
    name: 'Edit this turn',
  });
  expect(field.value).toBe('Good night.');
  await fireEvent.keyDown(field, { key: 'Escape' });
  await fireEvent.click(await within(again).findByRole('button', { name: 'Unsaved edit' }));
  const restored = await within(again).findByRole<HTMLTextAreaElement>('textbox', {
    name: 'Edit this turn',
  });
  expect(restored.value).toBe('Good night.');
  await fireEvent.click(within(again).getByRole('button', { name: 'Cancel' }));
  expect(within(again).queryByRole('button', { name: 'Unsaved edit' })).toBeNull();
  const notice = await screen.findByText('The edit was discarded.');
  await fireEvent.click(
    within(notice.closest<HTMLElement>('.notice')!).getByRole('button', { name: 'Undo' }),
  );
  const back = await within(again).findByRole<HTMLTextAreaElement>('textbox', {
    name: 'Edit this turn',
  });
  expect(back.value).toBe('Good night.');
  // An unchanged text leaves nothing behind.
  await fireEvent.input(back, { target: { value: 'Good evening.' } });
  await fireEvent.keyDown(back, { key: 'Escape' });
  expect(within(again).queryByRole('button', { name: 'Unsaved edit' })).toBeNull();
});

test('an edit of a turn is there again after another registry was open', async () => {
  const opened = await openStudio({ ...guides(), others: ['other.json'], turns: rolled() });
  const { screen } = opened;
  const editor = { name: 'Edit this turn' };
  const open = (file: string) => openIn(screen, file);
  await fireEvent.click(screen.getByRole('tab', { name: 'Run' }));
  await screen.findByText('Good evening.');
  await fireEvent.click(screen.getAllByRole('button', editor)[0]!);
  const field = await screen.findByRole('textbox', editor);
  await fireEvent.input(field, { target: { value: 'Who goes there?' } });
  await open('other.json');
  expect(screen.queryByRole('textbox', editor)).toBeNull();
  await open('guides.json');
  const again = await screen.findByRole('textbox', editor);
  expect((again as HTMLTextAreaElement).value).toBe('Who goes there?');
});

test('a registry of the same name in another folder has a conversation of its own', async () => {
  const { fake, field, screen } = await openTalk();
  const folder = async (path: string) => {
    fake.emit({ kind: 'folder_dropped', folder: path });
    await expect.poll(() => asked(fake, 'openFolder').at(-1)).toEqual([path, null]);
    await expect.poll(() => screen.queryByText(`Opening ${path}…`)).toBeNull();
    const tab = await screen.findByRole('tab', { name: /^Run/ });
    if (!screen.queryByRole('textbox', { name: 'Next turn' })) await fireEvent.click(tab);
    const next = await screen.findByRole('textbox', { name: 'Next turn' });
    return () => (next as HTMLTextAreaElement).value;
  };
  await fireEvent.input(field, { target: { value: 'Who is there?' } });
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  fake.turns.emit(answer(2, 1, 'Good ', { state: 'streaming', accepted: null }));
  await fireEvent.input(field, { target: { value: 'Not sent' } });
  await expect.poll(() => fake.views.get('guides.json')?.unsent['next/']).toBe('Not sent');
  const { turns } = fake.turns;
  fake.turns.turns = [];
  const saved = fake.views.get('guides.json')!;
  fake.views.set('/ferries/guides.json', { ...saved, unsent: { 'next/': 'Of the ferry' } });

  const inFerries = await folder('/ferries');
  await expect.poll(inFerries).toBe('Of the ferry');
  expect(screen.queryByRole('button', { name: /^Stop/ })).toBeNull();
  const late = {
    kind: 'talk' as const,
    folder: '/registries',
    document: 'guides.json',
    call: null,
  };
  fake.emit({ ...late, turn: answer(2, 1, 'Good evening', { state: 'streaming' }) });
  await new Promise((done) => setTimeout(done, 50));
  expect(screen.queryByText('Good evening')).toBeNull();

  fake.turns.turns = turns;
  const again = await folder('/registries');
  await expect.poll(again).toBe('Not sent');
  expect(await screen.findByRole('button', { name: /^Stop/ })).toBeTruthy();
});

test('what was sent is not written again after another registry was open meanwhile', async () => {
  const opened = await openStudio({ ...guides(), others: ['other.json'] });
  const { fake, screen } = opened;
  await fireEvent.click(screen.getByRole('tab', { name: 'Run' }));
  const next = () => screen.findByRole('textbox', { name: 'Next turn' });
  await fireEvent.input(await next(), { target: { value: 'Who is there?' } });
  await expect.poll(() => fake.views.get('guides.json')?.unsent).not.toEqual({});
  let goOn: (() => void) | undefined;
  fake.held.set('sendTurns', new Promise((resolve) => (goOn = resolve)));
  await fireEvent.keyDown(await next(), { key: 'Enter', ctrlKey: true });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  await openIn(screen, 'other.json');
  goOn?.();
  await expect.poll(() => fake.views.get('guides.json')?.unsent).toEqual({});
  await openIn(screen, 'guides.json');
  expect(((await next()) as HTMLTextAreaElement).value).toBe('');
});

test('what is written while a turn is on its way to the service stays', async () => {
  const { fake, field } = await openTalk();
  await fireEvent.input(field, { target: { value: 'First' } });
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await fireEvent.input(field, { target: { value: 'Second' } });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  fake.turns.over();
  await new Promise((done) => setTimeout(done, 50));
  expect((field as HTMLTextAreaElement).value).toBe('Second');
});

test('what is written behind a turn on its way stays without the turn', async () => {
  const { fake, field } = await openTalk();
  let goOn: (() => void) | undefined;
  fake.held.set('sendTurns', new Promise((resolve) => (goOn = resolve)));
  await fireEvent.input(field, { target: { value: 'First.' } });
  await fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  await fireEvent.input(field, { target: { value: 'First. Second.' } });
  await expect.poll(() => sent(fake)).toHaveLength(1);
  goOn?.();
  await expect.poll(() => (field as HTMLTextAreaElement).value).toBe(' Second.');
  expect(sent(fake)[0]).toMatchObject({ messages: [{ content: 'First.' }] });
});

test('what is typed while the same call is chosen again, or another, is sent whole', async () => {
  const { fake, screen, field } = await openCallTalk([said('user', { content: 'Look.' })]);
  const next = () => screen.getByRole('textbox', { name: 'Next turn' }) as HTMLTextAreaElement;
  const choose = async (name: RegExp) => {
    await fireEvent.click(screen.getByRole('button', { name: /^Call\b/ }));
    await fireEvent.click(await screen.findByRole('option', { name }));
  };
  await fireEvent.input(field, { target: { value: 'One ' } });
  let goOn: (() => void) | undefined;
  fake.held.set('openCall', new Promise((resolve) => (goOn = resolve)));
  await choose(/^A talk/);
  await fireEvent.input(next(), { target: { value: 'One after ' } });
  goOn?.();
  await new Promise((done) => setTimeout(done, 50));
  expect(next().value).toBe('One after ');
  await choose(/^none/);
  await expect.poll(() => next().value).toBe('');
  await fireEvent.input(next(), { target: { value: 'Kept' } });
  fake.held.set('openCall', new Promise((resolve) => (goOn = resolve)));
  await choose(/^A talk/);
  await fireEvent.input(next(), { target: { value: 'Kept the other' } });
  goOn?.();
  await expect.poll(() => next().value).toBe('One after  the other');
});

test('what was written and not sent is there at the next start, until it is sent', async () => {
  const { fake, log, field } = await openTalk(rolled());
  await fireEvent.input(field, { target: { value: 'Half a turn' } });
  const [pencil] = within(log).getAllByRole('button', { name: 'Edit this turn' });
  await fireEvent.click(pencil!);
  const edited = await within(log).findByRole('textbox', { name: 'Edit this turn' });
  await fireEvent.input(edited, { target: { value: 'Who was there?' } });
  const unsent = () => fake.views.get('guides.json')?.unsent;
  await expect.poll(unsent).toEqual({ 'next/': 'Half a turn', 'edit/1': 'Who was there?' });
  cleanup();
  const screen = render(App, { backend: fake.backend });
  const next = await screen.findByRole('textbox', { name: 'Next turn' });
  await expect.poll(() => (next as HTMLTextAreaElement).value).toBe('Half a turn');
  expect(await screen.findByRole('button', { name: 'Unsaved edit' })).toBeTruthy();
  await fireEvent.keyDown(next, { key: 'Enter', ctrlKey: true });
  await expect.poll(unsent).toEqual({ 'edit/1': 'Who was there?' });
});
