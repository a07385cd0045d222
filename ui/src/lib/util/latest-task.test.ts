// Tasks of which only the latest matters.
import { expect, test } from 'vitest';
import { LatestTask } from './latest-task';

test('requests made while a task runs cause one more run', async () => {
  const answers: (() => void)[] = [];
  let runs = 0;
  const task = new LatestTask(
    () => {
      runs += 1;
      return new Promise((resolve) => answers.push(resolve));
    },
    () => undefined,
  );
  task.schedule();
  task.schedule();
  await expect.poll(() => runs).toBe(1);
  task.schedule();
  task.schedule();
  answers[0]?.();
  await expect.poll(() => runs).toBe(2);
  answers[1]?.();
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect(runs).toBe(2);
});

test('a failure is reported and does not end it', async () => {
  const errors: unknown[] = [];
  const task = new LatestTask(
    () => Promise.reject(new Error('no')),
    (error) => errors.push(error),
  );
  task.schedule();
  await expect.poll(() => errors.length).toBe(1);
  task.schedule();
  await expect.poll(() => errors.length).toBe(2);
});
