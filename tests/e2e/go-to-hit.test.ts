// Where a hit leads: chosen in the palette, in Find or in the list of variants, it is in sight and
// marked, whichever tab of the preview is shown and however the deck is scrolled.
import { beforeAll, beforeEach, expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';

opens(['Trivia Host', 'trivia_host.json']);

beforeAll(() => studio.pointer.focus());

const TABS = ['Prompt', 'Chat', 'Request', 'Run', 'Variants', 'Compare', 'Checks', 'JSON'];

/** Whether what is marked, or has the focus, lies within the window and nothing covers it. */
const IN_SIGHT = `
  const element = document.querySelector('[data-found]') ?? document.activeElement;
  const box = element.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height, 24) / 2);
  return element !== document.body && element.contains(top);`;

const inSight = () =>
  eventually(async () => {
    expect(await studio.window.executeScript<boolean>(IN_SIGHT)).toBe(true);
  });

/** Types into the palette and takes the first result, by X keys. */
async function choose(letters: string): Promise<void> {
  studio.pointer.key('ctrl+k');
  await studio.page.sees('[role=combobox][aria-label="Commands"]');
  studio.pointer.type(letters);
  await eventually(async () => {
    const first = await studio.page.content('[role=option][aria-selected="true"] .ell');
    expect(first.toLowerCase()).toContain(letters.replace(/^[@>#]/, '').toLowerCase());
  });
  studio.pointer.key('Return');
}

beforeEach(async () => {
  await studio.page.command('>collapse all');
});

test.each(TABS)('the palette leads to a field from the tab %s', async (tab) => {
  await studio.page.showTab(tab);
  await choose('@personas.deadpan.base_directives');
  await eventually(async () => {
    expect(await studio.page.focused()).toBe('personas.deadpan.base_directives entry 1');
  });
  await inSight();
});

test.each([
  ['a section', '@prompt_endings'],
  ['an item', '@personas.deadpan'],
  ['an entry of the assembly', '@sentiment.nudges'],
])('the palette leads to %s', async (_, letters) => {
  await choose(letters);
  await inSight();
});

test('Find leads to a text in a closed card, while the conversation has its place', async () => {
  await choose('>Edit the conversation');
  await studio.page.sees('[data-conversation]');
  studio.pointer.key('ctrl+f');
  await eventually(async () => {
    expect(await studio.page.focused()).toBe('Find in deck');
  });
  studio.pointer.type('deadpan');
  studio.pointer.key('Return');
  await studio.page.sees('[data-found]');
  await inSight();
  studio.pointer.key('Escape');
});

/** The words that are marked, and how often, by the name of the highlight. */
const marked = (name: string) =>
  studio.window.executeScript<string[]>(
    'return [...(CSS.highlights.get(arguments[0]) ?? [])].map((range) => range.toString())',
    name,
  );

test('Find shows the first match while it is typed, Escape leaves the focus on it', async () => {
  const { page, pointer } = studio;
  await page.showTab('Prompt');
  pointer.key('ctrl+f');
  await eventually(async () => {
    expect(await page.focused()).toBe('Find in deck');
  });
  pointer.key('ctrl+a');
  pointer.type('table');
  await eventually(async () => {
    expect((await page.content('.hits')).trim()).toMatch(/^1 of \d$/);
    expect(await marked('found-on-cards-shown')).toEqual(['table']);
  });
  await inSight();
  expect(await page.focused()).toBe('Find in deck');
  await studio.picture('find-as-typed');
  const shown = () =>
    studio.window.executeScript<string>(
      "return document.querySelector('[data-found]').ariaLabel ?? ''",
    );
  const first = await shown();
  pointer.key('Return');
  await eventually(async () => {
    expect((await page.content('.hits')).trim()).toMatch(/^2 of \d$/);
    expect(await shown()).not.toBe(first);
  });
  await inSight();
  const second = await shown();
  pointer.key('Escape');
  await eventually(async () => {
    expect(await page.focused()).toBe(second);
  });
  const selected = await studio.window.executeScript<string>(`
    const { value, selectionStart, selectionEnd } = document.activeElement;
    return value?.slice(selectionStart, selectionEnd) ?? getSelection().toString();`);
  expect(selected).toBe('table');
  expect(await page.count('.hits')).toBe(0);
  expect(
    await studio.window.executeScript("return document.querySelector('[data-find]').value"),
  ).toBe('');
  await studio.picture('find-after-escape');
});

test('what Find finds is marked as it is typed, the shown one more strongly, and no more when it is left', async () => {
  const { page, pointer } = studio;
  await page.showTab('Prompt');
  await choose('@personas.deadpan.context');
  await eventually(async () => {
    expect(await page.focused()).toBe('personas.deadpan.context');
  });
  await pointer.click('[data-find]');
  pointer.key('ctrl+a');
  pointer.type('the');
  await eventually(async () => {
    const [cards, prompt] = [await marked('found-on-cards'), await marked('found-in-prompt')];
    expect(cards.length).toBeGreaterThan(1);
    expect(prompt.length).toBeGreaterThan(4);
    expect([...cards, ...prompt].every((words) => words.toLowerCase() === 'the')).toBe(true);
  });
  await eventually(async () => {
    expect(await marked('found-on-cards-shown')).toHaveLength(1);
  });
  await studio.page.setTheme('light');
  await pointer.click('[data-find]');
  await studio.picture('find-marks');
  for (let step = 0; step < 12; step += 1) {
    if ((await marked('found-in-prompt-shown')).length > 0) break;
    pointer.key('Return');
    await pointer.keysArrived();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(await marked('found-in-prompt-shown')).toHaveLength(1);
  await studio.picture('find-marks-light');
  await studio.page.setTheme('dark');
  await pointer.click('[data-find]');
  await eventually(async () => {
    expect((await marked('found-in-prompt')).length).toBeGreaterThan(4);
    expect(await marked('found-on-cards-shown'), 'it is still the one').toHaveLength(1);
  });
  await studio.picture('find-marks-dark');
  await studio.page.setTheme('light');
  await pointer.click('[data-find]');
  pointer.key('Escape');
  await eventually(async () => {
    expect(await marked('found-on-cards')).toEqual([]);
    expect(await marked('found-in-prompt')).toEqual([]);
  });
});

/** Whether the hit that is shown more strongly in the tab is in the view of what scrolls there. */
const SHOWN_IN_SIGHT = `
  const [range] = CSS.highlights.get('found-in-prompt-shown') ?? [];
  if (!range) return null;
  const { top, bottom, left } = range.getBoundingClientRect();
  const hit = document.elementFromPoint(left + 2, (top + bottom) / 2);
  return hit !== null && (hit.contains(range.startContainer) || range.startContainer.parentElement.contains(hit));`;

test.each([
  ['Chat', undefined],
  ['Request', 'Body'],
  ['Run', undefined],
])('Find marks the words in %s and scrolls to the hit that it shows', async (tab, pane) => {
  const { page, pointer } = studio;
  await page.showTab(tab);
  if (pane !== undefined) await page.pressIn('View of the request', pane);
  await page.setTheme('light');
  await pointer.click('[data-find]');
  pointer.key('ctrl+a');
  pointer.type('the');
  const isInSight = () => studio.window.executeScript<boolean | null>(SHOWN_IN_SIGHT);
  for (let step = 0; step < 30; step += 1) {
    pointer.key('Return');
    await pointer.keysArrived();
    await new Promise((resolve) => setTimeout(resolve, 250));
    if ((await isInSight()) !== null) break;
  }
  await eventually(async () => expect(await isInSight()).toBe(true));
  expect((await marked('found-in-prompt')).length).toBeGreaterThan(0);
  expect((await marked('found-in-prompt-shown')).map((each) => each.toLowerCase())).toEqual([
    'the',
  ]);
  await studio.picture(`find-in-${tab.toLowerCase()}-light`);
  await page.setTheme('dark');
  await pointer.click('[data-find]');
  await eventually(async () => expect(await marked('found-in-prompt-shown')).toHaveLength(1));
  await studio.picture(`find-in-${tab.toLowerCase()}-dark`);
  await page.setTheme('light');
  await pointer.click('[data-find]');
  pointer.key('Escape');
  await eventually(async () => expect(await marked('found-in-prompt')).toEqual([]));
});

test('the name of a section that is found is marked on its card', async () => {
  const { pointer } = studio;
  await pointer.click('[data-find]');
  pointer.key('ctrl+a');
  pointer.type('prompt_end');
  await eventually(async () => {
    expect(await marked('found-on-cards-shown')).toEqual(['prompt_end']);
  });
  await inSight();
  await studio.picture('find-marks-name');
  pointer.key('Escape');
  await eventually(async () => {
    expect(await marked('found-on-cards')).toEqual([]);
  });
});

test('a variant that is chosen stays in sight and is marked', async () => {
  await studio.page.showTab('Variants');
  await eventually(async () => {
    expect(await studio.page.count('.variant')).toBeGreaterThan(3);
  });
  // The profile above the list moves its rows when it arrives.
  await studio.page.sees('[data-block="lengths"] [data-bar]');
  await studio.pointer.click('.variant:nth-child(4)', { x: 0.3 });
  const marked = '.variant:nth-child(4)[aria-current="true"]';
  await studio.page.sees(marked);
  // The sample is drawn again for the new seed; the row is the same.
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await studio.page.count(marked)).toBe(1);
});

test('words are replaced one after the other and all at once, by keys and pointer', async () => {
  const { page, pointer } = studio;
  await page.showTab('Prompt');
  const prompt = () => page.content('[aria-label="Evaluated prompt"]');
  const shows = (words: string, isPresent: boolean) =>
    eventually(async () => {
      expect((await prompt()).includes(words)).toBe(isPresent);
    });
  const before = await prompt();
  pointer.key('ctrl+h');
  await eventually(async () => {
    expect(await page.focused()).toBe('Find in deck');
  });
  pointer.type('spoken words');
  pointer.key('Tab');
  pointer.type('said words');
  await eventually(async () => {
    expect(await marked('found-on-cards-shown')).toEqual(['spoken words']);
  });
  await shows('said words', false);
  pointer.key('Return');
  await shows('said words alone', true);
  await pointer.click('[data-find]');
  pointer.key('ctrl+a');
  pointer.type('said words');
  await pointer.click('[data-replace]');
  pointer.key('ctrl+a');
  pointer.type('spoken words');
  await page.press('Collapse all');
  await page.pressWords('Replace all 1');
  await eventually(async () => {
    expect(await prompt()).toBe(before);
  });
  await page.sees('.notice');
  // From the deck: in a field the key takes back what was typed there.
  await pointer.click('[data-card] h3, [data-card] header');
  pointer.key('ctrl+z');
  await shows('said words', true);
  await eventually(async () => {
    expect(await page.content('[data-notices]')).not.toContain('Replaced');
  });
  pointer.key('ctrl+shift+z');
  await eventually(async () => {
    expect(await prompt()).toBe(before);
  });
  await pointer.click('[data-replace]');
  pointer.key('Escape');
  await eventually(async () => {
    expect(await page.count('[data-replace]')).toBe(0);
    expect(await page.count('.hits')).toBe(0);
  });
});

test('whole words and the same case are chosen by keys and by the pointer', async () => {
  const { page, pointer } = studio;
  const hits = (words: string) =>
    eventually(async () => {
      expect((await page.content('.hits')).trim()).toBe(words);
    });
  pointer.key('ctrl+f');
  pointer.key('ctrl+a');
  pointer.type('HOST');
  await eventually(async () => {
    expect(await page.content('.hits')).toMatch(/^\s*\d of [2-9]/);
  });
  const all = (await page.content('.hits')).trim();
  pointer.key('alt+c');
  await hits('No matches');
  await pointer.click('[aria-label="Match case"]');
  await hits(all);
  // The pointer left the focus in the field.
  pointer.key('alt+w');
  pointer.key('ctrl+a');
  pointer.type('hos');
  await hits('No matches');
  pointer.key('alt+w');
  await eventually(async () => {
    expect(await page.content('.hits')).toMatch(/^\s*\d of /);
  });
});
