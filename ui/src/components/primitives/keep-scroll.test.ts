// A panel that is left and shown again is where it was; what it shows otherwise is not moved.
import { expect, test } from 'vitest';
import { keepScroll } from './keep-scroll';

function panel() {
  const element = document.createElement('div');
  element.innerHTML = '<div class="scroll"></div><div class="scroll"></div>';
  const scrollers = [...element.querySelectorAll<HTMLElement>('.scroll')];
  return { element, scrollers };
}

test('each key has the places of its own scrollers', () => {
  const places = new Map<string, number>();
  const first = panel();
  const leave = keepScroll(places, 'prompt')(first.element) as () => void;
  first.scrollers[1]!.scrollTop = 150;
  first.scrollers[1]!.dispatchEvent(new Event('scroll'));
  leave();
  const tops = (key: string) => {
    const again = panel();
    (keepScroll(places, key)(again.element) as () => void)();
    return again.scrollers.map(({ scrollTop }) => scrollTop);
  };
  expect(tops('prompt')).toEqual([0, 150]);
  expect(tops('chat')).toEqual([0, 0]);
});
