// The tools of the rows of a list, as buttons behind the field of each row. Tab goes from field to field:
// it stops at the tools of one row alone, so that they are found, and arrows lead on from there. That is
// the last row, or where Tab stops at one row of the list, that one.
// The right arrow at the end of a field leads to the tools of its row. The list is marked
// `data-tool-list`, its rows `data-tool-row` and what holds the buttons of a row `data-row-tools`.
import type { Attachment } from 'svelte/attachments';
import { isTab } from '$lib/window/tab-key';
import { caretToEnd, isAtEnd, isTextField } from '$lib/window/text-field';

const LIST = '[data-tool-list]';
const ROW = '[data-tool-row]';
const TOOLS = '[data-row-tools]';

const ownsOf = (list: Element, selector: string): HTMLElement[] =>
  [...list.querySelectorAll<HTMLElement>(selector)].filter(
    (each) => each.parentElement?.closest(LIST) === list,
  );

const toolsOf = (row: Element): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>(`${TOOLS} button:not(:disabled)`)].filter(
    (tool) => tool.closest(ROW) === row && !tool.closest('[popover]'),
  );

/** What the tools of a row are left to: its text, else what is first in it. */
function mainOf(row: Element): HTMLElement | undefined {
  const rowTools = [
    ...row.querySelectorAll<HTMLElement>('input, textarea, [role="textbox"], button'),
  ].filter((each) => each.closest(ROW) === row && !each.closest(`${TOOLS}, [popover]`));
  return rowTools.find(isTextField) ?? rowTools[0];
}

/** Leaves one stop for Tab among the tools of a list: the first of the last row that has any, among those
    that Tab leads to. */
function setStop(list: Element): void {
  const rows = ownsOf(list, ROW).map((row) => ({ main: mainOf(row), tools: toolsOf(row) }));
  const withTools = rows.filter(({ tools }) => tools.length > 0);
  const last = withTools.findLast(({ main }) => main && main.tabIndex >= 0) ?? withTools.at(-1);
  const stop = last?.tools[0];
  for (const tool of rows.flatMap(({ tools }) => tools)) tool.tabIndex = tool === stop ? 0 : -1;
}

/** The lists on the page. Their stops are set when Tab is pressed: rows come and go at every scroll, and
    long lists would be searched each time. */
const lists = new Set<Element>();

const setStops = (event: KeyboardEvent): void => {
  if (isTab(event)) for (const list of lists) setStop(list);
};

/** The tool that a key leads to from another one of its row; undefined for no key of theirs. */
function toolAfter(list: Element, row: Element, from: HTMLElement, key: string) {
  const tools = toolsOf(row);
  const at = tools.indexOf(from);
  if (key === 'ArrowRight') return tools[Math.min(at + 1, tools.length - 1)];
  if (key === 'ArrowLeft') return tools[at - 1] ?? mainOf(row);
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const rows = ownsOf(list, ROW).filter((each) => each === row || toolsOf(each).length > 0);
  const next = rows[rows.indexOf(row as HTMLElement) + (key === 'ArrowUp' ? -1 : 1)];
  const others = next ? toolsOf(next) : tools;
  return others[Math.min(at, others.length - 1)];
}

/** Whether a key in a row leads to its tools: the right arrow at the end of its text, or on its button. */
function leadsToTools(field: Element, key: string): boolean {
  if (key !== 'ArrowRight') return false;
  return isTextField(field) ? isAtEnd(field) : field.matches('button:not([role])');
}

export const rowTools: Attachment<HTMLElement> = (list) => {
  const keydown = (event: KeyboardEvent) => {
    const { target, key } = event;
    if (event.defaultPrevented || !(target instanceof HTMLElement)) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const row = target.closest(ROW);
    if (row?.parentElement?.closest(LIST) !== list || target.closest('[popover]')) return;
    const isTool = target.closest(TOOLS) !== null;
    const next = isTool
      ? toolAfter(list, row, target, key)
      : leadsToTools(target, key)
        ? toolsOf(row)[0]
        : undefined;
    if (!next) return;
    event.preventDefault();
    next.focus();
    if (isTextField(next)) caretToEnd(next);
  };
  if (lists.size === 0) addEventListener('keydown', setStops, { capture: true });
  lists.add(list);
  list.addEventListener('keydown', keydown);
  return () => {
    list.removeEventListener('keydown', keydown);
    lists.delete(list);
    if (lists.size === 0) removeEventListener('keydown', setStops, { capture: true });
  };
};
