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

const RUN = `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`;

/** One line for each broken rule; none where all hold. */
export async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE);
  return (await page.evaluate(RUN)) as string[];
}

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
