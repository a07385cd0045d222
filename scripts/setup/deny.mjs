// `cargo-deny`, which checks crates for `npm run audit`.
import { cargoTool, requireCargoTool } from './cargo-tool.mjs';

/** The program. */
export const deny = cargoTool('cargo-deny');

/** Sees to it that it is there in the version the audit is written for. */
export const requireDeny = () => requireCargoTool('cargo-deny', '0.20.2');
