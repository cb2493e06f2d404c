// Two presses in one turn of the browser: nothing was drawn, and nothing was answered, between them.
import type { Locator } from 'playwright-core';

export const twice = (button: { click(): void }): void => {
  button.click();
  button.click();
};

export const enterTwice = (form: { requestSubmit(): void }): void => {
  form.requestSubmit();
  form.requestSubmit();
};

/** Enter twice, and its button. */
export const submitTwice = (form: Locator): Promise<void> =>
  form.evaluate(
    (one: { requestSubmit(): void; querySelector(selector: string): { click(): void } | null }) => {
      one.requestSubmit();
      one.requestSubmit();
      one.querySelector('[type=submit]')?.click();
    },
  );
