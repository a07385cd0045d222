// `npm run build:wheel`: builds the Python package for its tests and installs it into their environment.
import './setup/node.mjs';

import { main } from './log.mjs';
import { requireWheel } from './setup/wheel.mjs';

await main(requireWheel);
