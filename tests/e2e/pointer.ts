// A mouse and a keyboard at the display itself: X events that arrive at the window as those of a
// person do. The driver's own clicks go to an element wherever the pointer is, so they can't show
// what hovering, pressing and a focus that moves do to a control.
import { execFileSync } from 'node:child_process';

import type { WebDriver } from 'selenium-webdriver';

import { pressCloseButton } from './close-button';
import { eventually } from './wait';

/** A place on the display, in pixels. */
export interface Spot {
  x: number;
  y: number;
}

/** Where in an element's box, as parts of its width and height. */
interface Part {
  x?: number;
  y?: number;
}

/**
 * Where a part of an element is in the window, once it has stood still for a frame and nothing lies
 * over it there. Null while that does not hold.
 */
const PLACE = `
  const [selector, part, done] = arguments;
  const element = document.querySelector(selector);
  const at = () => {
    const box = element?.getBoundingClientRect();
    if (!box || box.width === 0) return null;
    return { x: Math.round(box.x + box.width * part.x), y: Math.round(box.y + box.height * part.y) };
  };
  element?.scrollIntoView({ block: 'nearest' });
  const before = at();
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const now = at();
    if (!before || !now || before.x !== now.x || before.y !== now.y) return done(null);
    const top = document.elementFromPoint(now.x, now.y);
    done(element.contains(top) ? now : null);
  }));
`;

/**
 * Has the window say where the next press arrives: in the element or beside it. After a native
 * context menu a press comes as `mousedown` alone.
 */
const WATCH = `
  const [selector] = arguments;
  window.arrived = null;
  const watch = ({ target }) => {
    window.arrived ??= document.querySelector(selector)?.contains(target) ?? false;
  };
  for (const kind of ['pointerdown', 'mousedown']) addEventListener(kind, watch, { capture: true, once: true });
`;

/** Has the page note the end of a press of Shift, which nothing else answers to. */
const AWAIT_SHIFT = `
  window.shifted = false;
  const watch = ({ key }) => {
    if (key !== 'Shift') return;
    window.shifted = true;
    removeEventListener('keyup', watch, { capture: true });
  };
  addEventListener('keyup', watch, { capture: true });
`;

/** How long the last key is waited for, in milliseconds. */
const LAST_KEY = 4000;

/** The display's pointer and keyboard. */
export class Pointer {
  /** The X window, once it is known. */
  private id: string | undefined;
  /** Whether keys were pressed that may not have arrived yet. */
  private pressed = false;

  constructor(
    private readonly display: string,
    private readonly window: WebDriver,
  ) {}

  /** Runs the commands of one `xdotool` call. */
  private tool(...words: (string | number)[]): string {
    return execFileSync('xdotool', words.map(String), {
      encoding: 'utf8',
      env: { ...process.env, DISPLAY: this.display },
    });
  }

  /** The X window. */
  private get windowId(): string {
    this.id ??= this.tool('search', '--onlyvisible', '--name', '^Promptdeck$')
      .trim()
      .split('\n')[0];
    if (this.id === undefined) throw new Error('no window is on the display');
    return this.id;
  }

  /** How many windows of the program are on the display: a menu of the browser is one of its own. */
  windows(): number {
    const found = this.tool('search', '--onlyvisible', '--class', 'promptdeck');
    return found.trim().split('\n').length;
  }

  /** Gives the window the keyboard: no window manager runs that would. */
  focus(): void {
    this.tool('windowfocus', '--sync', this.windowId);
  }

  /** Presses the button that closes the window, on the frame that a window manager draws. */
  async closeWindow(): Promise<void> {
    await pressCloseButton(this.display, Number(this.windowId));
  }

  /** Where a part of an element, its middle by default, is on the display. */
  async spot(selector: string, { x = 0.5, y = 0.5 }: Part = {}): Promise<Spot> {
    const place = await eventually(async () => {
      const found = await this.window.executeAsyncScript<Spot | null>(PLACE, selector, { x, y });
      if (found === null) throw new Error(`${selector} is not there, moves or is covered`);
      return found;
    });
    // The window is in the corner of the display, without a frame.
    return place;
  }

  /** Moves to a spot, step by step as a hand does. */
  move({ x, y }: Spot): void {
    const place = /x:(\d+) y:(\d+)/.exec(this.tool('getmouselocation'));
    const [fromX, fromY] = [Number(place?.[1] ?? 0), Number(place?.[2] ?? 0)];
    const steps = [0.4, 0.8, 1].flatMap((part) => [
      'mousemove',
      Math.round(fromX + (x - fromX) * part),
      Math.round(fromY + (y - fromY) * part),
      'sleep',
      0.02,
    ]);
    this.tool(...steps);
  }

  /** Moves over an element and waits until the page reports it. */
  async hover(selector: string, part?: Part): Promise<void> {
    this.move(await this.spot(selector, part));
    await eventually(async () => {
      const over = await this.window.executeScript<boolean>(
        'return document.querySelector(arguments[0])?.matches(":hover") ?? false',
        selector,
      );
      if (!over) throw new Error(`the pointer is not over ${selector}`);
    });
  }

  /** Presses a button of the mouse where the pointer is: 1 is the left one, 3 the right one. */
  press(button = 1): void {
    this.tool('mousedown', button);
  }

  release(button = 1): void {
    this.tool('mouseup', button);
  }

  /** Does something while a key is held. */
  async hold(key: string, act: () => unknown): Promise<void> {
    await this.keysArrived();
    this.tool('keydown', key);
    try {
      await act();
    } finally {
      this.tool('keyup', key);
    }
  }

  /** Moves over an element, presses and releases, with the time between that a finger takes. */
  async click(selector: string, part?: Part): Promise<void> {
    await this.meet(selector, part, 'mousedown', 1, 'sleep', 0.06, 'mouseup', 1);
  }

  /** As `click`, with the key Ctrl held. */
  async ctrlClick(selector: string, part?: Part): Promise<void> {
    const press = ['mousedown', 1, 'sleep', 0.06, 'mouseup', 1];
    await this.meet(selector, part, 'keydown', 'ctrl', ...press, 'keyup', 'ctrl');
  }

  /** Moves over an element and presses. What moved away meanwhile is pressed again. */
  private async meet(
    selector: string,
    part: Part | undefined,
    ...press: (string | number)[]
  ): Promise<void> {
    await this.keysArrived();
    await eventually(async () => {
      await this.hover(selector, part);
      await this.window.executeScript(WATCH, selector);
      this.tool(...press);
      if (!(await this.arrived())) throw new Error(`the press passed beside ${selector}`);
    });
  }

  /** Whether the press on its way arrives in the element, once it has arrived anywhere. */
  private arrived(): Promise<boolean> {
    return eventually(async () => {
      const arrived = await this.window.executeScript<boolean | null>('return window.arrived');
      if (arrived === null) throw new Error('the press did not arrive in the window');
      return arrived;
    });
  }

  /** Turns the wheel by so many notches, up if negative. */
  wheel(notches: number): void {
    for (let n = 0; n < Math.abs(notches); n += 1) this.tool('click', notches < 0 ? 4 : 5);
  }

  /** Drags from one element to a part of another; `midway` is called before the button is released. */
  async drag(from: string, to: string, part?: Part, midway?: () => Promise<void>): Promise<void> {
    await this.keysArrived();
    const target = await this.spot(to, part);
    await this.hover(from);
    this.press();
    this.move(target);
    await midway?.();
    this.release();
  }

  /** Moves out of the way: into the middle of the status bar, where nothing answers to it. */
  async park(): Promise<void> {
    const [width, height] = await this.window.executeScript<[number, number]>(
      'return [innerWidth, innerHeight]',
    );
    this.move({ x: Math.round(width * 0.6), y: height - 8 });
  }

  /**
   * Waits until the keys pressed so far have arrived in the page: WebKit hands it one key after the
   * other, and on a busy machine a press of the mouse overtakes them. Keys that go elsewhere, as to the
   * system's own windows, are not waited for.
   */
  async keysArrived(): Promise<void> {
    if (!this.pressed) return;
    this.pressed = false;
    await this.window.executeScript(AWAIT_SHIFT);
    this.tool('key', 'Shift_L');
    const until = Date.now() + LAST_KEY;
    while (Date.now() < until) {
      if (await this.window.executeScript<boolean>('return window.shifted')) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Presses keys by their X names, as in `ctrl+k`, one after the other. */
  key(...names: string[]): void {
    this.tool('key', '--delay', 20, ...names);
    this.pressed = true;
  }

  /** Types a text, letter by letter. */
  type(text: string): void {
    this.tool('type', '--delay', 20, '--', text);
    this.pressed = true;
  }
}
