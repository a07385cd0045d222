// What the Chat tab says of the prefix while its template is broken.
import { expect, test } from 'vitest';
import { FakeBackend } from '../../testing/fake-backend';
import { guides } from '../../testing/guides';
import { ChatState } from './chat.svelte';
import { Notices } from './notices.svelte';

test('the stability of a template that is broken is not known', async () => {
  const { backend } = new FakeBackend(guides());
  const chat = new ChatState('guides.json', { backend, notices: new Notices() });
  await chat.start();
  chat.follow();
  await expect.poll(() => chat.stability?.kind).toBe('stable');
  chat.editTemplate('{{ messages }}\n{% broken %}');
  chat.follow();
  await expect.poll(() => chat.problem?.code).toBe('template_syntax');
  expect(chat.stability).toEqual({ kind: 'unknown', problem: chat.problem });
  chat.editTemplate('{{ messages }}');
  chat.follow();
  await expect.poll(() => chat.stability?.kind).toBe('stable');
});
