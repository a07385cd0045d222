// Keeping an answer of the conversation: as an example, as the call, as a check.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { Part } from '$lib/ipc';
import type { Scene } from '../../testing/fake-backend';
import { answer, rolled, turn } from '../../testing/fake-talk';
import { guides } from '../../testing/guides';
import { asked, openTalk } from '../../testing/open-talk';
import { lastEdits, openStudio } from '../../testing/studio';

test('an answer is kept as an entry of a list of examples', async () => {
  const scene = guides();
  const tree = structuredClone(scene.tree) as { registry: Record<string, unknown> };
  tree.registry.examples = { required: false, items: [{ id: 'jokes', items: ['Ha.'] }] };
  const opened = await openStudio({ ...scene, tree: tree as typeof scene.tree, turns: rolled() });
  await fireEvent.click(opened.screen.getByRole('tab', { name: 'Run' }));
  await fireEvent.click(await opened.screen.findByRole('button', { name: 'Keep' }));
  await fireEvent.click(
    await opened.screen.findByRole('menuitem', { name: 'As example in examples, jokes' }),
  );
  await expect
    .poll(() => lastEdits(opened.fake))
    .toEqual([
      {
        kind: 'insert',
        path: ['registry', 'examples', 'items', 0, 'items', 1],
        value: 'Good evening.',
      },
    ]);
});

test('what the policy added to an answer is marked, and is not kept as an example', async () => {
  const changes: Part[] = [
    { kind: 'same', text: 'Good evening.' },
    { kind: 'added', text: ' The desk' },
  ];
  const content = 'Good evening. The desk';
  const turns = [turn(1, null, {}), answer(2, 1, content, { changes, accepted: false })];
  const { fake, screen } = await openTalk(turns);
  const added = await screen.findByText('The desk');
  expect(added.tagName).toBe('INS');
  await fireEvent.click(await screen.findByRole('button', { name: 'Keep' }));
  await fireEvent.click(
    await screen.findByRole('menuitem', { name: 'As example in personas, brisk.tips' }),
  );
  await expect.poll(() => lastEdits(fake)).toMatchObject([{ value: 'Good evening.' }]);
  expect(await screen.findByText(/The output policy rejects this answer/)).toBeTruthy();
});

test('an answer is kept as an entry of a list that the prompt prints', async () => {
  const { fake, screen } = await openTalk(rolled());
  await fireEvent.click(await screen.findByRole('button', { name: 'Keep' }));
  await fireEvent.click(
    await screen.findByRole('menuitem', { name: 'As example in personas, brisk.tips' }),
  );
  expect(await screen.findByText(/^Added to brisk\./)).toBeTruthy();
  const path = ['registry', 'personas', 'items', 1, 'tips', 1];
  await expect
    .poll(() => lastEdits(fake))
    .toEqual([{ kind: 'insert', path, value: 'Good evening.' }]);
});

test('an answer that the author wrote is kept as a check, and a missing list is named', async () => {
  const turns = [turn(1, null, { content: 'Hello?' }), turn(2, 1, { role: 'assistant' })];
  const scene = guides();
  const preview: Scene['preview'] = (tree) => ({
    ...scene.preview(tree),
    segments: { head: 0, middle: [], tail: 0 },
  });
  const { fake, screen } = await openTalk(turns, { ...scene, preview });
  await fireEvent.click(await screen.findByRole('button', { name: 'Keep' }));
  const example = await screen.findByRole('menuitem', {
    name: /needs a list that the deck prints, or one called examples/,
  });
  expect(example.getAttribute('aria-disabled')).toBe('true');
  await fireEvent.click(screen.getByRole('menuitem', { name: 'As a check of the output policy' }));
  await expect
    .poll(() => asked(fake, 'keepCheck').map(([, check]) => check))
    .toEqual([{ from: 'answer', text: turns[1]?.content }]);
});
