// The editor of a template or of a file's text: CodeMirror in a shadow root, where its style sheets are
// constructed and adopted. In the document itself they would be a <style> element, which a strict
// content security policy forbids.
import { defaultKeymap, history, historyKeymap, redo, undo } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  openSearchPanel,
  search,
} from '@codemirror/search';
import { Annotation, EditorState, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { classHighlighter, tags } from '@lezer/highlight';
import { text as words } from '$lib/text';
import { jinja } from './jinja-tokens';
import { json } from './json-tokens';

/** A place of the text, both counted from 1, the column in characters. */
interface Place {
  line: number;
  column: number;
}

/** Why a text is wrong, and where. */
export type Fault = Place & { message: string };

export interface CodeEditor {
  /** Shows a text that came from elsewhere; what the author just typed stays as it is. */
  show(text: string): void;
  /** Marks a fault, or none. */
  mark(fault: Fault | undefined): void;
  /** Goes to a place and takes the focus. */
  reveal(place: Place): void;
  /** Takes the focus. */
  focus(): void;
  close(): void;
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)' },
  { tag: tags.brace, color: 'var(--text-3)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: tags.comment, color: 'var(--text-3)', fontStyle: 'italic' },
  { tag: tags.number, color: 'var(--warn)' },
  { tag: tags.content, color: 'var(--text-1)' },
  { tag: tags.variableName, color: 'var(--text-1)' },
]);

const look = EditorView.theme({
  '&': {
    height: '100%',
    background: 'var(--bg-surface)',
    color: 'var(--text-1)',
    fontSize: 'var(--fs-12)',
  },
  '&.cm-focused': { outline: 'none' },
  // The gutters lie over an outline of the editor itself.
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    zIndex: '300',
    border: '2px solid var(--accent)',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: 'var(--lh-20)' },
  '.cm-content': { caretColor: 'var(--text-1)' },
  '.cm-cursor': { borderLeftColor: 'var(--text-1)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'var(--accent-soft)' },
  '.cm-gutters': {
    border: '0',
    background: 'var(--bg-surface)',
    color: 'var(--text-3)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--hover)' },
  '.cm-tooltip': {
    maxWidth: '420px',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r-2)',
    background: 'var(--bg-raised)',
    color: 'var(--text-1)',
  },
  '.cm-panels': { background: 'var(--bg-chrome)', color: 'var(--text-1)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    padding: 'var(--s-1) 28px var(--s-1) var(--s-2)',
    fontFamily: 'var(--font-ui)',
    '& input, & button, & label': {
      margin: '2px 6px 2px 0',
      fontFamily: 'inherit',
      fontSize: 'var(--fs-12)',
    },
    '& label': {
      display: 'inline-flex',
      alignItems: 'center',
      verticalAlign: 'middle',
      whiteSpace: 'nowrap',
    },
    // The system's own is white in both themes.
    '& input[type=checkbox]': {
      appearance: 'none',
      width: '14px',
      height: '14px',
      border: '1px solid var(--line-control)',
      borderRadius: '3px',
      background: 'var(--bg-surface)',
      '&:checked': { background: 'var(--accent)', boxShadow: 'inset 0 0 0 2px var(--bg-surface)' },
    },
    '& [name=close]': {
      top: 'var(--s-1)',
      right: '6px',
      minWidth: '20px',
      color: 'var(--text-2)',
      cursor: 'pointer',
    },
  },
  '.cm-panel .cm-textfield': {
    border: '1px solid var(--line-control)',
    borderRadius: 'var(--r-2)',
    background: 'var(--bg-surface)',
    color: 'var(--text-1)',
  },
  '.cm-panel .cm-button': {
    border: '1px solid var(--line-control)',
    borderRadius: 'var(--r-2)',
    background: 'var(--bg-surface)',
    color: 'var(--text-1)',
    cursor: 'pointer',
    '&:hover': { background: 'var(--hover)' },
    '&:active': { background: 'var(--hover)' },
  },
  '.cm-panel :is(input, button):focus-visible': {
    outline: '2px solid var(--accent)',
    outlineOffset: '1px',
  },
  '& .cm-searchMatch': { background: 'var(--warn-soft)' },
  '& .cm-searchMatch-selected': { outline: '1px solid var(--warn)' },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    // One by one: WebKit reads the style of a line in no shorthand.
    textDecorationLine: 'underline',
    textDecorationStyle: 'wavy',
    textDecorationColor: 'var(--danger)',
    textUnderlineOffset: '3px',
  },
});

/** Undo stays with the editor, even when it has nothing left to undo. */
const ownUndo = [
  { key: 'Mod-z', run: (view: EditorView) => undo(view) || true },
  { key: 'Mod-y', run: (view: EditorView) => redo(view) || true },
  { key: 'Mod-Shift-z', run: (view: EditorView) => redo(view) || true },
];

/** Opens the search with the focus on the text that replaces. */
function openReplace(view: EditorView): boolean {
  openSearchPanel(view);
  const field = view.dom.querySelector<HTMLInputElement>('.cm-search [name=replace]');
  field?.focus();
  field?.select();
  return true;
}

/** Finding in the text of the editor: the window's own keys find in the deck. */
const ownFind = [
  { key: 'Mod-f', run: openSearchPanel },
  { key: 'Mod-h', run: openReplace },
  { key: 'F3', run: findNext, shift: findPrevious, preventDefault: true },
  { key: 'Escape', run: closeSearchPanel },
].map((binding) => ({ ...binding, scope: 'editor search-panel' }));

const LANGUAGES = { jinja, json };

const fromElsewhere = Annotation.define<true>();

/** The offset of a place; columns are counted in characters, offsets in UTF-16 units. */
export function offsetOf(doc: Text, { line, column }: Place): number {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const before = [...at.text].slice(0, Math.max(column - 1, 0)).join('');
  return Math.min(at.from + before.length, at.to);
}

/** What ends the lines of a text. Where that differs from line to line, carriage returns stay characters
    of the text. */
const lineEndOf = (text: string): string =>
  /\r\n/.test(text) && !/(^|[^\r])\n|\r(?!\n)/.test(text) ? '\r\n' : '\n';

export interface EditorOptions {
  label: string;
  /** Its line ends are kept. */
  text: string;
  language: 'jinja' | 'json';
  ontype: (text: string) => void;
}

export function openEditor(host: HTMLElement, options: EditorOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        highlightSpecialChars(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        EditorView.lineWrapping,
        EditorState.lineSeparator.of(lineEndOf(options.text)),
        StreamLanguage.define(LANGUAGES[options.language]),
        syntaxHighlighting(colours),
        syntaxHighlighting(classHighlighter),
        search({ top: true }),
        EditorState.phrases.of(words.editorPhrases),
        keymap.of([...ownUndo, ...ownFind, ...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': options.label, spellcheck: 'false' }),
        EditorView.updateListener.of((update) => {
          const typed = update.transactions.some(
            (each) => each.docChanged && !each.annotation(fromElsewhere),
          );
          if (typed) options.ontype(update.state.sliceDoc());
        }),
        look,
      ],
    }),
  });
  return {
    show(text) {
      if (text === view.state.sliceDoc()) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: fromElsewhere.of(true),
      });
    },
    mark(fault) {
      const { doc } = view.state;
      const from = fault ? offsetOf(doc, fault) : 0;
      const to = fault ? doc.lineAt(from).to : 0;
      const marked = fault
        ? [
            {
              from: from === to ? doc.lineAt(from).from : from,
              to,
              severity: 'error' as const,
              message: fault.message,
            },
          ]
        : [];
      view.dispatch(setDiagnostics(view.state, marked));
    },
    reveal(place) {
      const at = offsetOf(view.state.doc, place);
      view.dispatch({
        selection: { anchor: at },
        effects: EditorView.scrollIntoView(at, { y: 'center' }),
      });
      view.focus();
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}
