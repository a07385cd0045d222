// The model server that the providers are tested against, in a Python environment of its own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { root, servers, serversPython } from '../paths.mjs';
import { step, unchanged } from '../log.mjs';
import { digestOfFiles, isFresh, mark } from '../stamp.mjs';
import { makeEnvironment } from './python.mjs';

const requirements = join(root, 'tests', 'conformance', 'requirements-servers.txt');

/** Sees to it that the server is there, as a wheel: building it takes half an hour. */
export const requireServers = async () => {
  const stamp = join(servers, '.requirements');
  const digest = digestOfFiles(requirements);
  if (isFresh(stamp, digest) && existsSync(serversPython)) {
    unchanged('The model server to test with');
    return;
  }
  step('Installing the model server to test with');
  await makeEnvironment(servers, requirements, '--only-binary', ':all:');
  mark(stamp, digest);
};
