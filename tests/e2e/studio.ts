// The studio, running: a folder of registries, a separate store, the driver, the window.
// Says how to find and use what any test needs; what is right to see is the tests' affair.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Builder, Capabilities, type WebDriver } from 'selenium-webdriver';

import { choosePath, clipboard, copy, dismissDialog } from './dialog';
import { type Display, startDisplay } from './display';
import { PageObject } from './page-object';
import { TIMEOUT } from './wait';
import { Pointer } from './pointer';
import { artifacts, programs, root } from './programs';

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address && typeof address === 'object') resolve(address.port);
        else reject(new Error('no free port'));
      });
    });
  });

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
};

/** A home for one test: copies of the samples and an empty store, gone when the test is over. */
export class Home {
  readonly folder = mkdtempSync(join(tmpdir(), 'promptdeck-e2e-'));
  readonly registries = join(this.folder, 'registries');
  /** May be moved to another place before a window opens. */
  store = join(this.folder, 'store.sqlite');

  constructor() {
    cpSync(join(root, 'registries'), this.registries, { recursive: true });
  }

  /** What the programs are given so that they touch nothing else. */
  get env(): NodeJS.ProcessEnv {
    return {
      PROMPTDECK_STORE: this.store,
      HOME: this.folder,
      XDG_CONFIG_HOME: join(this.folder, 'config'),
      XDG_DATA_HOME: join(this.folder, 'data'),
      XDG_CACHE_HOME: join(this.folder, 'cache'),
      // What the toolkit's dialogs remember is forgotten.
      GSETTINGS_BACKEND: 'memory',
    };
  }

  /** Whether the store holds these words, unsaved work among them. */
  keeps(words: string): boolean {
    return ['', '-wal']
      .map((end) => this.store + end)
      .some((file) => existsSync(file) && readFileSync(file).includes(words));
  }

  /** Waits until nothing runs with this home any more: a closed window takes a moment to end. */
  async ended(): Promise<void> {
    const until = Date.now() + TIMEOUT;
    while (this.processes().length > 0 && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Removes it once no process writes into it. */
  async remove(): Promise<void> {
    await this.ended();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The processes that run with this home. */
  processes(): number[] {
    const mine = readdirSync('/proc').filter((process) => {
      try {
        return readFileSync(join('/proc', process, 'environ')).includes(this.folder);
      } catch {
        return false;
      }
    });
    return mine.map(Number);
  }
}

/** The studios that run with a home. */
const running = (home: Home): number[] =>
  home.processes().filter((pid) => {
    try {
      return readlinkSync(`/proc/${String(pid)}/exe`) === programs.studio;
    } catch {
      // It ended in between.
      return false;
    }
  });

/** The window, driven. One at a time. */
export class Studio {
  readonly page: PageObject;
  readonly pointer: Pointer;

  private constructor(
    private readonly display: Display,
    private readonly driverProcess: ChildProcess,
    readonly window: WebDriver,
  ) {
    this.pointer = new Pointer(display.name, window);
    this.page = new PageObject(window, () => this.pointer.keysArrived());
  }

  /** Starts display, driver and window. */
  static async open(
    home: Home,
    size = { width: 1440, height: 900 },
    application = programs.studio,
    args = [home.registries],
  ): Promise<Studio> {
    const display = await startDisplay(size.width, size.height);
    const port = await freePort();
    // What `tauri-driver` does on Linux is to start this driver with the variable, and to pass requests
    // on to it with one capability renamed.
    const driver = spawn('WebKitWebDriver', [`--port=${String(port)}`], {
      env: {
        // As the window is drawn without a driver (src-tauri/src/webkit_rendering.rs).
        WEBKIT_DISABLE_COMPOSITING_MODE: '1',
        ...process.env,
        ...home.env,
        TAURI_WEBVIEW_AUTOMATION: 'true',
        DISPLAY: display.name,
        WAYLAND_DISPLAY: '',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      const url = `http://127.0.0.1:${String(port)}`;
      for (let tries = 0; !(await answers(`${url}/status`)); tries += 1) {
        if (tries === 300) throw new Error('WebKitWebDriver does not answer');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const capabilities = new Capabilities()
        .setBrowserName('wry')
        .set('webkitgtk:browserOptions', { binary: application, args });
      const window = await new Builder().withCapabilities(capabilities).usingServer(url).build();
      const studio = new Studio(display, driver, window);
      await studio.resize(size.width, size.height);
      return studio;
    } catch (error) {
      driver.kill();
      display.stop();
      throw error;
    }
  }

  async resize(width: number, height: number): Promise<void> {
    await this.window.manage().window().setRect({ x: 0, y: 0, width, height });
  }

  /** Has the system's dialog of that title give a path. */
  async choose(title: string, path: string): Promise<void> {
    await choosePath(this.display.name, title, path);
  }

  /** Closes one of the system's dialogs of that title without an answer. */
  async dismiss(title: string): Promise<void> {
    await dismissDialog(this.display.name, title);
  }

  /** What another program would paste. */
  clipboard(): string {
    return clipboard(this.display.name);
  }

  /** Copies a text in another program. */
  copy(text: string): void {
    copy(this.display.name, text);
  }

  /** Keeps a picture of the window among the artifacts. */
  async picture(name: string): Promise<void> {
    mkdirSync(artifacts, { recursive: true });
    // What was just changed is on the display after the next frame.
    await this.window.executeAsyncScript(
      'const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));',
    );
    const { width, height } = await this.window.manage().window().getRect();
    writeFileSync(join(artifacts, `${name}.png`), this.display.picture(width, height));
  }

  /**
   * Asks the program to close its window, as a window manager does for a press on its button, and
   * waits until the program is gone. Gives the time that took, in milliseconds.
   */
  async closeWindow(home: Home): Promise<number> {
    const from = performance.now();
    await this.pointer.closeWindow();
    while (running(home).length > 0 && performance.now() - from < TIMEOUT) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return performance.now() - from;
  }

  /** Ends the program at once, nothing said to it; then the driver and the display. */
  async kill(home: Home): Promise<void> {
    const program = running(home);
    if (program.length !== 1) throw new Error(`${String(program.length)} studios run`);
    for (const pid of program) process.kill(pid, 'SIGKILL');
    // What is left of the session has nothing to close any more.
    await this.close().catch(() => undefined);
  }

  /** Closes the window as a person would, then the driver and the display. */
  async close(): Promise<void> {
    try {
      await this.window.quit();
    } finally {
      this.driverProcess.kill();
      this.display.stop();
    }
  }
}
