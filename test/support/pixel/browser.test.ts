import { expect, it } from 'vitest';
import { requiresBrowser } from './browser.ts';

it.each([
  [{ CI: '1' }, true],
  [{ CI: 'true' }, true],
  [{}, false],
  [{ CI: '' }, false],
  [{ CI: '0' }, false],
  [{ CI: 'false' }, false],
  [{ CI: '1', NO_BROWSER: '1' }, false],
])('%j: a browser has to be there: %s', (environment, isRequired) => {
  expect(requiresBrowser(environment)).toBe(isRequired);
});
