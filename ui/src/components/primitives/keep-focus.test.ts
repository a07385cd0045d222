import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepFocus } from './keep-focus';

let root: HTMLElement;
let stop = (): void => undefined;

beforeEach(() => {
  root = document.createElement('div');
  root.innerHTML = `
    <ul>
      <li><input aria-label="a" /><button aria-label="drop a"></button></li>
      <li><span>b</span></li>
      <li><input aria-label="c" disabled /><button aria-label="drop c"></button></li>
      <li><input aria-label="d" /><button aria-label="drop d" tabindex="-1"></button></li>
    </ul>
    <button aria-label="add"></button>`;
  document.body.append(root);
  const off = keepFocus(root);
  if (off) stop = off;
});

afterEach(() => {
  stop();
  root.remove();
});

const named = (name: string) => root.querySelector<HTMLElement>(`[aria-label="${name}"]`)!;
const rows = () => [...root.querySelectorAll('li')];
const turn = () => new Promise((resolve) => setTimeout(resolve));
const focused = async () => {
  await turn();
  await turn();
  return document.activeElement?.getAttribute('aria-label');
};

test.each([
  ['what follows takes it', 'drop a', [0], 'drop c'],
  ['what comes before takes it at the end', 'd', [3], 'drop c'],
  ['what follows the list takes it when the list is empty', 'd', [0, 1, 2, 3], 'add'],
  ['it passes over what went with it', 'drop a', [0, 2], 'd'],
])('%s', async (_name, from, gone, to) => {
  named(from).focus();
  await turn();
  const taken = gone.map((index) => rows()[index]!);
  for (const row of taken) row.remove();
  expect(await focused()).toBe(to);
});

test('a region that keeps the focus has it when nothing else in it can', async () => {
  const region = document.createElement('section');
  region.dataset.keepsFocus = '';
  region.innerHTML = '<p><input aria-label="typed" /></p>';
  region.setAttribute('aria-label', 'region');
  root.prepend(region);
  named('typed').focus();
  await turn();
  region.querySelector('p')!.remove();
  expect(await focused()).toBe('region');
  named('add').focus();
  expect(region.hasAttribute('tabindex')).toBe(false);
});

test('an element that only moved has it again', async () => {
  named('d').focus();
  await turn();
  root.querySelector('ul')!.prepend(rows()[3]!);
  expect(await focused()).toBe('d');
});

test('focus is not restored after a blur', async () => {
  named('a').focus();
  await turn();
  named('a').blur();
  await turn();
  rows()[0]!.remove();
  expect(await focused()).toBe(null);
});

test('a press on nothing leaves it nowhere', async () => {
  named('a').focus();
  await turn();
  document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  rows()[0]!.remove();
  expect(await focused()).toBe(null);
});

test('a press on what has it already keeps it', async () => {
  named('drop a').focus();
  await turn();
  named('drop a').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  await turn();
  rows()[0]!.remove();
  expect(await focused()).toBe('drop c');
});

test('where the focus was put meanwhile it stays', async () => {
  named('a').focus();
  await turn();
  rows()[0]!.remove();
  named('add').focus();
  expect(await focused()).toBe('add');
});
