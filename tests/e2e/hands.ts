// What a person does in the window, by the names a screen reader would say. Says nothing about
// what should follow.
import {
  Button,
  By,
  Key,
  Origin,
  until,
  type WebDriver,
  type WebElement,
} from 'selenium-webdriver';

const PATIENCE = 10_000;

const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;

/** The window's controls, found by role and name. */
export class Hands {
  constructor(private readonly window: WebDriver) {}

  private async find(selector: string): Promise<WebElement> {
    const element = await this.window.wait(
      until.elementLocated(By.css(selector)),
      PATIENCE,
      `nothing matches ${selector}`,
    );
    await this.window.executeScript("arguments[0].scrollIntoView({block: 'nearest'})", element);
    return element;
  }

  /** Presses the button of that name. */
  async press(name: string): Promise<void> {
    await (await this.find(`button[aria-label=${quoted(name)}]`)).click();
  }

  /** Presses a button whose words contain these. */
  async pressWords(words: string): Promise<void> {
    const path = `//button[contains(normalize-space(.), ${quoted(words)})]`;
    const button = await this.window.wait(
      until.elementLocated(By.xpath(path)),
      PATIENCE,
      `no button ${words}`,
    );
    await button.click();
  }

  /** Opens a list of choices and takes one. */
  async choose(list: string, option: string): Promise<void> {
    await this.press(list);
    await (await this.find(`[role=listbox] [role=option][title=${quoted(option)}]`)).click();
  }

  /** Opens a registry of the folder. */
  async openRegistry(title: string): Promise<void> {
    await this.press('Registry');
    await (await this.find(`[role=menu] [role=menuitemradio][data-row=${quoted(title)}]`)).click();
  }

  /** Puts a switch in this position. */
  async setSwitch(name: string, on: boolean): Promise<void> {
    const input = await this.find(`input[role=switch][aria-label=${quoted(name)}]`);
    if ((await input.isSelected()) !== on) await input.click();
  }

  /** Checks or unchecks an item of an optional section. */
  async check(section: string, item: string, on: boolean): Promise<void> {
    const input = await this.find(
      `[data-card=${quoted(section)}] label[title=${quoted(item)}] input`,
    );
    if ((await input.isSelected()) !== on) await input.click();
  }

  /** Takes a single entry as the mode of an array. */
  async takeEntry(section: string, field: string, entry: number): Promise<void> {
    await this.press(`Mode of ${section} ${field}`);
    await (await this.find(`[role=dialog] [data-entry="${String(entry)}"]`)).click();
  }

  /** Rolls K entries of an array. */
  async rollEntries(section: string, field: string): Promise<void> {
    await this.press(`Mode of ${section} ${field}`);
    await (await this.find('[role=dialog] [data-random]')).click();
  }

  /** Types into a field in the place of what it holds. */
  async type(field: string, text: string): Promise<void> {
    const input = await this.find(`input[aria-label=${quoted(field)}]`);
    await input.click();
    await input.sendKeys(Key.chord(Key.CONTROL, 'a'), text);
  }

  /** What a field holds. */
  async read(field: string): Promise<string> {
    return (
      (await (await this.find(`input[aria-label=${quoted(field)}]`)).getAttribute('value')) ?? ''
    );
  }

  /** Presses keys together, wherever the focus is. */
  async keys(...keys: string[]): Promise<void> {
    await this.window
      .actions()
      .sendKeys(Key.chord(...keys))
      .perform();
  }

  /** Changes the theme until it is this one. */
  async setTheme(theme: string): Promise<void> {
    for (let tries = 0; tries < 3; tries += 1) {
      const button = await this.find('button[aria-label^="Theme: "]');
      if ((await button.getAttribute('aria-label')) === `Theme: ${theme}`) return;
      await button.click();
    }
  }

  /** The names of the cards that an injection leaves out. */
  async filteredCards(): Promise<string[]> {
    const cards = await this.window.findElements(By.css('[data-card].filtered'));
    return Promise.all(cards.map(async (card) => (await card.getAttribute('data-card')) ?? ''));
  }

  /** The prompt as the preview shows it, to the last character. */
  async prompt(): Promise<string> {
    const preview = await this.find('[aria-label="Evaluated prompt"]');
    return (await this.window.executeScript('return arguments[0].textContent', preview)) as string;
  }

  /** Moves the pointer out of the way, so that nothing is shown as pointed at. */
  async pointerAway(): Promise<void> {
    await this.window
      .actions()
      .move({ x: 0, y: 0, origin: Origin.VIEWPORT })
      .release(Button.LEFT)
      .perform();
  }
}
