// The prompt and where it comes from: what a stretch says under the pointer, where a press on it
// leads, what became of every token, and how long it all is.
import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json']);

beforeAll(() => studio.pointer.focus());

const SPOT = '[aria-label="Evaluated prompt"] [data-spot]';

/** The stretches of the prompt, and the sections their bands are of, by tint. */
const spots = () => studio.page.lines(SPOT);

/** Where the stretch with these words is. */
const spotOf = async (words: string): Promise<string> => {
  const at = (await spots()).findIndex((spot) => spot.includes(words));
  expect(at).toBeGreaterThanOrEqual(0);
  const [id] = (await studio.page.all(SPOT, 'data-spot')).slice(at, at + 1);
  return `[data-spot="${String(id)}"]`;
};

test('a stretch tells its token, item and field, and a press with Ctrl leads there', async () => {
  const { page } = studio;
  await page.setSwitch('Random item of personas', false);
  await page.choose('Item of personas', 'deadpan');
  await eventually(async () => {
    expect((await spots()).join('')).toContain('You are dry');
  });
  await studio.pointer.ctrlClick(await spotOf('Let a joke stand'));
  await eventually(async () => {
    expect(await page.focused()).toBe('personas.deadpan.base_directives entry 2');
  });
  await eventually(async () => {
    const provenance = await page.content('.provenance');
    for (const words of ['personas.base_directives', 'deadpan', 'base_directives[1]']) {
      expect(provenance).toContain(words);
    }
  });
});

test('an undeclared name is underlined until the key that makes it a declared one', async () => {
  const { page } = studio;
  const MARK = '[aria-label="Evaluated prompt"] .undeclared-name';
  const marked = (expected: string[]) =>
    eventually(async () => {
      expect(await page.lines(MARK)).toEqual(expected);
    });
  await marked([]);
  await page.menu('base_context actions', 'Edit items');
  await page.press('Edit pub_night');
  const field = 'base_context.pub_night.text';
  await page.type(field, 'Live at {venu');
  await eventually(async () => {
    expect((await spots()).join('')).toContain('Live at {venu');
  });
  await marked(['{venu']);
  await page.keys([], '}');
  await marked(['{venu}']);
  expect(await page.all(MARK, 'title')).toEqual(['{venu} is not declared in base_context']);
  // What an engine can't read of a style it leaves out, and nothing is drawn.
  const line = await studio.window.executeScript<string[]>(
    `const style = getComputedStyle(document.querySelector(arguments[0]));
     return [style.textDecorationLine, style.textDecorationStyle];`,
    MARK,
  );
  expect(line).toEqual(['underline', 'wavy']);
  // The name in the text is what the problem is about: it leads where the problem's row does.
  await page.pressRow('[aria-label="Evaluated prompt"] [data-spot]');
  await studio.pointer.ctrlClick(MARK);
  await eventually(async () => {
    expect(await page.focused()).toBe(field);
  });
  await page.keys([], Key.END);
  await page.keys([], Key.ARROW_LEFT);
  await page.keys([], 'e');
  await marked([]);
  await eventually(async () => {
    expect((await spots()).join('')).toContain('Live at ');
    expect((await spots()).join('')).not.toContain('{venu');
  });
  // Lint follows, and takes its line below the field away: nothing moves any more after that.
  await page.press('Close items of base_context');
  await eventually(async () => {
    const problems = await page.lines('section[aria-label="Problems"] .words');
    expect(problems.join()).not.toContain('not declared');
  });
});

test('every token says what became of it, and why', async () => {
  const { page } = studio;
  const rows = async () => {
    const selector = 'ol[aria-label="Assembly order"] > li';
    const [states, words] = [await page.all(selector, 'data-state'), await page.lines(selector)];
    return states.map((state, index) => [state, words[index] ?? ''] as const);
  };
  const expectState = (state: string, words: string) =>
    eventually(async () => {
      const found = (await rows()).filter(([each]) => each === state).map(([, each]) => each);
      expect(
        found.some((each) => each.includes(words)),
        `${state} ${words}`,
      ).toBe(true);
    });
  await expectState('rendered', 'personas.context');
  await expectState('merged', 'merged into the list above');
  await expectState('dropped', 'deadpan has no sign_off');
  await expectState('dropped', 'nothing is selected');
  await page.check('runtime_injections', 'wrong_answer', true);
  await expectState('filtered', 'base_context.text');
  await page.check('runtime_injections', 'wrong_answer', false);
  await expectState('rendered', 'base_context.text');
});

test('the tokens of the sections are those of the prompt', async () => {
  const { page } = studio;
  const figures = (text: string) => (text.match(/\d+/g) ?? []).map(Number);
  await page.sees('[aria-label^="Tokens per section"] > i');
  await eventually(async () => {
    const [shares = ''] = await page.all('[aria-label^="Tokens per section"]', 'aria-label');
    const toolRow = await page.content('section[aria-label="Preview"] .tool-row.ruled');
    const whole = /([\d,]+)\s+tokens/.exec(toolRow)?.[1]?.replaceAll(',', '');
    const sum = figures(shares).reduce((total, each) => total + each, 0);
    expect(sum).toBeGreaterThan(0);
    // Text between two sections belongs to neither.
    expect(Number(whole) - sum).toBeGreaterThanOrEqual(0);
    expect(Number(whole) - sum).toBeLessThan(30);
  });
});
