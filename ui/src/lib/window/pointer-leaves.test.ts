// The pointer that leaves an element, by what it comes over next.
import { expect, test, vi } from 'vitest';
import { pointerLeaves } from './pointer-leaves';

const over = (element: Element) =>
  element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));

test('the pointer leaves an element once, also after what it was over is gone', () => {
  document.body.innerHTML = '<div id="list"><p id="notice"></p></div><p id="deck"></p>';
  const [list, notice, deck] = ['list', 'notice', 'deck'].map(
    (id) => document.getElementById(id) as HTMLElement,
  );
  const left = vi.fn();
  const release = pointerLeaves(left)(list!);
  over(deck!);
  expect(left, 'it was never there').not.toHaveBeenCalled();
  over(notice!);
  over(list!);
  expect(left).not.toHaveBeenCalled();
  notice!.remove();
  over(deck!);
  over(deck!);
  expect(left).toHaveBeenCalledOnce();
  over(list!);
  list!.dispatchEvent(new PointerEvent('pointerleave'));
  expect(left).toHaveBeenCalledTimes(2);
  if (release) release();
  over(list!);
  over(deck!);
  expect(left).toHaveBeenCalledTimes(2);
});
