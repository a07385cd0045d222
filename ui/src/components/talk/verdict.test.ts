// The verdict under every answer of the conversation, in the words of the history.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { answer, turn } from '../../testing/fake-talk';
import { openTalk } from '../../testing/open-talk';

test('an answer of tool calls alone and an empty one have their verdict', async () => {
  const calls = [{ id: 'a', name: 'look', arguments: '{}' }];
  const { log } = await openTalk([
    turn(1, null),
    answer(2, 1, '', { accepted: false, reason: 'too short' }),
    answer(3, 1, '', { accepted: true }),
    answer(4, 1, '', { calls, accepted: true }),
  ]);
  expect(await within(log).findByText('accepted')).toBeTruthy();
  const previous = () => within(log).getByRole('button', { name: 'Previous branch' });
  await fireEvent.click(previous());
  expect(await within(log).findByText('accepted, empty')).toBeTruthy();
  await fireEvent.click(previous());
  expect(await within(log).findByText('rejected')).toBeTruthy();
  expect(within(log).getByText('No text.')).toBeTruthy();
});
