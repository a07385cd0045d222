import { expect, test } from 'vitest';
import { JobQueue } from './job-queue';

test('a job that fails does not hold up those after it', async () => {
  const queue = new JobQueue();
  const done: string[] = [];
  const failed = queue.add(() => Promise.reject(new Error('no such entry')));
  const next = queue.add(async () => void done.push('next'));
  await expect(failed).rejects.toThrow('no such entry');
  await next;
  await queue.settled();
  expect(queue.isIdle).toBe(true);
  void queue.next(() => done.push('at once'));
  expect(done).toEqual(['next', 'at once']);
});
