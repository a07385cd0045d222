// Which fields are checked for spelling: prose, while the setting is on.
import { fireEvent } from '@testing-library/svelte';
import { expect, test } from 'vitest';
import { guides } from '../../testing/guides';
import { key, openStudio } from '../../testing/studio';
import { callScene } from '../../testing/talk';

type Opened = Awaited<ReturnType<typeof openStudio>>;

/** The window with every card and every item open, and fields of every kind in them. */
async function openFields(): Promise<Opened> {
  const scene = guides();
  const tree = structuredClone(scene.tree) as { registry: Record<string, unknown> };
  Object.assign(tree.registry, {
    description: 'Guides for a tour.',
    output_policy: { strip_patterns: ['^Sure'], append_suffix: '[end]' },
    sentiment: {
      required: true,
      scale_template: 'Feel {emotion} at {value}.',
      template_vars: ['town'],
      items: [
        {
          id: 'calm',
          context: 'A calm {town}.',
          pre_context: 'Speak like this:',
          scale_emotion: 'calm',
          examples: ['Take your time.'],
          runtime_variables: ['town'],
          fragments: [{ if_var: 'town', text: 'In {town}.' }],
          weights: { a: 1 },
        },
      ],
    },
  });
  const evaluated = scene.preview(scene.tree);
  const slider = { selected: 5, used: 5, origin: 'default' as const };
  const sentiment = { ...evaluated.sections.middle[0]!, section: 'sentiment', slider };
  const sections = { head: 0, middle: [...evaluated.sections.middle, sentiment], tail: 0 };
  const opened = await openStudio({
    ...scene,
    preview: () => ({ ...evaluated, sections }),
    tree: tree as never,
  });
  for (const name of [/^Expand /, /^Edit items of /]) {
    for (const button of opened.screen.queryAllByRole('button', { name }))
      await fireEvent.click(button);
  }
  return opened;
}

const fields = () => [
  ...document.querySelectorAll('textarea, input[type="text"], input:not([type])'),
];

/** Labels of the fields that are checked, or of those that are not. */
const labels = (value: 'true' | 'false') =>
  fields()
    .filter((field) => field.getAttribute('spellcheck') === value)
    .map((field) => field.getAttribute('aria-label'));

const PROSE = [
  'personas.calm.context',
  'personas.calm.tips entry 1',
  'personas.calm.tips entry 2',
  'personas.calm.tips entry 3',
  'sentiment.calm.context',
  'sentiment.calm.pre_context',
  'sentiment.calm.examples entry 1',
  'Fragment 1 text',
  'registry.description',
];

test('prose is checked, and nothing else', async () => {
  await openFields();
  expect(labels('true')).toEqual(PROSE);
  const others = labels('false');
  expect(others).toEqual(
    expect.arrayContaining([
      'Seed',
      'Find in deck',
      'Item name',
      'sentiment variable town',
      'Scale sentence of sentiment',
      'sentiment.calm.scale_emotion',
      'sentiment.calm.runtime_variables entry 1',
      'sentiment.calm.weights',
      'registry.title',
      'generation.model',
      'output_policy.strip_patterns entry 1',
      'output_policy.append_suffix',
      'Add entry',
    ]),
  );
  // A field without the attribute is checked or not as the browser likes.
  expect(PROSE.length + others.length).toBe(fields().length);
});

test('the palette switches it off and on, and the service stores it', async () => {
  const { fake, screen } = await openFields();
  const saved = () =>
    fake.calls
      .filter(({ name }) => name === 'saveSettings')
      .map(({ args }) => (args[0] as { spell_check: boolean }).spell_check)
      .at(-1);
  const choose = async (name: string) => {
    key('k', { ctrlKey: true });
    await screen.findByRole('combobox', { name: 'Commands' });
    await fireEvent.click(screen.getByRole('option', { name }));
  };
  await choose('Do not check spelling');
  await expect.poll(() => labels('true')).toEqual([]);
  await expect.poll(saved).toBe(false);
  await choose('Check spelling');
  await expect.poll(() => labels('true')).toEqual(PROSE);
  await expect.poll(saved).toBe(true);
});

test('messages are checked, responses of tools and what is pasted are not', async () => {
  const scene = guides();
  const { fake, screen } = await openStudio({ ...scene, call: callScene(scene.file) });
  await expect.poll(() => fake.calls.some(({ name }) => name === 'useCall')).toBe(true);
  await fireEvent.click(screen.getByRole('tab', { name: 'Request' }));
  await fireEvent.click(screen.getByRole('button', { name: 'Edit conversation' }));
  await screen.findByRole('heading', { name: 'Conversation' });
  await fireEvent.click(screen.getByRole('button', { name: 'Paste messages' }));
  expect(labels('true')).toEqual([
    'Text of message 1',
    'Text of message 2',
    'Text of message 4',
    'Text of the new message',
  ]);
  expect(labels('false')).toEqual(
    expect.arrayContaining(['Text of message 3', 'Messages as JSON of OpenAI or Anthropic']),
  );
});

test('a text so long that checking it would hold up each key is not checked', async () => {
  await openFields();
  const found = fields().find((each) => each.getAttribute('aria-label') === PROSE[0]);
  const field = found as HTMLTextAreaElement;
  field.focus();
  await fireEvent.input(field, { target: { value: 'word '.repeat(2_000) } });
  expect(field.getAttribute('spellcheck')).toBe('true');
  await fireEvent.input(field, { target: { value: 'word '.repeat(2_001) } });
  await expect.poll(() => field.getAttribute('spellcheck')).toBe('false');
});

test('contents of a chat are checked, except those of tools', async () => {
  const { screen } = await openStudio(guides());
  await fireEvent.click(screen.getByRole('tab', { name: 'Chat' }));
  await fireEvent.click(await screen.findByRole('radio', { name: 'Conversation' }));
  const content = screen.getByRole('textbox', { name: 'Content of message 1' });
  expect(content.getAttribute('spellcheck')).toBe('true');
  await fireEvent.click(screen.getByRole('button', { name: 'Role of message 1: user' }));
  await fireEvent.click(await screen.findByRole('option', { name: 'tool' }));
  await expect.poll(() => content.getAttribute('spellcheck')).toBe('false');
});
