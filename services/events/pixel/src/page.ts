// What the page gives us: the settings on our own script element, a clock, a place to keep things.
// biome-ignore-all lint/suspicious/noAssignInExpressions: see pixel.ts
// biome-ignore-all lint/style/useTemplate: see pixel.ts

/** `data-merchant`, `data-auto`, `data-consent` as the merchant wrote them: may be anything. */
export const { dataset: settings, src } = document.currentScript as HTMLScriptElement;

/** Milliseconds. */
export const now = Date.now;

const key = 'millrace:' + settings.merchant;

/**
 * Reads an entry of localStorage, or writes it when given a value: `q` the queue, `p` the pause, `c` the consent.
 * Undefined when there is none, it is broken, or the browser forbids or has no room for it.
 */
// biome-ignore lint/suspicious/noExplicitAny: what comes out of a browser's storage may be anything
export const stored = (name: 'q' | 'p' | 'c', value?: unknown): any => {
  try {
    return value ? (localStorage[key + name] = JSON.stringify(value)) : JSON.parse(localStorage[key + name]);
  } catch {
    // The state in memory stands.
  }
};
