// Single functions of the core, in one process: medians and their spread, against nobody.
import { run } from '../process.mjs';

await run('cargo', [
  'bench',
  '--locked',
  '--quiet',
  '--package',
  'promptdeck-tests',
  '--bench',
  'engine',
  '--bench',
  'checks',
]);
