// What a person does in the window, by the names a screen reader would say. Says nothing about
// what should follow.
import {
  Button,
  By,
  Key,
  Origin,
  error as faults,
  type WebDriver,
  type WebElement,
} from 'selenium-webdriver';

import { TIMEOUT } from './wait';

const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;

/** A control of that name; one that shows a choice appends it to its name. */
const named = (control: string, name: string): string =>
  `:is(${control}[aria-label=${quoted(name)}], ${control}[aria-label^=${quoted(`${name}: `)}])`;

const nothing = (): Promise<void> => Promise.resolve();

/** A place in the window. */
interface Place {
  x: number;
  y: number;
}

/** Rethrows a fault that is not transient. */
const passing = (fault: unknown): void => {
  const passes =
    fault instanceof faults.NoSuchElementError ||
    // A card that just came into sight has no box before the next frame.
    fault instanceof faults.ElementNotInteractableError ||
    fault instanceof faults.ElementClickInterceptedError ||
    fault instanceof faults.StaleElementReferenceError;
  if (!passes) throw fault;
};

/**
 * Whether a press on an element would meet it: it is enabled, it has stood still from one frame to
 * the next, and nothing lies over it. Gives up after a second's worth of frames. From then on the
 * window counts the presses that arrive at the element.
 */
const MEETS = `
  const [element, done] = arguments;
  window.met = 0;
  element.addEventListener('click', () => { window.met += 1; }, { capture: true, once: true });
  let before = '';
  let frames = 0;
  const look = () => {
    const [box] = element.getClientRects();
    const now = box ? [box.x, box.y, box.width, box.height].join(' ') : '';
    if (now !== '' && now === before && !element.matches(':disabled')) {
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (element.contains(top)) return done(true);
    }
    before = now;
    frames += 1;
    if (frames > 60 || !element.isConnected) return done(false);
    requestAnimationFrame(look);
  };
  look();
`;

/** The window's controls, found by role and name. */
export class PageObject {
  constructor(
    private readonly window: WebDriver,
    /** Waits for the keys of the display, which a press of the driver would overtake. */
    private readonly keysArrived: () => Promise<void>,
  ) {}

  /** Brings an element into sight and does something with it. */
  private async once<T>(where: By, act: (element: WebElement) => Promise<T>): Promise<T> {
    const element = await this.window.findElement(where);
    await this.window.executeScript("arguments[0].scrollIntoView({block: 'center'})", element);
    return act(element);
  }

  /**
   * Waits for an element and does something with it. One that is replaced meanwhile is looked for
   * again.
   */
  private async on<T>(where: By, act: (element: WebElement) => Promise<T>): Promise<T> {
    const until = Date.now() + TIMEOUT;
    for (;;) {
      try {
        return await this.once(where, act);
      } catch (fault) {
        if (Date.now() > until) throw fault;
        passing(fault);
      }
    }
  }

  /** Presses an element once a press would meet it: what opens or moves is waited for. */
  private async pressOn(where: By): Promise<void> {
    await this.on(where, (element) => this.meet(element));
  }

  private async meet(element: WebElement): Promise<void> {
    await this.keysArrived();
    if (!(await this.window.executeAsyncScript<boolean>(MEETS, element))) {
      throw new faults.ElementNotInteractableError('it is disabled, covered or moving');
    }
    await element.click();
    // What moved it between the two steps let the press pass beside it.
    if ((await this.window.executeScript('return window.met')) === 0) {
      throw new faults.ElementNotInteractableError('the press did not arrive');
    }
  }

  private find<T>(selector: string, act: (element: WebElement) => Promise<T>): Promise<T> {
    return this.on(By.css(selector), act);
  }

  /** Presses the button of that name. */
  async press(name: string): Promise<void> {
    await this.click(named('button', name));
  }

  /** Presses a button whose words contain these. */
  async pressWords(words: string): Promise<void> {
    const path = By.xpath(`//button[contains(normalize-space(.), ${quoted(words)})]`);
    await this.pressOn(path);
  }

  /** Takes these words of a choice side by side of that name. */
  async pressIn(choice: string, words: string): Promise<void> {
    const path = `//*[@role='radiogroup'][@aria-label=${quoted(choice)}]//button[normalize-space(.)=${quoted(words)}]`;
    await this.pressOn(By.xpath(path));
  }

  /** Presses a button with these words in the dialog that is open. */
  async pressInDialog(words: string): Promise<void> {
    const path = `//dialog[@open]//button[normalize-space(.)=${quoted(words)}]`;
    await this.pressOn(By.xpath(path));
  }

  /** Ticks or unticks the box with this label. */
  async pressLabel(words: string): Promise<void> {
    await this.pressOn(By.xpath(`//label[contains(., ${quoted(words)})]`));
  }

  /** Takes what a notice with these words offers. */
  async takeUp(notice: string, offer: string): Promise<void> {
    const path = `//*[@aria-live="polite"]/*[contains(., ${quoted(notice)})]//button[normalize-space(.)=${quoted(offer)}]`;
    await this.pressOn(By.xpath(path));
  }

  /** Opens what a button opens, and waits for it. One that is open stays so. */
  async open(name: string): Promise<void> {
    const opened = `${named('button', name)}[aria-expanded="true"]`;
    await this.sees(named('button', name));
    if ((await this.count(opened)) > 0) return;
    await this.press(name);
    await this.sees(opened);
  }

  /** Waits until nothing is found any more. */
  private async gone(selector: string): Promise<void> {
    const until = Date.now() + TIMEOUT;
    while ((await this.count(selector)) > 0) {
      if (Date.now() > until) throw new Error(`${selector} stays`);
    }
  }

  /** Takes an entry of the menu behind a button. */
  async menu(button: string, entry: string): Promise<void> {
    await this.open(button);
    await this.click(`[role=menu] [role=menuitem][data-row=${quoted(entry)}]`);
  }

  /** Has something done through the palette, with the keyboard alone. */
  async command(letters: string): Promise<void> {
    await this.keys([Key.CONTROL], 'k');
    await this.find('[role=combobox][aria-label="Commands"]', nothing);
    await this.keys([], letters);
    await this.find('[role=listbox][aria-label="Results"] [aria-selected="true"]', nothing);
    await this.keys([], Key.ENTER);
  }

  /** What has the focus, by its name. */
  focused(): Promise<string> {
    return this.window.executeScript(
      "return document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''",
    );
  }

  /** Opens a list of choices and takes one, which closes it. */
  async choose(list: string, option: string): Promise<void> {
    await this.open(list);
    await this.click(`[role=listbox] [role=option][data-row=${quoted(option)}]`);
    await this.gone(`${named('button', list)}[aria-expanded="true"]`);
  }

  /** Opens a registry of the folder and waits until it is the one shown. */
  async openRegistry(title: string, file: string): Promise<void> {
    await this.open('Registry');
    await this.click(`[data-file=${quoted(file)}] .name[title=${quoted(title)}]`);
    await this.find(`${named('button', 'Registry')}[title$=${quoted(file)}]`, nothing);
    await this.find('[aria-label="Evaluated prompt"]', nothing);
  }

  /** Shows a tab of the preview; a count may follow its name. */
  async showTab(name: string): Promise<void> {
    const path = `//button[@role="tab"][normalize-space(text())=${quoted(name)}]`;
    await this.pressOn(By.xpath(path));
    await this.on(By.xpath(`${path}[@aria-selected="true"]`), nothing);
  }

  /** Shows single runs and their history. */
  async showRuns(): Promise<void> {
    await this.showTab('Run');
    await this.press('Single runs and history');
    await this.find(named('button', 'More seeds'), nothing);
  }

  /** Puts a switch in this position. */
  async setSwitch(name: string, on: boolean): Promise<void> {
    await this.set(`input[role=switch][aria-label=${quoted(name)}]`, on);
  }

  /** Checks or unchecks an item of an optional section. */
  async check(section: string, item: string, on: boolean): Promise<void> {
    await this.set(`[data-card=${quoted(section)}] input[aria-label=${quoted(item)}]`, on);
  }

  /** Takes a single entry as the mode of an array. */
  async takeEntry(section: string, field: string, entry: number): Promise<void> {
    await this.open(`Mode of ${section} ${field}`);
    await this.click(`[role=dialog] [data-entry="${String(entry)}"]`);
  }

  /** Rolls an entry of an array. */
  async rollEntry(section: string, field: string): Promise<void> {
    await this.open(`Mode of ${section} ${field}`);
    await this.click('[role=dialog] [data-random]');
  }

  /** Types into a field in the place of what it holds. */
  async type(field: string, text: string): Promise<void> {
    await this.find(`:is(input, textarea)[aria-label=${quoted(field)}]`, async (input) => {
      await this.meet(input);
      // Two calls: within one, this driver keeps the modifier down for what follows.
      await input.sendKeys(Key.chord(Key.CONTROL, 'a'));
      await input.sendKeys(text);
    });
  }

  /** Gives a file to a field for files; the engine opens no dialog for it while it is driven. */
  async give(field: string, path: string): Promise<void> {
    await this.find(`input[type=file][aria-label=${quoted(field)}]`, (input) =>
      input.sendKeys(path),
    );
  }

  /** Puts the caret into a text of several lines. */
  async enter(field: string): Promise<void> {
    await this.click(`textarea[aria-label=${quoted(field)}]`);
  }

  /** What a field holds. */
  async read(field: string): Promise<string> {
    const value = await this.find(`:is(input, textarea)[aria-label=${quoted(field)}]`, (input) =>
      input.getAttribute('value'),
    );
    return value ?? '';
  }

  /** Presses a key while others are held, wherever the focus is. */
  async keys(modifiers: string[], key: string): Promise<void> {
    await this.keysArrived();
    const actions = this.window.actions();
    for (const each of modifiers) actions.keyDown(each);
    actions.sendKeys(key);
    for (const each of modifiers) actions.keyUp(each);
    await actions.perform();
  }

  /** Changes the theme until it is this one. */
  async setTheme(theme: string): Promise<void> {
    const selector = 'button[aria-label^="Theme: "]';
    const label = () => this.find(selector, (button) => button.getAttribute('aria-label'));
    for (;;) {
      const before = await label();
      if (before === `Theme: ${theme}`) return;
      await this.click(selector);
      await this.sees(`button[aria-label^="Theme: "]:not([aria-label=${quoted(before ?? '')}])`);
    }
  }

  /** The names of the cards that an injection leaves out. */
  async filteredCards(): Promise<string[]> {
    return this.window.executeScript(
      "return [...document.querySelectorAll('[data-card].filtered')].map((card) => card.dataset.card)",
    );
  }

  /** Shows the prompt as plain text, without its bands. */
  async showRaw(): Promise<void> {
    await this.press('Show raw text');
    await this.find('pre[aria-label="Evaluated prompt"]', nothing);
  }

  /** The prompt as the preview shows it raw, to the last character. */
  prompt(): Promise<string> {
    return this.find('pre[aria-label="Evaluated prompt"]', (preview) =>
      this.window.executeScript('return arguments[0].textContent', preview),
    );
  }

  /** The text of the chat, to the last character; what is folded of it is unfolded. */
  async chatText(): Promise<string> {
    const fold = 'button[title="Show the whole prompt"]';
    const until = Date.now() + TIMEOUT;
    for (;;) {
      const text = await this.window.executeScript<string | null>(
        `return document.querySelector(arguments[0]) ? null :
           [...document.querySelectorAll('[aria-label="Chat text"] [data-piece]')]
             .map((piece) => piece.textContent).join('')`,
        fold,
      );
      if (text !== null) return text;
      if (Date.now() > until) throw new Error('the prompt stays folded');
      // It may be another text by now, with nothing to press.
      await this.once(By.css(fold), (button) => this.meet(button)).catch(passing);
    }
  }

  /** The words of an element, as they are shown. */
  words(selector: string): Promise<string> {
    return this.find(selector, (element) => element.getText());
  }

  /** The texts of all elements of a kind, to the last character. */
  lines(selector: string): Promise<string[]> {
    return this.window.executeScript(
      'return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)',
      selector,
    );
  }

  /** What an attribute says on all elements of a kind. */
  all(selector: string, attribute: string): Promise<string[]> {
    return this.window.executeScript(
      'return [...document.querySelectorAll(arguments[0])].map((each) => each.getAttribute(arguments[1]))',
      selector,
      attribute,
    );
  }

  /** Where the middles of elements are, once nothing moves any more; `part` says how far down. */
  private async middles(parts: [selector: string, part: number][]): Promise<Place[]> {
    const now = (): Promise<Place[]> =>
      this.window.executeAsyncScript(
        `const [parts, done] = arguments;
        requestAnimationFrame(() => requestAnimationFrame(() => done(parts.map(([selector, part]) => {
          const box = document.querySelector(selector).getBoundingClientRect();
          return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height * part) };
        }))));`,
        parts,
      );
    let [before, after] = [await now(), await now()];
    while (JSON.stringify(before) !== JSON.stringify(after)) [before, after] = [after, await now()];
    return after;
  }

  /** Drags what a selector finds by its grip onto the lower part of another. */
  async drag(row: string, onto: string): Promise<void> {
    await this.keysArrived();
    await this.find(row, nothing);
    const [from, to] = (await this.middles([
      [`${row} [data-grip]`, 0.5],
      [onto, 0.8],
    ])) as [Place, Place];
    const at = (part: number) => ({
      x: from.x,
      y: Math.round(from.y + (to.y - from.y) * part),
      origin: Origin.VIEWPORT,
    });
    await this.window.actions().move(at(0)).press().perform();
    for (const part of [0.2, 0.5, 0.8, 1]) await this.window.actions().move(at(part)).perform();
    await this.window.actions().release().perform();
  }

  /** Moves the pointer out of the way, so that nothing is shown as pointed at. */
  async pointerAway(): Promise<void> {
    await this.window
      .actions()
      .move({ x: 0, y: 0, origin: Origin.VIEWPORT })
      .release(Button.LEFT)
      .perform();
  }

  /** Presses the first row of a list. */
  async pressRow(selector: string): Promise<void> {
    await this.click(selector);
  }

  /** The words of the first element that a selector finds, hidden ones included. */
  content(selector: string): Promise<string> {
    return this.find(selector, (element) =>
      this.window.executeScript('return arguments[0].textContent', element),
    );
  }

  /** Waits until a selector finds something. */
  async sees(selector: string): Promise<void> {
    await this.find(selector, nothing);
  }

  /** How many elements a selector finds. */
  async count(selector: string): Promise<number> {
    return (await this.window.findElements(By.css(selector))).length;
  }

  /** The whole current page. */
  source(): Promise<string> {
    return this.window.executeScript('return document.documentElement.outerHTML');
  }

  private click(selector: string): Promise<void> {
    return this.pressOn(By.css(selector));
  }

  private async set(selector: string, on: boolean): Promise<void> {
    await this.find(selector, async (input) => {
      // The box itself is drawn by its label, which is what a pointer meets.
      const label = await input.findElement(By.xpath('..'));
      if ((await input.isSelected()) !== on) await this.meet(label);
    });
    await this.sees(`${selector}${on ? ':checked' : ':not(:checked)'}`);
  }
}
