// Pictures of the window in both themes and two sizes, for people to look at, and what can be
// measured about them: nothing sticks out sideways.
import { Key } from 'selenium-webdriver';
import { expect, test } from 'vitest';

import { Home, Studio } from './studio';

const sizes = [
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
];

test.each(sizes)('nothing sticks out at $width x $height', async (size) => {
  const home = new Home();
  const studio = await Studio.open(home, size);
  try {
    await studio.page.openRegistry('Trivia Host', 'trivia_host.json');
    // Counts follow the prompt; a picture without them would be of another moment each time.
    await studio.page.sees('[aria-label^="Tokens per section"] > i');
    for (const theme of ['light', 'dark']) {
      await studio.page.setTheme(theme);
      await studio.page.pointerAway();
      await studio.picture(`studio-${theme}-${String(size.width)}`);
      const [visibleWidth, needed] = (await studio.window.executeScript(
        'const page = document.documentElement; return [page.clientWidth, page.scrollWidth]',
      )) as [number, number];
      expect(visibleWidth).toBe(size.width);
      expect(needed).toBeLessThanOrEqual(visibleWidth);
    }
    await studio.page.showTab('Chat');
    for (const panel of ['Capabilities', 'Conversation', 'Template', 'Checks', 'Compare']) {
      await studio.page.pressIn('Chat panel', panel);
      for (const theme of ['light', 'dark']) {
        await studio.page.setTheme(theme);
        await studio.page.pointerAway();
        await studio.picture(`chat-${panel.toLowerCase()}-${theme}-${String(size.width)}`);
      }
      const wide = await studio.window.executeScript<string[]>(
        `return [...document.querySelectorAll('[role=tabpanel] *')]
           .filter((each) => getComputedStyle(each).overflowX === 'visible')
           .filter((each) => each.getBoundingClientRect().right > window.innerWidth + 1)
           .map((each) => each.outerHTML.slice(0, 120))`,
      );
      expect(wide, panel).toEqual([]);
    }
  } finally {
    await studio.close();
    await home.remove();
  }
});

test('a narrow window cuts off no name in its top bar', async () => {
  const home = new Home();
  const studio = await Studio.open(home, { width: 800, height: 700 });
  try {
    await studio.page.open('Registry');
    await studio.page.pressRow('[data-file="trivia_host.json"] .name');
    await studio.page.sees('button[aria-label^="Registry: Trivia Host"]');
    await studio.page.sees('[data-card="personas"]');
    await studio.page.keys([Key.CONTROL, Key.SHIFT], 'S');
    await studio.page.sees('button[aria-label^="Snapshots: "]');
    await studio.page.keys([Key.CONTROL, Key.SHIFT], 'S');
    await studio.page.sees('button[aria-label^="Snapshots: "][aria-label$=" (2)"]');
    expect(await studio.page.content('header.topbar .number'), 'of two equal names').toBe('(2)');
    for (const theme of ['light', 'dark']) {
      await studio.page.setTheme(theme);
      await studio.page.pointerAway();
      await studio.picture(`studio-${theme}-800`);
    }
    const [cut, wide] = await studio.window.executeScript<[string[], number]>(
      `const names = [...document.querySelectorAll('header.topbar .picker :is(.ell, .number)')];
       return [
         names.filter((name) => name.clientWidth > 1 && name.scrollWidth > name.clientWidth)
           .map((name) => name.textContent),
         document.documentElement.scrollWidth,
       ];`,
    );
    expect(cut).toEqual([]);
    expect(wide).toBeLessThanOrEqual(800);
  } finally {
    await studio.close();
    await home.remove();
  }
});

test('lines stay readable on a very large window', async () => {
  const home = new Home();
  const studio = await Studio.open(home, { width: 3840, height: 2160 });
  try {
    await studio.page.sees('[aria-label^="Tokens per section"] > i');
    await studio.page.menu('personas actions', 'Edit items');
    await studio.page.press('Edit deadpan');
    await studio.page.sees('textarea[aria-label="personas.deadpan.context"]');
    for (const theme of ['light', 'dark']) {
      await studio.page.setTheme(theme);
      await studio.page.pointerAway();
      await studio.picture(`studio-${theme}-3840`);
    }
    const widest = (selector: string) =>
      studio.window.executeScript<number>(
        `return Math.max(...[...document.querySelectorAll(arguments[0])]
           .map((each) => each.getBoundingClientRect().width))`,
        selector,
      );
    expect(await studio.window.executeScript('return innerWidth')).toBe(3840);
    expect(await widest('[aria-label="Evaluated prompt"] .block')).toBeLessThanOrEqual(960);
    expect(await widest('[aria-label="Selected vs evaluated"] table')).toBeLessThanOrEqual(960);
    expect(await widest('[data-card]')).toBeLessThanOrEqual(1120);
    expect(await widest('[data-card] input[type=text]')).toBeLessThanOrEqual(480);
  } finally {
    await studio.close();
    await home.remove();
  }
});
