// Asks the person at the terminal for consent before something outside the repository changes.
import { createInterface } from 'node:readline/promises';

/** Whether somebody sits at a terminal and can answer. */
export const isInteractive = () => Boolean(process.stdin.isTTY && process.stdout.isTTY);

/**
 * Whether to go on: `PROMPTDECK_YES=1` answers for machines, a terminal is asked, and anywhere else
 * the answer is no.
 */
export const confirm = async (question) => {
  if (process.env.PROMPTDECK_YES === '1') return true;
  if (!isInteractive()) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`? ${question} [Y/n] `);
    return /^\s*(y|yes|)\s*$/i.test(answer);
  } finally {
    terminal.close();
  }
};
