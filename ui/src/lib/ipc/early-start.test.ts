import { expect, test, vi } from 'vitest';
import type { Backend } from './backend';
import { startedEarly } from './early-start';
import type { Event, StartupState } from './generated';

const opened = (name: string) => ({ workspace: { name } }) as StartupState;
const event = (kind: string) => ({ kind }) as Event;

/** A backend that begins only; what it was asked, and whom it tells of events. */
function beginning(start: () => Promise<StartupState>) {
  const listeners: ((event: Event) => void)[] = [];
  const asked = vi.fn(start);
  const backend = {
    start: (onEvent: (event: Event) => void) => {
      listeners.push(onEvent);
      return asked();
    },
  } as Partial<Backend> as Backend;
  return { backend: startedEarly(backend), asked, listeners };
}

test('the first start takes the early reply and the events before it', async () => {
  const { backend, asked, listeners } = beginning(() => Promise.resolve(opened('early')));
  expect(asked).toHaveBeenCalledTimes(1);
  listeners[0]?.(event('lint'));
  const events: Event[] = [];
  const reply = backend.start((each) => events.push(each));
  listeners[0]?.(event('counts'));
  expect(await reply).toEqual(opened('early'));
  expect(events.map(({ kind }) => kind)).toEqual(['lint', 'counts']);
  expect(asked).toHaveBeenCalledTimes(1);
});

test('a start after that asks again, for its own listener', async () => {
  const { backend, asked, listeners } = beginning(() => Promise.resolve(opened('later')));
  const [first, second]: Event[][] = [[], []];
  await backend.start((each) => first?.push(each));
  await backend.start((each) => second?.push(each));
  listeners[1]?.(event('counts'));
  expect(asked).toHaveBeenCalledTimes(2);
  expect([first?.length, second?.length]).toEqual([0, 1]);
});

test('the first start reports that the early request failed', async () => {
  const { backend } = beginning(() => Promise.reject(new Error('gone')));
  await new Promise((resolve) => setTimeout(resolve));
  await expect(backend.start(() => undefined)).rejects.toThrow('gone');
});
