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

test('what a job does alone comes before the jobs that wait', async () => {
  class Acting extends JobQueue {
    act(work: () => void): Promise<void> {
      return this.add(() => this.actAlone(work));
    }
  }
  const queue = new Acting();
  const done: string[] = [];
  const slow = (name: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve));
    done.push(name);
  };
  void queue.add(slow('first'));
  void queue.act(() => {
    expect(queue.isIdle).toBe(true);
    void queue.next(() => done.push('key'));
    void queue.add(slow('its edit'));
    expect(queue.isIdle).toBe(false);
    void queue.next(() => done.push('after its edit'));
  });
  void queue.next(() => done.push('waited'));
  expect(queue.isIdle).toBe(false);
  await queue.settled();
  expect(done).toEqual(['first', 'key', 'its edit', 'after its edit', 'waited']);
  expect(queue.isIdle).toBe(true);
});
