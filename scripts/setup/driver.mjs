// `tauri-driver`, through which the end-to-end tests talk to the window.
import { cargoTool, requireCargoTool } from './cargo-tool.mjs';

/** The driver's program. */
export const driver = cargoTool('tauri-driver');

/** Sees to it that the driver is there in the version the tests are written for. */
export const requireDriver = () => requireCargoTool('tauri-driver', '2.1.0');
