// The preview of a Jinja registry that is not rendered: the template, marked as such.
import { fireEvent, within } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import type { JsonObject } from '$lib/document/edit';
import { registryOf } from '$lib/document/registry';
import { guides } from '../../testing/guides';
import { openStudio } from '../../testing/studio';

const WHY = 'prepare_prompt_arguments: assistant.name is not a string';

async function openTemplate() {
  const scene = guides();
  const evaluated = scene.preview(scene.tree);
  const opened = await openStudio({
    ...scene,
    preview: () => ({
      ...evaluated,
      characters: 0,
      unrendered: { code: 'prompt_arguments', message: WHY },
    }),
  });
  // Counts of the prompt before arrive late.
  opened.fake.emit({
    kind: 'counts',
    document: 'guides.json',
    preview: 0,
    tokenizer: 'o200k_base',
    exact: true,
    total: 4321,
    sections: { personas: 4321 },
    tokens: [4321],
  });
  return opened;
}

test('a template is not shown as a prompt: the reason stands above it, without sizes', async () => {
  const { screen } = await openTemplate();
  const panel = within(screen.getByRole('tabpanel'));
  const alert = await panel.findByRole('alert');
  expect(alert.textContent).toContain('This is the template, not what a model gets.');
  expect(alert.textContent).toContain('assistant.name is not a string');
  expect(panel.getByText('Not rendered')).toBeTruthy();
  expect(panel.queryByText('characters')).toBeNull();
  expect(document.body.textContent).not.toContain('4,321');
  await fireEvent.click(panel.getByRole('button', { name: 'Show raw text' }));
  expect(panel.getByRole('alert')).toBeTruthy();
});

test('copying it says that it is the template', async () => {
  const { screen } = await openTemplate();
  await fireEvent.click(screen.getByRole('button', { name: 'Copy prompt' }));
  expect(await screen.findByText('Copied the template: the prompt is not rendered.')).toBeTruthy();
});

test('the head of a conversation marks it too', async () => {
  const { screen } = await openTemplate();
  await fireEvent.click(screen.getByRole('tab', { name: 'Run' }));
  const head = within(await screen.findByRole('region', { name: 'system' }));
  expect(head.getByText('Not rendered')).toBeTruthy();
  await fireEvent.click(head.getByRole('button'));
  expect((await head.findByRole('alert')).textContent).toContain('not what a model gets');
});

test.each(['Variants', 'Compare'])(
  '%s of templates says that they are not rendered',
  async (tab) => {
    const NOTE = /counted and compared before they are rendered/;
    const scene = guides();
    const opens = async (registry: JsonObject) => {
      const tree = { ...(scene.tree as JsonObject), registry };
      const { fake, screen } = await openStudio({ ...scene, tree });
      fake.profiles.rendered = registry.template_engine === undefined ? null : false;
      await fireEvent.click(screen.getByRole('tab', { name: tab }));
      const take = screen.queryByRole('button', { name: 'Take snapshot' });
      if (take) await fireEvent.click(take);
      return screen;
    };
    const registry = registryOf(scene.tree);
    const screen = await opens({ ...registry, template_engine: 'jinja' });
    await screen.findByText(NOTE);
    screen.unmount();
    expect((await opens(registry)).queryByText(NOTE)).toBeNull();
  },
);

test('Variants of templates that are rendered says nothing of it, but over a sampling', async () => {
  const NOTE = /counted and compared before they are rendered/;
  const scene = guides();
  const registry = { ...registryOf(scene.tree), template_engine: 'jinja' };
  const tree = { ...(scene.tree as JsonObject), registry };
  const { fake, screen } = await openStudio({ ...scene, tree });
  fake.profiles.rendered = true;
  await fireEvent.click(screen.getByRole('tab', { name: 'Variants' }));
  await expect.poll(() => screen.queryByText(NOTE)).toBeNull();
  await fireEvent.click(screen.getByRole('button', { name: /^Sampling/ }));
  await fireEvent.click(await screen.findByRole('option', { name: /^Shuffle/ }));
  await screen.findByText(NOTE);
});
