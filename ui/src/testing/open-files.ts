// Opens the panel of files over a fake service, and looks at its rows.
import { fireEvent, within } from '@testing-library/svelte';
import { guides } from './guides';
import { key, openStudio } from './studio';

/** Opens the window with a few registries, and the panel. */
export async function openFiles(
  change: (fake: Awaited<ReturnType<typeof openStudio>>['fake']) => void = () => undefined,
) {
  const opened = await openStudio({ ...guides(), others: ['b.json'] });
  const { fake, screen } = opened;
  fake.files.entries = [
    fake.files.entry('guides.json', 'Guides', 30),
    fake.files.entry('b.json', 'Bell ringer', 20),
    fake.files.entry('a.json', 'Answers', 10),
    fake.files.entry('finals/last.json', 'Last round', 40),
  ];
  fake.files.folders = ['finals'];
  change(fake);
  await fireEvent.click(screen.getByRole('button', { name: /^Registry: / }));
  const panel = within(await screen.findByRole('dialog', { name: 'Registries' }));
  await panel.findByText('Bell ringer');
  return { ...opened, panel };
}

export const rows = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-file], [data-folder]')].map(
    (row) => row.dataset.file ?? `${row.dataset.folder}/`,
  );
export function row(file: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(`[data-file="${file}"]`);
  if (!found) throw new Error(`no row of ${file}`);
  return found;
}
export const focused = () => document.activeElement?.getAttribute('data-file');

/** Gives b.json another title in its row. */
export async function rename(panel: Awaited<ReturnType<typeof openFiles>>['panel'], title: string) {
  row('b.json').focus();
  key('F2');
  const field = await panel.findByRole('textbox', { name: 'New title of Bell ringer' });
  await fireEvent.input(field, { target: { value: title } });
  await fireEvent.keyDown(field, { key: 'Enter' });
}
