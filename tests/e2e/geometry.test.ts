// Positions measured in the real window: what must not move, what must not be cut, and
// what must be in one column. Nothing of it can be seen without a layout.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { opens, studio } from './window-fixture';
import { eventually } from './wait';
import { largeRegistry } from './speed/large-registry';

opens(['Trivia Host', 'trivia_host.json'], ({ registries }) => {
  writeFileSync(join(registries, 'large.json'), largeRegistry());
});

beforeAll(() => studio.pointer.focus());

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The boxes of everything that a selector finds, in whole pixels. */
const boxes = (selector: string): Promise<Box[]> =>
  studio.window.executeScript(
    `return [...document.querySelectorAll(arguments[0])].map((each) => {
       const { left, top, right, bottom } = each.getBoundingClientRect();
       return {
         left: Math.round(left),
         top: Math.round(top),
         right: Math.round(right),
         bottom: Math.round(bottom),
       };
     })`,
    selector,
  );

const box = async (selector: string): Promise<Box> => {
  const [found] = await boxes(selector);
  if (!found) throw new Error(`${selector} is not there`);
  return found;
};

/** A property of an element's computed style. */
const style = (selector: string, property: string): Promise<string> =>
  studio.window.executeScript(
    'return getComputedStyle(document.querySelector(arguments[0])).getPropertyValue(arguments[1])',
    selector,
    property,
  );

/** Scrolls to an element and gives the places it had in the frames after that, each once. */
const placesAfterScroll = (selector: string): Promise<number[]> =>
  studio.window.executeAsyncScript(
    `const [selector, done] = arguments;
     const element = document.querySelector(selector);
     element.scrollIntoView({ block: 'center' });
     const places = new Set();
     let frames = 0;
     const look = () => {
       places.add(Math.round(element.getBoundingClientRect().top));
       frames += 1;
       if (frames === 40) done([...places]);
       else requestAnimationFrame(look);
     };
     look();`,
    selector,
  );

test('a card is pressed where it is scrolled to, also below one that was just put back', async () => {
  const { page, pointer } = studio;
  for (const name of ['alpha', 'beta']) {
    await page.press('Add section');
    await page.type('Section name', name);
    pointer.key('Return');
    await page.sees(`[data-card="${name}"]`);
  }
  await page.menu('beta actions', 'Delete section');
  await page.pressInDialog('Delete section');
  await eventually(async () => {
    expect(await page.count('[data-card="beta"]')).toBe(0);
  });
  await studio.window.executeScript(
    `document.querySelector('[data-column="deck"] .scroll').scrollTop = 0`,
  );
  pointer.key('ctrl+z');
  await page.sees('[data-card="beta"]');
  expect(await placesAfterScroll('[data-card="#generation"]')).toHaveLength(1);
  await pointer.click('button[aria-label="Expand Generation"]');
  await page.sees('button[aria-label="Collapse Generation"]');
  await page.press('Collapse Generation');
});

test('cards and prompt keep their place when their scroll bar comes and goes', async () => {
  const { page } = studio;
  const card = '[data-card="base_context"]';
  const scrolls = () =>
    studio.window.executeScript<boolean>(
      `const scroller = document.querySelector('[data-column="deck"] .scroll');
       return scroller.scrollHeight > scroller.clientHeight;`,
    );
  await eventually(async () => {
    expect(await scrolls()).toBe(true);
  });
  const long = await box(card);
  await page.press('Collapse all');
  await eventually(async () => {
    expect(await scrolls()).toBe(false);
  });
  const short = await box(card);
  expect([short.left, short.right]).toEqual([long.left, long.right]);
  await page.press('Expand all');
});

test('what a dialog says moves none of its fields and buttons', async () => {
  const { page } = studio;
  await page.command('add a connection');
  await page.type('Base URL', 'http://127.0.0.1:9');
  const controls = () => boxes('dialog[open] :is(input, button)');
  const before = await controls();
  await page.pressInDialog('Test');
  await page.sees('dialog[open] [role=alert]');
  expect(await controls()).toEqual(before);
  await page.pressInDialog('Cancel');
});

test('the fragment that is edited has a ring around all of it', async () => {
  const { page, pointer } = studio;
  await page.menu('base_context actions', 'Edit items');
  await page.press('Edit pub_night');
  const text = 'textarea[data-place*="fragments"]';
  const entry = '[data-text-row]:has(.text textarea:focus)';
  await pointer.click(text);
  await page.sees(entry);
  expect(await style(entry, 'box-shadow')).toMatch(/ 1\.5px(?: inset)?$/);
  const ring = await box(entry);
  const [words] = await boxes(text);
  expect(words!.left).toBeGreaterThanOrEqual(ring.left);
  expect(words!.right).toBeLessThanOrEqual(ring.right);
  // Nothing around it cuts the ring off.
  const clips = await studio.window.executeScript<string[]>(
    `const [selector] = arguments;
     const ring = document.querySelector(selector).getBoundingClientRect();
     const clips = [];
     for (let each = document.querySelector(selector).parentElement; each; each = each.parentElement) {
       const { overflowX, contain } = getComputedStyle(each);
       if (overflowX === 'visible' && !/paint|strict|content/.test(contain)) continue;
       const frame = each.getBoundingClientRect();
       if (frame.left > ring.left - 1 || frame.right < ring.right + 1) clips.push(each.className);
     }
     return clips;`,
    entry,
  );
  expect(clips).toEqual([]);
  expect(await boxes(text).then((all) => new Set(all.map(({ left }) => left)).size)).toBe(1);
  await page.press('Close items of base_context');
});

test('the texts of fragments are aligned in one column on the card', async () => {
  const words = await boxes('[data-card="base_context"] .fragment > .words');
  expect(words.length).toBeGreaterThan(1);
  expect(new Set(words.map(({ left }) => left)).size).toBe(1);
});

test('a file that is dragged over the window is answered by a frame around all of it', async () => {
  const drag = (kind: string) =>
    studio.window.executeScript(
      `const files = new DataTransfer();
       files.items.add(new File(['{}'], 'dragged.json', { type: 'application/json' }));
       document.body.dispatchEvent(
         new DragEvent(arguments[0], { dataTransfer: files, bubbles: true, cancelable: true }),
       );`,
      kind,
    );
  await drag('dragover');
  await studio.page.sees('.drop');
  const [width, height] = await studio.window.executeScript<[number, number]>(
    'return [innerWidth, innerHeight]',
  );
  expect(await box('.drop')).toEqual({
    left: 12,
    top: 12,
    right: width - 12,
    bottom: height - 12,
  });
  const frame = await box('.drop');
  const words = await box('.drop .words');
  expect(Math.abs(words.left + words.right - frame.left - frame.right)).toBeLessThanOrEqual(2);
  expect(Math.abs(words.top + words.bottom - frame.top - frame.bottom)).toBeLessThanOrEqual(2);
  expect(await style('.drop', 'pointer-events')).toBe('none');
  await studio.picture('dragged-over');
  await drag('dragleave');
  await eventually(async () => {
    expect(await studio.page.count('.drop')).toBe(0);
  });
});

test('the runs of several seeds are aligned in rows: heads, texts and figures at the same height', async () => {
  const { page, pointer } = studio;
  await page.showRuns();
  await page.press('More seeds');
  pointer.key('ctrl+Return');
  await eventually(async () => {
    expect(await page.count('[aria-label="Seeds side by side"] > li[aria-busy="false"]')).toBe(2);
  });
  for (const part of ['.head', '.words', '.figures']) {
    const [left, right] = await boxes(`[aria-label="Seeds side by side"] > li > ${part}`);
    expect([right!.top, right!.bottom - right!.top], part).toEqual([
      left!.top,
      left!.bottom - left!.top,
    ]);
    expect(right!.left, part).toBeGreaterThan(left!.right);
  }
  const badges = await boxes('[aria-label="Seeds side by side"] .badge');
  const seeds = await boxes('[aria-label="Seeds side by side"] > li');
  badges.forEach((badge, index) => {
    expect(badge.right).toBeLessThan(seeds[index]!.right);
  });
  await page.press('Fewer seeds');
  await page.showTab('Prompt');
});

describe('at 1280 pixels', () => {
  beforeAll(() => studio.resize(1280, 800));

  const cut = (selector: string): Promise<boolean> =>
    studio.window.executeScript(
      `const element = document.querySelector(arguments[0]);
       return element.scrollWidth > element.clientWidth;`,
      selector,
    );

  test('the rolled name of a required item is read whole, with its lock at the edge', async () => {
    const { page, pointer } = studio;
    const card = '[data-card="personas"]';
    await page.sees(`${card} .body .rolled-value .value`);
    // The window was made narrower just now; its columns follow a frame or two later.
    await eventually(async () => {
      expect(await cut(`${card} .body .rolled-value .value`)).toBe(false);
      expect(await cut(`${card} button[aria-label^="Item of personas: "] .ell`)).toBe(false);
    });
    // The pencil has its place beside the label, rolled or not.
    const pencil = await box(`${card} button[aria-label="Edit items of personas"]`);
    const picker = await box(`${card} button[aria-label^="Item of personas: "]`);
    expect(pencil.right).toBeLessThanOrEqual(picker.left);
    const label = await box(`${card} .body .prop > .lab`);
    expect(pencil.left).toBeGreaterThan(label.left + 30);
    const lock = await box(`${card} button[aria-label^="Lock personas "]`);
    const body = await box(`${card} .body .prop`);
    expect(lock.right).toBe(body.right);
    await pointer.click(`${card} button[aria-label^="Lock personas "]`);
    await page.sees(`${card} button[aria-label^="Unlock personas"]`);
    expect(await box(`${card} button[aria-label^="Unlock personas"]`)).toEqual(lock);
    await pointer.click(`${card} button[aria-label^="Unlock personas"]`);
    await page.sees(`${card} button[aria-label^="Lock personas "]`);
  });

  test('what adds a token lies over none, however long the list is', async () => {
    await studio.resize(1280, 480);
    const list = '[data-column="assembly"] .scroll';
    await eventually(async () => {
      const scrolls = await studio.window.executeScript<boolean>(
        'const list = document.querySelector(arguments[0]); return list.scrollHeight > list.clientHeight;',
        list,
      );
      expect(scrolls).toBe(true);
    });
    const field = await box('[data-add-token]');
    expect((await box(list)).bottom).toBeLessThanOrEqual(field.top);
    await studio.window.executeScript(
      'document.querySelector(arguments[0]).scrollTop = 99999',
      list,
    );
    expect((await box(`${list} li:last-child`)).bottom).toBeLessThanOrEqual(field.top);
    // The line is drawn by the next frame after the list has scrolled.
    await eventually(async () => {
      expect(await style('[data-add-token]', 'box-shadow'), 'a line parts them').toContain('inset');
    });
    await studio.resize(1280, 800);
    await eventually(async () => {
      expect(await style('[data-add-token]', 'box-shadow')).toBe('none');
    });
  });

  test('both sides of a comparison are named whole when one name is short', async () => {
    const { page } = studio;
    studio.pointer.key('ctrl+shift+s');
    await page.showTab('Compare');
    await page.sees('button[aria-label^="Right side: "]');
    expect(await cut('button[aria-label^="Right side: "] .ell')).toBe(false);
  });

  test('the name of a snapshot is read whole where it is shown', async () => {
    const { page } = studio;
    await page.press('Snapshots');
    await page.sees('#snapshots h3.name');
    expect(await cut('#snapshots h3.name')).toBe(false);
    const heading = await box('#snapshots h3.name');
    expect(heading.bottom - heading.top, 'it takes the lines it needs').toBeGreaterThan(40);
    studio.pointer.key('Escape');
  });

  test('the fields of an item are named in the column of the card', async () => {
    const { page } = studio;
    await page.menu('personas actions', 'Edit items');
    await page.press('Edit deadpan');
    const card = '[data-card="personas"]';
    const name = await box(`${card} .body .prop > .lab`);
    expect((await box(`${card} .editor .prop > .lab`)).left).toBe(name.left);
    const control = await box(`${card} .body .prop > .ctl`);
    expect((await box(`${card} .editor .prop > .lab + *`)).left).toBe(control.left);
  });

  test('the role of the prompt in a chat is read whole', async () => {
    const { page } = studio;
    await page.showTab('Chat');
    await page.pressIn('Chat panel', 'Conversation');
    await page.sees('button[aria-label^="Prompt as: "]');
    expect(await cut('button[aria-label^="Prompt as: "] .ell')).toBe(false);
  });

  test('the figures of the coverage stand below their heads', async () => {
    const { page } = studio;
    await page.showTab('Variants');
    const rows = '[data-block="coverage"] [data-coverage] tr:has(td.bar)';
    await page.sees(rows);
    const head = await box('[data-block="coverage"] thead th:last-child');
    const figures = await boxes(`${rows} > td:last-child`);
    expect(figures.length).toBeGreaterThan(3);
    for (const figure of figures) expect(figure.right).toBe(head.right);
  });

  test('whom a conversation goes to is read whole', async () => {
    const { page } = studio;
    await page.showTab('Run');
    // Single runs were shown above.
    await page.press('Conversation');
    await page.sees('[role=tabpanel] .line .picker .ell');
    const names = await studio.window.executeScript<string[]>(
      `return [...document.querySelectorAll('[role=tabpanel] .line .picker .ell')]
         .filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)`,
    );
    expect(names).toEqual([]);
  });

  test('what becomes of each layer ends at one edge', async () => {
    const { page } = studio;
    await page.showTab('Request');
    await page.sees('.block .cache-status');
    const ends = await studio.window.executeScript<number[]>(
      `return [...document.querySelectorAll('.block .cache-status')].map((each) => {
         const range = document.createRange();
         range.selectNodeContents(each);
         return [...range.getClientRects()].map(({ right }) => Math.round(right));
       }).flat()`,
    );
    expect(Math.max(...ends) - Math.min(...ends)).toBeLessThanOrEqual(8);
  });

  test('names and kinds of the parts and arguments of a call are level with their first lines', async () => {
    const { page } = studio;
    await page.pressWords('Edit conversation');
    await page.sees('.part .json');
    const middles = await studio.window.executeScript<number[][]>(
      `const middle = (box) => Math.round(box.top + box.height / 2);
       const rows = [...document.querySelectorAll('.part:not(:has(li)), .part li')];
       return rows.map((row) => {
         const field = row.querySelector('textarea');
         const style = getComputedStyle(field);
         const first = parseFloat(style.borderTopWidth) + parseFloat(style.paddingTop);
         const line = field.getBoundingClientRect().top + first + parseFloat(style.lineHeight) / 2;
         const words = document.createRange();
         words.selectNodeContents(row.querySelector('.mono'));
         const kind = row.querySelector('.badge, .tools button');
         return [
           middle(kind.getBoundingClientRect()) - Math.round(line),
           middle(words.getBoundingClientRect()) - Math.round(line),
         ];
       })`,
    );
    expect(middles.length).toBeGreaterThan(3);
    for (const [kind, name] of middles) {
      expect(Math.abs(kind ?? 99)).toBeLessThanOrEqual(1);
      expect(Math.abs(name ?? 99)).toBeLessThanOrEqual(1);
    }
    await page.pressWords('Edit conversation');
    await page.showTab('Prompt');
  });

  test('zoomed in, no control of a head is cut off or lies over another, and names are read', async () => {
    const { page, pointer, window } = studio;
    // So narrow as zoom makes it, deck and preview take turns; the driver knows no zoom.
    await studio.resize(700, 800);
    await page.pressIn('Column', 'Deck');
    await studio.resize(1280, 800);
    pointer.focus();
    const covers = (one: Box, other: Box) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    for (const zoom of [1.1, 1.25, 1.5, 1.75, 2, 2.5]) {
      pointer.key('ctrl+equal');
      await eventually(async () => {
        expect(1280 / (await window.executeScript<number>('return innerWidth'))).toBeCloseTo(
          zoom,
          1,
        );
      });
      if (zoom < 1.75) continue;
      for (const head of ['.topbar', '[data-column="deck"] .col-head']) {
        await eventually(async () => {
          const frame = await box(head);
          const all = await boxes(`${head} :is(button, label)`);
          const controls = all.filter(({ left, right }) => right > left);
          for (const [index, control] of controls.entries()) {
            expect(control.right, `${head} at ${zoom}`).toBeLessThanOrEqual(frame.right);
            const others = controls.slice(index + 1).filter((other) => covers(control, other));
            expect(others, `${head} at ${zoom}, over ${JSON.stringify(control)}`).toEqual([]);
          }
        });
      }
      const names = await boxes('[data-card="base_context"] .var .name');
      expect(names.length).toBeGreaterThan(0);
      for (const { left, right } of names) expect(right - left).toBeGreaterThan(20);
    }
    pointer.key('ctrl+0');
  });
});

test('zoomed in as far as it goes, nothing of a run or of the history lies over another', async () => {
  const { page, pointer, window } = studio;
  await studio.resize(1280, 800);
  await page.showRuns();
  pointer.key('ctrl+Return');
  await page.sees('[data-attempt]');
  pointer.focus();
  for (let zoomed = 0; zoomed < 7; zoomed += 1) pointer.key('ctrl+equal');
  await eventually(async () => {
    expect(await window.executeScript<number>('return innerWidth')).toBeLessThan(440);
  });
  await eventually(async () => {
    const wide = await window.executeScript<number>(
      `const scroller = document.querySelector('.history').closest('.scroll');
       return scroller.scrollWidth - scroller.clientWidth;`,
    );
    expect(wide).toBe(0);
    for (const row of ['.history .heads > *', '.history li:first-child [data-run] > *']) {
      const cells = await boxes(row);
      const drawn = cells.filter(({ left, right }) => right > left);
      expect(drawn.length).toBeGreaterThan(3);
      for (const [index, one] of drawn.entries()) {
        const over = drawn
          .slice(index + 1)
          .filter(
            (other) =>
              Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
              Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1,
          );
        expect(over, JSON.stringify(one)).toEqual([]);
      }
    }
  });
  await studio.picture('run-zoomed');
  pointer.key('ctrl+0');
  await page.showTab('Prompt');
});

test('zoomed in, a panel is laid out by its width in the page', async () => {
  const { page, pointer, window } = studio;
  await studio.resize(1280, 800);
  await page.showTab('Chat');
  await eventually(async () => {
    expect(await page.count('.panel .short')).toBe(1);
  });
  const widths: number[] = [];
  pointer.focus();
  for (const zoom of [1.1, 1.25, 1.5, 1.75, 2, 2.5]) {
    pointer.key('ctrl+equal');
    await eventually(async () => {
      expect(1280 / (await window.executeScript<number>('return innerWidth'))).toBeCloseTo(zoom, 1);
    });
    await eventually(async () => {
      const [width, short] = await window.executeScript<[number, string]>(
        `const short = document.querySelector('.short');
         return [short.closest('.panel').clientWidth, getComputedStyle(short).display];`,
      );
      widths.push(width);
      expect(short, `${String(width)} wide at ${String(zoom)}`).toBe(
        width < 570 ? 'block' : 'none',
      );
    });
  }
  expect(Math.min(...widths)).toBeLessThan(570);
  pointer.key('ctrl+0');
  await page.showTab('Prompt');
});

test('a card that was never in sight stays where it is scrolled to', async () => {
  await studio.page.openRegistry('Large', 'large.json');
  for (const name of ['part_100', 'part_199', 'part_050']) {
    expect(await placesAfterScroll(`[data-card="${name}"]`), name).toHaveLength(1);
  }
});

test('a long prompt is as high before it was scrolled through as after', async () => {
  const heights = await studio.window.executeAsyncScript<number[]>(
    `const done = arguments[0];
     const list = document.querySelector('[aria-label="Evaluated prompt"]').closest('.scroll');
     const heights = [list.scrollHeight];
     const step = () => {
       const before = list.scrollTop;
       list.scrollTop += list.clientHeight;
       heights.push(list.scrollHeight);
       if (list.scrollTop === before || heights.length > 60) done(heights);
       else requestAnimationFrame(step);
     };
     step();`,
  );
  expect(heights.length, 'it is longer than the window').toBeGreaterThan(3);
  expect(new Set(heights).size).toBe(1);
});

test('at 800 pixels deck and preview are each where they were left', async () => {
  const { page } = studio;
  const places = { Deck: '[data-column="deck"] .scroll', Preview: '[data-prompt]' };
  const top = (side: keyof typeof places) =>
    studio.window.executeScript<number>(
      'return Math.round(document.querySelector(arguments[0]).scrollTop)',
      places[side],
    );
  const show = async (side: keyof typeof places): Promise<void> => {
    await page.pressIn('Column', side);
    await page.sees(places[side]);
  };
  await studio.resize(800, 700);
  for (const [side, at] of [
    ['Preview', 900],
    ['Deck', 700],
  ] as const) {
    await show(side);
    await studio.window.executeAsyncScript(
      `const [selector, top, done] = arguments;
       document.querySelector(selector).scrollTop = top;
       requestAnimationFrame(() => requestAnimationFrame(() => done()));`,
      places[side],
      at,
    );
    expect(await top(side)).toBe(at);
  }
  await show('Preview');
  expect(await top('Preview')).toBe(900);
  await show('Deck');
  await eventually(async () => {
    expect(await top('Deck')).toBe(700);
  });
});
