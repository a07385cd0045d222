// The window opens on the samples and shows its page.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Home, Studio } from './studio';

let home: Home;
let studio: Studio;

beforeAll(async () => {
  home = new Home();
  studio = await Studio.open(home);
});

afterAll(async () => {
  await studio.close();
  home.remove();
});

test('the page is there', async () => {
  expect(await studio.window.getTitle()).toBe('Promptdeck');
});
