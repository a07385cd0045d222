// The whole window asked by axe-core, place by place and in both themes: no violation anywhere.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import axe from 'axe-core';
import { Key } from 'selenium-webdriver';
import { beforeAll, expect, test } from 'vitest';

import { home, opens, studio } from './window-fixture';

const FILE = 'trivia_host.json';

opens(['Trivia Host', FILE], (home) => {
  writeFileSync(join(home.registries, 'cut.json'), '{"title": "Cut" "version": 22}');
});

beforeAll(() => studio.window.executeScript(axe.source));

/** What axe finds wrong with the current page, in one line each. */
const faults = async (theme: string): Promise<string[]> => {
  await studio.window.executeScript('document.documentElement.dataset.theme = arguments[0]', theme);
  return studio.window.executeAsyncScript(`
    const done = arguments[arguments.length - 1];
    for (const motion of document.getAnimations())
      if (motion.effect.getComputedTiming().endTime !== Infinity) motion.finish();
    axe.run({
      rules: { 'label-content-name-mismatch': { enabled: true } },
      resultTypes: ['violations'],
    }).then(
      ({ violations }) => done(violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ': ' + failureSummary))),
      (fault) => done([String(fault)]),
    );
  `);
};

/** A place of the window, and how a person comes there and leaves it again. */
type Place = [name: string, come: () => Promise<unknown>, leave?: () => Promise<unknown>];

const escape = () => studio.page.keys([], Key.ESCAPE);
const command = (letters: string) => () => studio.page.command(letters);
const press = (name: string) => () => studio.page.press(name);
const opened = (name: string) => () => studio.page.open(name);
const tab = (name: string) => () => studio.page.showTab(name);
const pane = (group: string, words: string) => () => studio.page.pressIn(group, words);
const sees = (selector: string) => studio.page.sees(selector);

const places: Place[] = [
  ['the deck', async () => sees('[aria-label^="Tokens per section"] > i')],
  ['the prompt raw', press('Show raw text'), press('Show raw text')],
  ['the registries of the folder', opened('Registry'), escape],
  ['a choice of routes', opened('Route'), escape],
  ['a choice of items', opened('Item of personas'), escape],
  ['a choice of modes', opened('Mode of sentiment nudges'), escape],
  ['a menu of a section', opened('personas actions'), escape],
  [
    'an injection',
    () => studio.page.check('runtime_injections', 'wrong_answer', true),
    () => studio.page.check('runtime_injections', 'wrong_answer', false),
  ],
  [
    'the items of a section',
    async () => {
      await studio.page.menu('base_context actions', 'Edit items');
      await studio.page.press('Edit pub_night');
      await sees('[aria-label^="Fragment 1 condition"]');
    },
    press('Edit items of base_context'),
  ],
  [
    'a field to be added',
    async () => {
      await studio.page.menu('personas actions', 'Edit items');
      await studio.page.press('Edit deadpan');
      await studio.page.pressWords('Field');
    },
  ],
  [
    'what an item requires',
    async () => {
      await studio.page.pressWords('requires');
      await studio.page.type('Add to personas.deadpan.requires', 'sent');
      await sees('[role=listbox] [role=option]');
    },
    () => studio.page.keys([], Key.ENTER),
  ],
  ['a section to be added', press('Add section'), press('Add section')],
  ['a section to be renamed', () => studio.page.menu('examples actions', 'Rename section'), escape],
  ['a section to be deleted', () => studio.page.menu('examples actions', 'Delete section'), escape],
  [
    'the settings of the registry',
    async () => {
      for (const card of ['Routes', 'Generation', 'Output policy']) {
        await studio.page.press(`Expand ${card}`);
      }
      await studio.page.menu('Routes actions', 'Add route');
      await studio.page.type('Route name', `brief${Key.ENTER}`);
      await studio.page.press('Use route brief');
      await studio.page.type('generation.temperature', 'warm');
      await studio.page.type('Test on a text', 'Host: Good evening.');
      await sees('[aria-label="Cleaned text"]');
    },
    async () => {
      await studio.page.type('generation.temperature', '0.4');
      for (const card of ['Routes', 'Generation', 'Output policy']) {
        await studio.page.press(`Collapse ${card}`);
      }
    },
  ],
  [
    'a token that is wrong',
    async () => {
      await studio.page.type('Add entry', `nothing.here${Key.ENTER}`);
      await sees('[data-state="error"]');
    },
  ],
  ['words to be found', () => studio.page.type('Find in deck', 'team'), escape],
  [
    'snapshots',
    async () => {
      await studio.page.keys([Key.CONTROL, Key.SHIFT], 'S');
      await studio.page.press('Snapshots');
      await studio.page.press('Pin');
      await sees('#snapshots [role=option] .keys');
    },
  ],
  ['the note of a snapshot', press('Rename'), async () => (await escape(), escape())],
  ['variants', tab('Variants')],
  ['a comparison', tab('Compare')],
  [
    'the checks',
    async () => {
      await studio.page.showTab('Checks');
      await studio.page.pressRow('[data-check]');
      await sees('[data-checks] .detail');
    },
  ],
  ['the JSON', tab('JSON')],
  ['the difference to the file', pane('View', 'Diff to file')],
  ['the request', tab('Request')],
  ['its body', pane('View of the request', 'Body')],
  ['its cache', pane('View of the request', 'Cache')],
  ['its history', pane('View of the request', 'History')],
  [
    'the conversation',
    async () => {
      await studio.page.pressWords('Edit conversation');
      await studio.page.press('Paste messages');
    },
    () => studio.page.pressWords('Edit conversation'),
  ],
  ['the chat', tab('Chat')],
  ...['Conversation', 'Template', 'Checks', 'Compare', 'Capabilities'].map((name): Place => [
    `the chat, ${name}`,
    pane('Chat panel', name),
  ]),
  ['the conversation with the deck', tab('Run')],
  ['runs', press('Single runs and history')],
  [
    'a run',
    async () => {
      await studio.page.keys([Key.CONTROL], Key.ENTER);
      await sees('[aria-label="Run actions"]');
    },
  ],
  ['what a run sent', pane('Show', 'Request'), tab('Prompt')],
  ['a connection', command('>add a connection'), escape],
  [
    'the palette',
    async () => {
      await studio.page.keys([Key.CONTROL], 'k');
      await sees('[role=combobox][aria-label="Commands"]');
    },
  ],
  ['the palette with words', () => studio.page.keys([], 'pers'), escape],
  [
    'the keys',
    async () => {
      await studio.page.keys([], Key.F1);
      await sees('dialog[open]');
    },
    escape,
  ],
  [
    'the export of a prompt file',
    async () => {
      await command('>export a prompt file')();
      await sees('dialog[open] pre');
    },
    escape,
  ],
  [
    'the text of a damaged registry',
    async () => {
      await command('>edit the text of cut')();
      await sees('dialog[open] .editor');
    },
    escape,
  ],
  [
    'the starters of a new registry',
    async () => {
      await studio.page.keys([Key.CONTROL], 'i');
      await sees('dialog[open] [role=radio]:nth-child(2)');
      await studio.page.press('Persona. A voice, what it must do, and a mood on a slider.');
      await sees('dialog[open] [aria-label="What it prints"]');
    },
    escape,
  ],
  [
    'a prompt in its parts',
    async () => {
      await studio.page.keys([Key.CONTROL], 'i');
      await studio.page.type('Prompt', 'Be kind.');
      await studio.page.pressInDialog('Split into sections');
      await sees('dialog[open] [role=status]');
    },
    escape,
  ],
  [
    'the report of an import',
    async () => {
      const old = {
        version: 2,
        assembly_order: ['base_context'],
        base_context: { items: [{ id: 'a', text: 'In {place}.', template_vars: ['place'] }] },
        default_state: { base_context: { selected: 'a' } },
      };
      await studio.page.keys([Key.CONTROL], 'i');
      // The prompt of the last place is still there, in its parts.
      await studio.page.pressInDialog('Replace');
      await studio.page.type('Prompt', JSON.stringify(old));
      await studio.page.pressInDialog('Split into sections');
      await sees('dialog[open] [aria-label="What was converted"]');
    },
    escape,
  ],
  [
    'a conflict',
    async () => {
      const path = join(home.registries, FILE);
      writeFileSync(path, readFileSync(path, 'utf8').replace('You are dry', 'You are wry'));
      await sees('[aria-label="Changed on disk"]');
    },
  ],
  ['the preview of a narrow window', () => studio.resize(1000, 800)],
  [
    'the preview of a low window',
    async () => {
      await studio.resize(1000, 560);
      // No row here has a button, so the scrolling table itself has to be a tab stop.
      await sees('.evaluation .rows[tabindex="0"]');
    },
  ],
];

test.each(places)('%s', async (_name, come, leave) => {
  await come();
  const found: string[] = [];
  for (const theme of ['light', 'dark']) {
    found.push(...(await faults(theme)).map((fault) => `${theme}: ${fault}`));
  }
  await leave?.();
  expect(found).toEqual([]);
});
