// What a replica makes of answers that come in another order than their questions.
import { expect, test } from 'vitest';
import { Replica, type Answer } from './replica.svelte';

interface Status {
  revision: number;
  modified: boolean;
}

class Document extends Replica<
  Status,
  Answer<Status>,
  { document: string; tree: null; status: Status }
> {
  protected applyAnswer(): boolean {
    return true;
  }

  protected applyDocument(): void {}
}

function opened() {
  const document = { document: 'a.json', tree: null, status: { revision: 1, modified: false } };
  return new Document(document, {
    apply: () => Promise.reject(new Error('unexpected')),
    open: () => Promise.resolve(document),
    onError: (error) => expect.unreachable(String(error)),
  });
}

test('a save that is reported before the answer to its edit is kept', async () => {
  const replica = opened();
  let answer: ((given: Answer<Status>) => void) | undefined;
  const undone = replica.change(() => new Promise((resolve) => (answer = resolve)));
  replica.takeSaved({ revision: 2, modified: false });
  expect(replica.status).toEqual({ revision: 1, modified: false });
  answer?.({ base: 1, edits: [], status: { revision: 2, modified: true } });
  await undone;
  expect(replica.status).toEqual({ revision: 2, modified: false });
  // A later answer of the same revision is newer than that save.
  const status = { revision: 2, modified: true };
  await replica.change(() => Promise.resolve({ base: 2, edits: [], status }));
  expect(replica.status).toEqual(status);
});

test('edits made after a save keep their status', async () => {
  const replica = opened();
  const edited = (revision: number) =>
    replica.change(() =>
      Promise.resolve({ base: revision - 1, edits: [], status: { revision, modified: true } }),
    );
  await edited(2);
  await edited(3);
  replica.takeSaved({ revision: 2, modified: false });
  expect(replica.status).toEqual({ revision: 3, modified: true });
  replica.takeSaved({ revision: 3, modified: false });
  expect(replica.status.modified).toBe(false);
});
