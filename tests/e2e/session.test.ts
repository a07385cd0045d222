// An author's session from beginning to end: choose, set modes, roll, lock, inject, export, take a
// snapshot, come back after a restart, switch back. After every step the preview shows, to the
// character, what the command line prints for the same state.
import { join } from 'node:path';

import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, reopen, studio } from './window-fixture';
import { eventually } from './wait';
import { promptdeck } from './programs';

const FILE = 'trivia_host.json';
const CHOSEN = '"value":"negative"';

interface State {
  selections: Record<string, string | string[]>;
  array_modes: Record<string, Record<string, string>>;
  section_random: Record<string, boolean>;
  sliders: Record<string, number>;
  slider_random: Record<string, boolean>;
  template_vars: Record<string, string>;
}

/** What the author has set so far, kept by the test itself. */
const state: State = {
  selections: {},
  array_modes: {},
  section_random: {},
  sliders: {},
  slider_random: {},
  template_vars: {},
};

opens(['Trivia Host', FILE]);

beforeAll(() => studio.page.showRaw());

/** What the command line makes of the state, with the seed the window shows. */
const expected = async (verb: 'hydrate' | 'export'): Promise<string> => {
  const call = verb === 'hydrate' ? ['--seed', await studio.page.read('Seed')] : [];
  const file = join(home.registries, FILE);
  return promptdeck([verb, file, '--state', '-', ...call], home.env, JSON.stringify(state));
};

/** The preview shows what the command line prints; gives the prompt. */
const agrees = async (): Promise<string> => {
  let prompt = '';
  await eventually(async () => {
    prompt = await studio.page.prompt();
    expect(prompt).toBe(await expected('hydrate'));
  });
  return prompt;
};

/** Rolls, and waits for the new seed. */
const rolls = async (): Promise<void> => {
  const before = await studio.page.read('Seed');
  await studio.page.press('Roll');
  await eventually(async () => {
    expect(await studio.page.read('Seed')).not.toBe(before);
  });
};

test('a sample opens with its prompt', async () => {
  expect(await agrees()).toContain('Read the room its next question.');
});

test('a chosen item is in the prompt', async () => {
  await studio.page.setSwitch('Random item of personas', false);
  await studio.page.choose('Item of personas', 'deadpan');
  state.selections.personas = 'deadpan';
  state.section_random.personas = false;
  expect(await agrees()).toContain('You are dry and in no hurry.');
});

test('a typed variable fills its sentence, an emptied one takes it away', async () => {
  await studio.page.type('base_context variable venue', 'The Brass Lantern');
  state.template_vars['base_context::venue'] = 'The Brass Lantern';
  expect(await agrees()).toContain('Tonight the microphone is at The Brass Lantern.');
  await studio.page.type('base_context variable venue', Key.BACK_SPACE);
  state.template_vars['base_context::venue'] = '';
  expect(await agrees()).not.toContain('microphone');
});

test('a mode narrows a list', async () => {
  await studio.page.takeEntry('sentiment', 'nudges', 2);
  state.array_modes.sentiment = { nudges: 'index:2' };
  expect(await agrees()).toContain('\nLet one team name amuse you.\n');
  await studio.page.rollEntry('sentiment', 'nudges');
  state.array_modes.sentiment = { nudges: 'random:1' };
  await agrees();
});

test('the mode of a list is below the rows of the open item', async () => {
  const { page } = studio;
  const modes = '[data-card="sentiment"] button[aria-label^="Mode of sentiment nudges: "]';
  const below = `[role=list] ${modes.replace('[data-card="sentiment"] ', '')}`;
  expect(await page.count(below)).toBe(0);
  await page.menu('sentiment actions', 'Edit items');
  await page.press('Edit positive');
  await page.sees(below);
  expect(await page.count(modes), 'it is there once').toBe(1);
  await page.takeEntry('sentiment', 'nudges', 1);
  state.array_modes.sentiment = { nudges: 'index:1' };
  await agrees();
  await page.rollEntry('sentiment', 'nudges');
  state.array_modes.sentiment = { nudges: 'random:1' };
  await agrees();
  await page.press('Close items of sentiment');
  await eventually(async () => {
    expect(await page.count(below)).toBe(0);
    expect(await page.count(modes)).toBe(1);
  });
});

test('a roll moves what is rolled; a lock holds it', async () => {
  await studio.page.setSwitch('Random item of personas', true);
  state.section_random.personas = true;
  await agrees();
  await rolls();
  await agrees();

  const rolled = JSON.parse(
    promptdeck(
      [
        'hydrate',
        join(home.registries, FILE),
        '--state',
        '-',
        '--explain',
        '--format',
        'json',
        '--seed',
        await studio.page.read('Seed'),
      ],
      home.env,
      JSON.stringify(state),
    ),
  ) as { evaluation: { sections: { personas: { items: { id: string }[] } } } };
  const persona = rolled.evaluation.sections.personas.items[0]?.id ?? '';
  await studio.page.press(`Lock personas ${persona}`);
  state.selections.personas = persona;
  state.section_random.personas = false;
  const locked = await agrees();
  await rolls();
  const again = await agrees();
  expect(again.split('\n\n')[2]).toBe(locked.split('\n\n')[2]);
});

test('an injection leaves only the sections it names', async () => {
  await studio.page.check('runtime_injections', 'wrong_answer', true);
  state.selections.runtime_injections = ['wrong_answer'];
  expect(await agrees()).toContain('The corner table has just missed.');
  await eventually(async () => {
    expect((await studio.page.filteredCards()).sort()).toEqual([
      'base_context',
      'examples',
      'output_prompt_directions',
      'prompt_endings',
      'static_injections',
    ]);
  });
  await studio.page.check('runtime_injections', 'wrong_answer', false);
  state.selections.runtime_injections = [];
  await agrees();
});

test('the exported model is what the command line exports', async () => {
  await studio.page.menu('Export Model JSON', 'Copy model JSON');
  await eventually(async () => {
    expect(await studio.page.source()).toContain('Model JSON copied to the clipboard.');
  });
  await studio.page.type('Find in deck', Key.chord(Key.CONTROL, 'v'));
  await eventually(async () => {
    const pasted: unknown = JSON.parse(await studio.page.read('Find in deck'));
    expect(pasted).toEqual(JSON.parse(await expected('export')));
  });
  await studio.page.type('Find in deck', Key.BACK_SPACE);
});

test('a snapshot brings everything back, even after a restart', async () => {
  const agreed = await agrees();
  const seed = await studio.page.read('Seed');
  await studio.page.keys([Key.CONTROL, Key.SHIFT], 'S');
  await eventually(() => {
    expect(promptdeck(['snapshot', 'list', '--format', 'json'], home.env)).toContain(FILE);
  });

  await studio.page.choose('Item of sentiment', 'negative');
  const before = { ...state.selections };
  state.selections.sentiment = 'negative';
  const moved = await agrees();
  expect(moved).not.toBe(agreed);

  // The driver ends the window without asking; work not yet in the store would be lost by that.
  await eventually(() => {
    expect(home.keeps(CHOSEN)).toBe(true);
  });
  await studio.close();
  await reopen();
  await studio.page.openRegistry('Trivia Host', FILE);
  await studio.page.showRaw();
  expect(await agrees(), 'the unsaved session came back').toBe(moved);

  await studio.page.press('Snapshots');
  await studio.page.pressWords('Switch');
  state.selections = before;
  await eventually(async () => {
    expect(await studio.page.read('Seed')).toBe(seed);
  });
  expect(await agrees()).toBe(agreed);
});

test('a value that was locked can be unlocked after a restart', async () => {
  const { page } = studio;
  await page.keys([], Key.ESCAPE);
  const locks = (label: string) => `[data-card="sentiment"] button[aria-label^="${label} "]`;
  await page.setSwitch('Random slider of sentiment', true);
  await page.sees(locks('Lock'));
  const [lock = ''] = await page.all(locks('Lock'), 'aria-label');
  await page.press(lock);
  await page.sees(locks('Unlock'));
  const [unlock = ''] = await page.all(locks('Unlock'), 'aria-label');
  await eventually(() => {
    expect(home.keeps('{"kind":"slider","section":"sentiment"}')).toBe(true);
  });
  await studio.close();
  await reopen();
  await studio.page.openRegistry('Trivia Host', FILE);
  await studio.page.press(unlock);
  await studio.page.sees(locks('Lock'));
});

test('the seed before the last roll is there after a restart', async () => {
  const before = await studio.page.read('Seed');
  await rolls();
  await eventually(() => {
    expect(home.keeps(`"last_seed":${before}`)).toBe(true);
  });
  await studio.close();
  await reopen();
  await studio.page.openRegistry('Trivia Host', FILE);
  await studio.page.pressWords('Use last');
  await eventually(async () => {
    expect(await studio.page.read('Seed')).toBe(before);
  });
});
