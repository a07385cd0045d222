// The system's dialog for files and folders, and its clipboard. Both belong to the desktop and not to
// the page: the dialog is worked with its own keys, the clipboard is read as another program would.
import { execFileSync } from 'node:child_process';

const TIMEOUT = 30_000;
/** What a dialog may take to close. */
const CLOSES = 3000;

const run = (display: string, program: string, args: string[]): string =>
  execFileSync(program, args, {
    encoding: 'utf8',
    env: { ...process.env, DISPLAY: display },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** The windows with this in their title. */
const windows = (display: string, title: string): string[] => {
  try {
    return run(display, 'xdotool', ['search', '--onlyvisible', '--name', title])
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    // It ends like that when there is none.
    return [];
  }
};

const until = async (holds: () => boolean, what: string): Promise<void> => {
  const end = Date.now() + TIMEOUT;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`${what} in vain`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};

/** Waits for the dialog of that title and has it give a path. */
export const choosePath = async (display: string, title: string, path: string): Promise<void> => {
  await until(() => windows(display, title).length > 0, `waited for the dialog "${title}"`);
  const [dialog = ''] = windows(display, title);
  // There is no window manager to give it the focus.
  run(display, 'xdotool', ['windowfocus', '--sync', dialog]);
  run(display, 'xdotool', ['key', 'ctrl+l', 'ctrl+a']);
  run(display, 'xdotool', ['type', '--delay', '15', path]);
  // The first time the path may only be completed. The dialog is given time to close before the
  // next one: a key that comes too late would go to the window behind it.
  let pressed = 0;
  await until(() => {
    if (windows(display, title).length === 0) return true;
    if (Date.now() - pressed > CLOSES) {
      run(display, 'xdotool', ['key', 'Return']);
      pressed = Date.now();
    }
    return false;
  }, `gave ${path}`);
};

/** Closes one dialog of that title without an answer. */
export const dismissDialog = async (display: string, title: string): Promise<void> => {
  await until(() => windows(display, title).length > 0, `waited for the dialog "${title}"`);
  const open = windows(display, title);
  await until(() => {
    if (windows(display, title).length < open.length) return true;
    run(display, 'xdotool', ['windowfocus', '--sync', open.at(-1) ?? '']);
    run(display, 'xdotool', ['key', 'Escape']);
    return false;
  }, `dismissed "${title}"`);
};

/** What was copied. */
export const clipboard = (display: string): string =>
  run(display, 'xclip', ['-selection', 'clipboard', '-out']);

/** Copies a text as another program would. */
export const copy = (display: string, text: string): void => {
  execFileSync('xclip', ['-selection', 'clipboard', '-in'], {
    env: { ...process.env, DISPLAY: display },
    input: text,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
};
