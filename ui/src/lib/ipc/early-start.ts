// Asks for the folder and its first document while the script of the window is still being loaded.
import type { Backend } from './backend';
import type { Event } from './generated';

/** The same backend, which has already begun: the first start takes the reply that is on its way. */
export function startedEarly(backend: Backend): Backend {
  const missed: Event[] = [];
  let onEvent = (event: Event): void => void missed.push(event);
  let reply: ReturnType<Backend['start']> | undefined = backend.start((event) => {
    onEvent(event);
  });
  // Whoever takes the reply handles its failure.
  reply.catch(() => undefined);
  return {
    ...backend,
    start(listener) {
      if (!reply) return backend.start(listener);
      const early = reply;
      reply = undefined;
      onEvent = listener;
      for (const event of missed.splice(0)) listener(event);
      return early;
    },
  };
}
