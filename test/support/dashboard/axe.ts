// What axe finds wrong in a page of the dashboard. It is put in by the debugger: the pages' policy lets no script in.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const LOOKS = [
  ['light', 1280],
  ['dark', 390],
] as const;

/** What another theme can break in a page that is otherwise the same. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** And what another width can. */
const LOOK_RULES = [...COLOUR_RULES, 'target-size'];

/** Of what is only advised: tables and landmarks that can be told apart. */
const ADVISED = { 'empty-table-header': { enabled: true }, 'landmark-unique': { enabled: true } };

/** What is said of an element is its HTML: to find a selector for each takes a fifth of a run. */
const run = (
  options: object,
  within: 'document' | 'main',
) => `axe.run(${within === 'main' ? `'main'` : within}, ${JSON.stringify({ ...options, resultTypes: ['violations'], selectors: false })}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`;

const violationsOf = async (
  page: Page,
  options: object,
  within: 'document' | 'main' = 'document',
): Promise<readonly string[]> => {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE);
  return (await page.evaluate(run(options, within))) as string[];
};

/** One line for each broken rule; none where all hold. */
export const violations = (
  page: Page,
  { isAdvised = false }: { readonly isAdvised?: boolean } = {},
): Promise<readonly string[]> =>
  violationsOf(page, { runOnly: RULES, ...(isAdvised ? { rules: ADVISED } : {}) });

/** Of a page that broke no rule in its other theme, at this width; or of what is in `main`. */
export const colourViolations = (page: Page, within?: 'main'): Promise<readonly string[]> =>
  violationsOf(page, { runOnly: { type: 'rule', values: COLOUR_RULES } }, within);

/** Of what is in `main` in a page that broke no rule at its other width. */
export const lookViolations = (page: Page): Promise<readonly string[]> =>
  violationsOf(page, { runOnly: { type: 'rule', values: LOOK_RULES } }, 'main');

/** Of the page as it stands, in light and dark, wide and narrow: for states that a flow passes through. */
export async function violationsInEveryLook(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize() ?? { width: 1280, height: 900 };
  const found: string[] = [];
  for (const [colorScheme, width] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: before.height });
    found.push(...(await violations(page)).map((one) => `${colorScheme}, ${width} px: ${one}`));
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
  return found;
}
