// What the page gives us: the settings on our own script element and a clock. Read once, while the script runs.

const script = document.currentScript as HTMLScriptElement;

/** `data-merchant`, `data-auto`, `data-consent`, as the merchant wrote them: may be anything. */
export const settings = script.dataset;

/** Beside the script itself, so a path in front of `/v1/` works too: `…/v1/pixel.js` → `…/v1/browser/events`. */
export const endpoint = new URL('browser/events', script.src);

/** Milliseconds. */
export const now = Date.now;
