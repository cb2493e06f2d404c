// A person with a keyboard and no mouse. Every key is counted but those that spell a text.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More Tabs than any page has stops: where one is not reached by then, it is not reached. */
const STOPS_MAX = 120;

export interface Keys {
  press(...keys: readonly string[]): Promise<void>;
  /** Spells a text where the focus is; counts as one. */
  type(text: string): Promise<void>;
  /** Tab after Tab until this has the focus. */
  tabTo(target: Locator): Promise<void>;
  /** So far. */
  count(): number;
}

export function keysOf(page: Page): Keys {
  let count = 0;
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      count += 1;
      await page.keyboard.press(key);
    }
  };
  const type = async (text: string): Promise<void> => {
    count += 1;
    await page.keyboard.type(text);
  };
  const hasFocus = (target: Locator) => target.evaluate((one) => one.ownerDocument.activeElement === one);
  return {
    press,
    type,
    count: () => count,
    async tabTo(target) {
      await target.waitFor();
      for (let stop = 0; stop < STOPS_MAX; stop++) {
        if (await hasFocus(target)) return;
        await press('Tab');
      }
      expect(await hasFocus(target), 'no Tab leads there').toBe(true);
    },
  };
}
