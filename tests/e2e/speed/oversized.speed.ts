// How long registries far larger than an author writes take to open, or to be refused, and to answer
// a key after that.
import { afterAll, test } from 'vitest';

import { programs } from '../programs';
import { home, opensForEach, studio } from '../window-fixture';
import { atMost, type Goal } from './goals';
import { oversized, tryToOpen } from './oversized';
import { memoryOfFamily } from './processes';
import { quantile } from './stopwatch';

const verdicts: Record<string, Goal> = {};
opensForEach();

afterAll(() => {
  console.table(verdicts);
});

test.each(oversized)('%s', async (title, content) => {
  const { shown, opened, keys } = await tryToOpen(studio, home.registries, content());
  const what = shown === 'opened' ? 'opened' : 'refused';
  verdicts[`${title}: ${what}`] = atMost(opened, 3000, ' ms');
  verdicts[`${title}: key to frame p95`] = atMost(quantile(keys, 0.95), 100, ' ms');
  verdicts[`${title}: memory`] = atMost(
    memoryOfFamily(programs.studio, home.registries),
    1024,
    ' MB',
  );
});
