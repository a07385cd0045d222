// What the scripts tell the person who started them: a line per step, the way out of a failure.
import * as util from 'node:util';

// Looked up when it is called: an old Node without it still gets to say that it is too old.
const styled = (stream) => (format, text) => util.styleText(format, text, { stream });
const style = styled(process.stdout);

/** Names the step that begins. */
export const step = (text) => console.log(`${style('cyan', '▸')} ${style('bold', text)}`);

/** Says that nothing had to be done. */
export const unchanged = (text) => console.log(`${style('green', '✓')} ${text}`);

/** A line that belongs to the step before. */
export const detail = (text) => console.log(`  ${text}`);

/** Says what is wrong and what to do, and ends the script with 1. */
export const stop = (problem, ...wayOut) => {
  console.error(`${styled(process.stderr)('red', '✗')} ${problem}`);
  for (const line of wayOut) console.error(`  ${line}`);
  process.exit(1);
};

/** Runs a script's main function; a failure is told in one line, without a stack. */
export const main = async (work) => {
  try {
    await work();
  } catch (error) {
    stop(error.message);
  }
};
