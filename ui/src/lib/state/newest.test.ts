// Questions of which only the newest matters.
import { expect, test } from 'vitest';
import { Newest } from './newest';

test('however much is asked meanwhile, one question follows', async () => {
  const answers: (() => void)[] = [];
  let asked = 0;
  const newest = new Newest(
    () => {
      asked += 1;
      return new Promise((resolve) => answers.push(resolve));
    },
    () => undefined,
  );
  newest.ask();
  newest.ask();
  await expect.poll(() => asked).toBe(1);
  newest.ask();
  newest.ask();
  answers[0]?.();
  await expect.poll(() => asked).toBe(2);
  answers[1]?.();
  await new Promise((resolve) => setTimeout(resolve, 80));
  expect(asked).toBe(2);
});

test('a failure is told and does not end it', async () => {
  const told: unknown[] = [];
  const newest = new Newest(
    () => Promise.reject(new Error('no')),
    (error) => told.push(error),
  );
  newest.ask();
  await expect.poll(() => told.length).toBe(1);
  newest.ask();
  await expect.poll(() => told.length).toBe(2);
});
