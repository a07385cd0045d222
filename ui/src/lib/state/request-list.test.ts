import { expect, test } from 'vitest';
import type { CallEntry } from '../ipc';
import { RequestState } from './request.svelte';
import type { Studio } from './studio.svelte';

test('a list of calls that comes late does not take the place of a newer one', async () => {
  const answers: ((list: CallEntry[]) => void)[] = [];
  const calls = () => new Promise<CallEntry[]>((resolve) => answers.push(resolve));
  const request = new RequestState({ backend: { calls } } as unknown as Studio);
  const entry = (document: string) => ({ document }) as CallEntry;
  const both = [request.reload(), request.reload()];
  answers[1]?.([entry('calls/old.json'), entry('calls/new.json')]);
  await both[1];
  answers[0]?.([entry('calls/old.json')]);
  await both[0];
  expect(request.list.map(({ document }) => document)).toEqual([
    'calls/old.json',
    'calls/new.json',
  ]);
});
