// Puts components on the page with a studio over the fake service, for component tests.
import { fireEvent, render } from '@testing-library/svelte';
import App from '../App.svelte';
// Loaded before it is asked for: compiling it the first time takes longer than tests wait.
import '../deferred';
import { FakeBackend, type Scene } from './fake-backend';

/** Opens the whole window over a scene and waits until its document is there, in all columns. */
export async function openStudio(scene: Scene, innerWidth = 1440) {
  Object.assign(window, { innerWidth, innerHeight: 900 });
  const fake = new FakeBackend(scene);
  const screen = render(App, { backend: fake.backend });
  await screen.findByRole('heading', { name: 'Deck' });
  await screen.findByRole('heading', { name: 'Assembly' });
  return { fake, screen };
}

/** Opens another registry of the folder by the list of registries. */
export async function openRegistry(
  screen: Awaited<ReturnType<typeof openStudio>>['screen'],
  file: string,
): Promise<void> {
  await fireEvent.click(screen.getByTitle(/^Registry .*\.json$/));
  await fireEvent.click(await screen.findByRole('row', { name: new RegExp(file) }));
  await screen.findByTitle(`Registry ${file}`);
}

/** The edits of the last group that was sent. */
export function lastEdits(fake: FakeBackend): unknown {
  const call = fake.calls.filter((each) => each.name === 'apply').at(-1);
  return (call?.args[1] as { edits: unknown } | undefined)?.edits;
}

/** Presses a key on what has the focus. */
export function key(name: string, modifiers: Partial<KeyboardEventInit> = {}): void {
  const event = new KeyboardEvent('keydown', {
    key: name,
    bubbles: true,
    cancelable: true,
    ...modifiers,
  });
  (document.activeElement ?? document.body).dispatchEvent(event);
}
