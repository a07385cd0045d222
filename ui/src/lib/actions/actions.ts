// Every action of the studio with its words and its key, defined once: the keyboard, the palette
// and the help sheet all read this list.
import { tick } from 'svelte';
import { assemblyOf } from '../document/registry';
import { showTab, toColumn } from '../window/columns';
import { isObject } from '../document/edit';
import { compareWithFile } from './compare-with-file';
import { goTo } from '../window/goto';
import { SAMPLINGS } from '../state/profile.svelte';
import { folderOf, isText } from '../state/files.svelte';
import { PANES } from '../state/request.svelte';
import type { Studio } from '../state/studio.svelte';
import type { Tab, ViewState } from '../state/view.svelte';
import { text } from '../text';

export type ActionGroup = 'actions' | 'deck' | 'places' | 'problems' | 'snapshots' | 'routes';

/** Something the author can have done. */
export interface Action {
  id: string;
  group: ActionGroup;
  label: string;
  /** The key that does it, as `Ctrl+Shift+S`. */
  key?: string;
  /** Further keys that do the same. */
  also?: string[];
  /** Quiet words beside it: a value, a date. */
  hint?: string;
  /** The hint at length, for a pointer that rests on it. */
  detail?: string;
  /** Other words that it is found by. */
  words?: readonly string[];
  /** Names of the registry are monospace. */
  mono?: boolean;
  /** It takes something away: never chosen for letters that are in its words here and there. */
  destructive?: boolean;
  run: () => void;
}

const THEMES = ['system', 'light', 'dark'] as const;

/**
 * What can be done at this moment, keys first. Of those that letters match equally well the palette
 * offers the first: what is done with registries comes before what is done with their parts, their
 * call documents and their checks.
 */
export function actions(studio: Studio): Action[] {
  const { deck, view, preview, snapshots, settings } = studio;
  const general: Action[] = [
    act('palette', text.commandPalette, () => (studio.paletteOpen = true), 'Ctrl+K', [
      'Ctrl+Shift+P',
    ]),
    act('help', text.help, () => (studio.helpOpen = true), 'F1'),
    ...THEMES.filter((theme) => theme !== settings.current.theme).map((theme) =>
      act(`theme-${theme}`, text.useTheme[theme], () => settings.change({ theme })),
    ),
    act(
      'spell-check',
      settings.current.spell_check ? text.doNotCheckSpelling : text.checkSpelling,
      () => settings.change({ spell_check: !settings.current.spell_check }),
    ),
    {
      ...act('zoom-in', text.zoomIn, () => settings.zoomBy(1), 'Ctrl++', [
        'Ctrl+Shift++',
        'Ctrl+=',
      ]),
      hint: text.zoomIs(settings.current.zoom),
    },
    act('zoom-out', text.zoomOut, () => settings.zoomBy(-1), 'Ctrl+-'),
    act('zoom-reset', text.zoomReset, () => settings.zoomBy(0), 'Ctrl+0'),
    ...fileActions(studio),
  ];
  const starting = [
    act('new', text.newRegistryEntry, () => studio.newRegistry.show()),
    act('import', text.importEntry, () => studio.newRegistry.show('source'), 'Ctrl+I'),
  ];
  const { openDeletion } = studio.files;
  if (openDeletion) {
    const { title } = openDeletion;
    general.push(
      act('undo', text.files.restore(title), () => void studio.files.undo(openDeletion), 'Ctrl+Z'),
    );
  }
  if (!deck || !view) return [...starting, ...general];
  const rolled = preview.rolled.length;
  const deckActions: Action[] = [
    act('save', text.save, () => void studio.saving.save(), 'Ctrl+S'),
    act('snapshot', text.takeSnapshot, () => void snapshots.take(), 'Ctrl+Shift+S'),
    act('snapshots', text.snapshots, () => snapshots.show(), 'Ctrl+Shift+O'),
    act('restore-snapshot', text.restoreDeleted, () => snapshots.showDeleted()),
    ...running(studio),
    act('impact', text.impact.show, () => compareWithFile(studio), 'Ctrl+Shift+I'),
    act('export', text.exportModelCopy, () => void studio.exportModel('clipboard'), 'Ctrl+E'),
    act('export-file', text.exportModelFile, () => void studio.exportModel('file'), 'Ctrl+Shift+E'),
    act('prompt-file', text.promptFile.entry, () => void studio.promptFile.show(), 'Ctrl+Alt+E'),
    {
      ...act('roll', text.rollAll, () => void deck.roll(), 'Ctrl+R'),
      hint: String(deck.seed),
    },
    act('last-seed', text.useLastSeed, () => void deck.useLastSeed()),
    act('lock-seed', deck.status.seed_locked ? text.unlockSeed : text.lockSeed, () => {
      const locked = !deck.status.seed_locked;
      void deck.lockSeed(locked).then((change) => change && view.seedLocked(locked));
    }),
    {
      ...act('lock', text.lockAllValues, () => void studio.lock(null), 'Ctrl+L'),
      hint: text.freezes(rolled),
    },
    act('undo', text.undo, () => void deck.undo(), 'Ctrl+Z'),
    act('redo', text.redo, () => void deck.redo(), 'Ctrl+Shift+Z', ['Ctrl+Y']),
    act('find', text.findInDeck, () => void findInDeck(view), 'Ctrl+F'),
    act('replace', text.replaceInDeck, () => void replaceInDeck(view), 'Ctrl+H'),
    act('add-token', text.addToken, () => focus('[data-add-token] input')),
    act('collapse', text.collapseAll, () => view.collapseAll(deck.names)),
    act('expand', text.expandAll, () => view.expandAll()),
    act('raw', preview.raw ? text.showBands : text.showRaw, () => {
      void showTab(view, 'prompt');
      preview.raw = !preview.raw;
    }),
    act('wrap', settings.current.wrap ? text.leaveLines : text.wrapLines, () =>
      settings.change({ wrap: !settings.current.wrap }),
    ),
    act('rows', settings.differencesOnly ? text.allEvaluated : text.differencesOnly, () =>
      settings.change({ differences_only: !settings.differencesOnly }),
    ),
    act('next-column', text.nextColumn, () => toColumn(1), 'F6'),
    act('previous-column', text.previousColumn, () => toColumn(-1), 'Shift+F6'),
    act('columns', text.drawnColumns, () => settings.change({ columns: null })),
    act('copy', text.copyPrompt, () => void studio.copyPrompt()),
    ...(studio.saving.conflict
      ? [act('conflict', text.showConflict, () => studio.goTo({ part: 'conflict' }))]
      : []),
    destructive(act('revert', text.revert, () => void studio.saving.revert())),
    ...starting,
    act('title', text.renameRegistry, () => studio.goTo({ part: 'title' })),
    act('duplicate', text.duplicateRegistry, () => void studio.duplicateRegistry()),
    ...openFileActions(studio, deck.document),
    act('conversation', text.conversation.show, () => view.showConversation()),
    act('new-call', text.request.newCall, () => {
      studio.request.naming = 'tab';
      void showTab(view, 'request');
    }),
    ...ofCall(studio),
    ...ofChecks(studio, deck.seed, view),
    ...PANES.map((pane) =>
      act(`request-${pane}`, text.request.showPane(text.request.panes[pane]), () => {
        studio.request.pane = pane;
        void showTab(view, 'request');
      }),
    ),
    ...SAMPLINGS.map((sampling) => ({
      ...act(`sampling-${sampling}`, text.sampleRolls(text.impact.samplings[sampling]), () => {
        view.profile.sampling = sampling;
        void showTab(view, 'variants');
      }),
      words: [text.impact.sampling],
    })),
    ...(['prompt', 'chat', 'request', 'run', 'variants', 'compare', 'checks', 'json'] as Tab[]).map(
      (tab) => act(`tab-${tab}`, text.showTab(text.tabs[tab]), () => void showTab(view, tab)),
    ),
  ];
  return [...deckActions, ...chatActions(studio), ...general, ...registries(studio)];
}

/** What can be done with the conversation, while its tab is shown. */
function chatActions({ chat, chatCall, view }: Studio): Action[] {
  if (!chat?.setup || view?.tab !== 'chat') return [];
  const { setup } = chat;
  return [
    ...(chatCall ? [] : [act('chat-add', text.chat.addMessage, () => chat.addMessage())]),
    act('chat-thinking', text.chat.toggleThinking(setup.thinking), () =>
      chat.change({ thinking: !setup.thinking }),
    ),
    act('chat-file', text.chat.openFile, () => void chat.choose('model', false)),
    act('chat-folder', text.chat.openFolder, () => void chat.choose('model', true)),
    act('chat-edit', text.chat.editTemplate, () => chat.showPanel('template')),
    ...(['text', 'messages', 'curl'] as const).map((form) =>
      act(`chat-copy-${form}`, text.chat.copyAs[form], () => void chat.copy(form)),
    ),
  ];
}

/** What can be done with the folder. */
function fileActions({ files, settings }: Studio): Action[] {
  const { autosave } = settings.current;
  const { last } = files;
  return [
    act('files', text.files.show, () => files.show()),
    act('open-folder', text.files.openFolder, () => void files.chooseFolder(), 'Ctrl+O'),
    act('reveal-folder', text.files.revealFolder, () => void files.reveal('')),
    act('new-folder', text.files.newFolder, () => {
      files.show();
      files.naming = true;
    }),
    ...(last
      ? [
          act(
            'undo-file-action',
            text.files.undoLast(`${last.title} ${text.files.done[last.kind](last.to)}`),
            () => void files.undo(),
          ),
        ]
      : []),
    act('autosave', autosave ? text.files.turnOff : text.files.turnOn, () =>
      settings.change({ autosave: !autosave }),
    ),
    ...(files.places?.folders ?? [])
      .filter(({ current, found }) => found && !current)
      .map(({ name, path }) => ({
        ...act(
          `folder-${path}`,
          text.files.openNamedFolder(name),
          () => void files.openFolder(path),
        ),
        hint: path,
      })),
  ];
}

/** What can be done with the file of the open registry. */
function openFileActions({ files, workspace }: Studio, file: string): Action[] {
  const folders = ['', ...(workspace?.folders ?? [])].filter((folder) => folder !== folderOf(file));
  return [
    act('rename-file', text.files.renameOpen, () => {
      files.show();
      files.at = file;
      files.renaming = file;
    }),
    destructive(act('delete-file', text.files.deleteOpen, () => void files.delete(file))),
    act('reveal-file', text.files.revealOpen, () => void files.reveal(file)),
    ...folders.map((folder) =>
      act(`move-${folder}`, text.files.moveOpen(folder), () => void files.moveTo(file, folder)),
    ),
  ];
}

function running(studio: Studio): Action[] {
  const { run, talk } = studio;
  const { connections } = run;
  const chosen = connections.current;
  const found = [
    ...(talk.running
      ? [act('stop', text.stopRun, () => talk.stop(), 'Escape')]
      : run.running
        ? [act('stop', text.stopRun, () => run.stop(), 'Escape')]
        : talk.takesKeys
          ? [
              act('answer', text.talk.ask, () => void talk.pressKeys(), 'Ctrl+Enter'),
              act('run', text.runAlone, () => void run.start()),
            ]
          : [act('run', text.run, () => void run.start(), 'Ctrl+Enter')]),
    act('add-connection', text.addConnection, () => void connections.edit(null)),
    ...connections.list
      .filter((each) => each !== chosen)
      .map(({ name, base_url }) => ({
        ...act(`connection-${name}`, text.useConnection(name), () => connections.choose(name)),
        hint: base_url,
      })),
  ];
  if (chosen) {
    found.push(
      act('edit-connection', text.editConnection(chosen.name), () => void connections.edit(chosen)),
      act('connection-mock', text.useConnection(text.mock), () => connections.choose(null)),
    );
  }
  if (run.detail) {
    const openRun = run.detail.run;
    found.push(act('reopen-run', text.reopenRun, () => void run.reopen(openRun)));
  }
  return found;
}

/** What can be done with the call document in use. */
function ofCall(studio: Studio): Action[] {
  const { call } = studio.request;
  if (!call) return [];
  return [
    act('undo-call', text.conversation.undo, () => void call.undo()),
    act('redo-call', text.conversation.redo, () => void call.redo()),
    act('save-call', text.conversation.save, () => void studio.request.save()),
    act('copy-body', text.request.copyBody, () => void studio.request.copyBody()),
  ];
}

/** What can be done with the checks of the open registry. */
function ofChecks({ checks, snapshots }: Studio, seed: number, view: ViewState): Action[] {
  const words = text.checks;
  const snapshot = snapshots.current;
  const { file, goldens } = checks;
  return [
    act('keep-check', words.keepPrompt, () => void checks.keep({ from: 'prompt', seed })),
    ...(snapshot
      ? [
          act(
            'keep-snapshot-check',
            words.keepSnapshot,
            () => void checks.keep({ from: 'snapshot', id: snapshot.id }),
          ),
        ]
      : []),
    ...(file
      ? [
          act('add-check', words.add, () => {
            checks.add();
            void showTab(view, 'checks');
          }),
          act('undo-checks', words.undo, () => void checks.undo()),
          act('redo-checks', words.redo, () => void checks.redo()),
          act('save-checks', words.saveFile, () => void checks.save()),
        ]
      : []),
    ...(goldens.length > 0
      ? [act('accept-goldens', words.acceptAll(goldens.length), () => checks.accept(goldens))]
      : []),
  ];
}

function registries(studio: Studio): Action[] {
  const all = studio.workspace?.registries ?? [];
  const damaged = all.filter(({ problem }) => isText(problem));
  const openable = all
    .filter(({ file, problem, backup }) => file !== studio.deck?.document && !problem && !backup)
    .map(({ file, title }) => ({
      ...act(`open-${file}`, text.openRegistry(title), () => void studio.open(file)),
      hint: file,
    }));
  const mendings = damaged.map(({ file, title }) => ({
    ...act(`mend-${file}`, text.damaged.editNamed(title), () => void studio.damagedText.show(file)),
    hint: file,
  }));
  return [...openable, ...mendings];
}

/** Sections and items to go to, snapshots to switch to, routes to use. */
export function destinations(studio: Studio): Action[] {
  const { deck, view, snapshots } = studio;
  if (!deck || !view) return [];
  const found: Action[] = [];
  const filtered = (name: string) =>
    (studio.preview.bySection.get(name)?.filtered_by.length ?? 0) > 0;
  for (const name of deck.names) {
    found.push({
      ...act(`go-${name}`, name, () => void goTo(view, { section: name }, filtered(name))),
      group: 'places',
      hint: text.completionKind.section,
      mono: true,
    });
    for (const item of deck.section(name)?.items ?? []) {
      const place = { section: name, item: item.index };
      found.push({
        ...act(
          `go-${name}-${item.index}`,
          `${name}.${item.name}`,
          () => void goTo(view, place, filtered(name)),
        ),
        group: 'places',
        hint: text.completionKind.item,
        mono: true,
      });
    }
  }
  for (const snapshot of snapshots.list) {
    const key = snapshot.pinned === null ? undefined : `Ctrl+${snapshot.pinned}`;
    found.push({
      ...act(
        `switch-${snapshot.id}`,
        text.switchToNamed(snapshot.name),
        () => void snapshots.switchTo(snapshot),
        key,
      ),
      group: 'snapshots',
      hint: text.day(snapshot.taken_at, Date.now()),
    });
    found.push({
      ...act(`compare-${snapshot.id}`, text.compareWithNow(snapshot.name), () => {
        snapshots.compareLeft = String(snapshot.id);
        snapshots.compareRight = 'now';
        void showTab(view, 'compare');
      }),
      group: 'snapshots',
      hint: text.day(snapshot.taken_at, Date.now()),
    });
  }
  const routes = isObject(deck.registry.routes) ? Object.keys(deck.registry.routes) : [];
  for (const route of [null, ...routes]) {
    if (route === deck.route) continue;
    found.push({
      ...act(`route-${route ?? ''}`, text.useRoute(route ?? text.defaultRoute), () =>
        deck.edit(text.setRoute, [{ kind: 'set', path: ['route'], value: route }]),
      ),
      group: 'routes',
      hint: text.tokenCount(assemblyOf({ registry: deck.registry, route }).tokens.length),
    });
  }
  return found;
}

/** An action of the window. */
export function act(
  id: string,
  label: string,
  run: () => void,
  key?: string,
  also?: string[],
): Action {
  const action: Action = { id, group: 'actions', label, run };
  if (key !== undefined) action.key = key;
  if (also !== undefined) action.also = also;
  return action;
}

/** The same action as one that takes something away. */
export const destructive = (action: Action): Action => ({ ...action, destructive: true });

/** The deck has the field; something else may be shown in its place. */
async function findInDeck(view: ViewState): Promise<void> {
  view.showDeck();
  await tick();
  focus('[data-find]');
}

export async function replaceInDeck(view: ViewState): Promise<void> {
  view.replacing = true;
  view.showDeck();
  await tick();
  const looked = document.querySelector<HTMLInputElement>('[data-find]')?.value ?? '';
  focus(looked === '' ? '[data-find]' : '[data-replace]');
}

function focus(selector: string): void {
  const element = document.querySelector<HTMLElement>(selector);
  (element instanceof HTMLInputElement ? element : element?.querySelector('input'))?.focus();
}

/** A key event written as the keys of actions are. */
export function keyOf(event: KeyboardEvent): string {
  const parts: string[] = [];
  if (event.ctrlKey || event.metaKey) parts.push('Ctrl');
  if (event.altKey) parts.push('Alt');
  if (event.shiftKey) parts.push('Shift');
  parts.push(event.key.length === 1 ? event.key.toUpperCase() : event.key);
  return parts.join('+');
}
