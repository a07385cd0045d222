// How long registries far larger than an author writes take to open, or to be refused, and to answer
// a key after that.
import { afterAll, afterEach, beforeEach, test } from 'vitest';

import { programs } from '../programs';
import { Home, Studio } from '../studio';
import { atMost, type Goal } from './goals';
import { oversized, tryToOpen } from './oversized';
import { memoryOfFamily } from './processes';
import { quantile } from './stopwatch';

const verdicts: Record<string, Goal> = {};
let home: Home;
let studio: Studio;

beforeEach(async () => {
  home = new Home();
  studio = await Studio.open(home);
});

afterEach(async () => {
  await studio.close();
  await home.remove();
});

afterAll(() => {
  console.table(verdicts);
});

test.each(oversized)('%s', async (title, content) => {
  const { shown, opened, keys } = await tryToOpen(studio, home.registries, content());
  const what = shown === 'opened' ? 'opened' : 'refused';
  verdicts[`${title}: ${what}`] = atMost(opened, 3000, ' ms');
  verdicts[`${title}: key to frame p95`] = atMost(quantile(keys, 0.95), 100, ' ms');
  verdicts[`${title}: memory`] = atMost(memoryOfFamily(programs.studio), 1024, ' MB');
});
