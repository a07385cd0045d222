// What opens in the prompt is in sight, also where its text is on the last line of the panel.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { leave, OPEN, PROMPT, spotOf } from './printed-prompt';
import { eventually } from './wait';
import { opens, studio } from './window-fixture';

const DECK = {
  title: 'Ferry',
  assembly_order: ['scene', 'mood.scale', 'mood.nudges', 'end', 'tone.scale'],
  scene: { items: [{ id: 'landing', text: 'The ferry.\n'.repeat(30) + 'It goes.' }] },
  mood: {
    slider: 8,
    scale_template: 'At {value} of 10 you are {emotion}',
    array_modes: { nudges: 'random:2' },
    items: [{ id: 'calm', nudges: ['Hum.', 'Nod.', 'Wait.', 'Look.', 'Smile.', 'Go.'] }],
  },
  end: { items: [{ id: 'last', text: 'Greet.\n'.repeat(30) + 'End.' }] },
  tone: {
    slider: 4,
    scale_template: `${'Speak low. '.repeat(40)}At {value} of 10. ${'Row on. '.repeat(60)}`.trim(),
    items: [{ id: 'low' }],
  },
};

opens(['Ferry', 'ferry.json'], ({ registries }) => {
  writeFileSync(join(registries, 'ferry.json'), JSON.stringify(DECK));
});

beforeAll(() => studio.pointer.focus());

/** Scrolls the prompt so that an element ends at the lower edge of the panel. */
const atLowerEdge = (selector: string) =>
  eventually(() =>
    studio.window.executeScript(
      'document.querySelector(arguments[0]).scrollIntoView({ block: "end" })',
      selector,
    ),
  );

/** Scrolls a band near, whose texts are drawn as elements of their own only there. */
const near = (band: number) => atLowerEdge(`${PROMPT} [data-near="${String(band)}"]`);

/** How far an element reaches beyond the panel at its edges, in pixels. */
const cutOff = (selector: string): Promise<number[]> =>
  studio.window.executeScript(
    `const box = document.querySelector(arguments[0])?.getBoundingClientRect();
     const view = document.querySelector('[data-prompt]').getBoundingClientRect();
     if (!box) return [];
     return [view.top - box.top, box.bottom - view.bottom, view.left - box.left,
       box.right - view.right].map((by) => Math.max(Math.round(by), 0));`,
    selector,
  );

const NOT_CUT = [0, 0, 0, 0];
const isInSight = (selector: string) =>
  eventually(async () => expect(await cutOff(selector)).toEqual(NOT_CUT));

describe.each([
  [800, 700],
  [1280, 800],
])('in a window of %i x %i', (width, height) => {
  beforeEach(async () => {
    await studio.resize(width, height);
    // A narrow window shows one column.
    if (width < 900) await studio.page.pressIn('Column', 'Preview');
  });
  afterEach(async () => {
    if ((await studio.page.lines(OPEN)).length > 0) await leave();
  });

  test('the alternatives of a rolled text', async () => {
    await near(2);
    const spot = await eventually(() => spotOf('- '));
    await atLowerEdge(spot);
    await studio.pointer.click(spot, { x: 0.6 });
    await isInSight('.alternatives');
    await studio.picture(`popups-${String(width)}-alternatives`);
    studio.pointer.key('Escape');
    await eventually(async () => expect(await studio.page.lines('.alternatives')).toEqual([]));
  });

  test('why a number is not edited', async () => {
    const number = `${PROMPT} .fixed`;
    await near(1);
    await atLowerEdge(number);
    await studio.pointer.hover(number);
    await isInSight('.reason');
    await studio.picture(`popups-${String(width)}-reason`);
    const isGone = () =>
      eventually(async () => expect(await studio.page.lines('.reason')).toEqual([]));
    await studio.pointer.hover('.provenance');
    await isGone();
    // Pressed, the sentence is drawn anew for editing: WebKit does not say then that the pointer leaves.
    await studio.pointer.click(number);
    await isInSight('.reason');
    await studio.pointer.hover('.provenance');
    await isGone();
    await studio.pointer.hover(number);
    await isInSight('.reason');
    studio.pointer.key('Escape');
    await isGone();
  });

  test('why a number between long lines is not edited, right below or above it', async () => {
    const number = `${PROMPT} [data-near="4"] .fixed`;
    await near(4);
    await eventually(() =>
      studio.window.executeScript(
        'document.querySelector(arguments[0]).scrollIntoView({ block: "center" })',
        number,
      ),
    );
    await studio.pointer.hover(number);
    await isInSight('.reason');
    const [across, between] = await studio.window.executeScript<[number, number]>(
      `const box = document.querySelector('.reason').getBoundingClientRect();
       const piece = document.querySelector(arguments[0]).getBoundingClientRect();
       return [
         Math.max(box.left - piece.left, piece.left - box.right),
         Math.max(box.top - piece.bottom, piece.top - box.bottom),
       ]`,
      number,
    );
    // At the number, or moved to the left only as far as it would leave the prompt.
    expect(across).toBeLessThanOrEqual(1);
    expect(between).toBeGreaterThanOrEqual(0);
    expect(between).toBeLessThanOrEqual(8);
    await studio.picture(`popups-${String(width)}-long-lines`);
  });

  test('why an edit is refused', async () => {
    await near(1);
    const spot = await eventually(() => spotOf('of 10 you are'));
    await studio.pointer.click(spot, { x: 0.99 });
    await eventually(async () => expect(await studio.page.lines(OPEN)).toHaveLength(1));
    await atLowerEdge(OPEN);
    studio.pointer.key('Home', 'Right', 'Right', 'Right');
    studio.pointer.type('5');
    await isInSight('.reason');
  });
});
