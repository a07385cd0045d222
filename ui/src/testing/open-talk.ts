// Opens the conversation over a fake service, and says what was asked of that.
import { fireEvent } from '@testing-library/svelte';
import { expect } from 'vitest';
import type { CallMessage, TalkTurn, TalkView } from '$lib/ipc';
import type { FakeBackend, Scene } from './fake-backend';
import type { CallScene } from './fake-calls';
import { guides } from './guides';
import { openRegistry, openStudio } from './studio';
import { callScene } from './talk';

/** The conversation of a deck with these turns. */
export async function openTalk(turns: TalkTurn[] = [], scene: Scene = guides()) {
  const opened = await openStudio({ ...scene, turns });
  await fireEvent.click(opened.screen.getByRole('tab', { name: 'Run' }));
  const log = await opened.screen.findByRole('log', { name: 'Conversation' });
  const field = await opened.screen.findByRole('textbox', { name: 'Next turn' });
  return { ...opened, log, field };
}

/** Opens another registry and its conversation. */
export async function openIn(screen: Parameters<typeof openRegistry>[0], file: string) {
  await openRegistry(screen, file);
  if (screen.queryByRole('log', { name: 'Conversation' })) return;
  await fireEvent.click(screen.getByRole('tab', { name: 'Run' }));
}

export const asked = (fake: FakeBackend, name: string) =>
  fake.calls.filter((call) => call.name === name).map((call) => call.args);

export const sent = (fake: FakeBackend) =>
  asked(fake, 'sendTurns').map(([, order, messages, ask]) => ({
    leaf: (order as { leaf: number | null }).leaf,
    messages,
    ask,
  }));

/** The run tab with a call document whose messages come before the first turn. */
export async function openCallTalk(before: TalkView['before'], change: Partial<CallScene> = {}) {
  const scene = guides();
  const opened = await openStudio({ ...scene, call: { ...callScene(scene.file), ...change } });
  const { fake, screen } = opened;
  fake.turns.view = { ...fake.turns.view, before };
  await expect.poll(() => fake.calls.some(({ name }) => name === 'useCall')).toBe(true);
  await fireEvent.click(screen.getByRole('tab', { name: 'Run' }));
  const log = await screen.findByRole('log', { name: 'Conversation' });
  return { ...opened, log, field: await screen.findByRole('textbox', { name: 'Next turn' }) };
}

export const said = (role: string, more: Partial<CallMessage> = {}): CallMessage => ({
  role,
  content: '',
  calls: [],
  answers: null,
  ...more,
});
