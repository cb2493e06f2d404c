// What a page says, as assistive technology hears it: the ARIA tree of `main`, without what is another one each time.
import type { Page } from 'playwright-core';

const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<id>'],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b/g, '<month>'],
  [/(?<!level=)\d[\d.,:]*/g, '#'],
  [/ [AP]M\b/g, ''],
  [/(?:in )?# (?:sec|min|hr|day)s?\.?(?: ago)?|\bnow\b|\byesterday\b|\btomorrow\b/g, '<time>'],
];

/** Rows that say the same now, one after the other: how many there are is another number each time. */
const REPEATED = /^((?:.+\n){1,12}?)\1+/gm;

export async function treeOf(page: Page): Promise<string> {
  const tree = await page.locator('main').ariaSnapshot();
  const plain = CHANGING.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), tree);
  return `${plain}\n`.replaceAll(REPEATED, '$1');
}

const LOOK_EVERY_MS = 100;
const LOOKS_MAX = 100;

/** What is loading is not shown at once, and until then its tree is that of a page that has ended loading. */
const ABOUT_TO_LOAD = `[...document.querySelectorAll('[aria-label=Loading]')]
  .some((e) => !e.checkVisibility({ visibilityProperty: true }))`;

const isLoaded = (tree: string): boolean => !tree.includes('status "Loading"');

/** When it is the same twice, and `isDone` says so: by default when nothing is loading any more. */
export async function steadyTree(page: Page, isDone = isLoaded): Promise<string> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  let before = '';
  for (let look = 0; look < LOOKS_MAX; look++) {
    // Asked first: what begins to load after the question makes another tree of it.
    const isEarly = await page.evaluate(ABOUT_TO_LOAD);
    const tree = await treeOf(page);
    if (tree === before && isEarly === false && isDone(tree)) return tree;
    before = tree;
    await page.waitForTimeout(LOOK_EVERY_MS);
  }
  return before;
}

/** An address that is no page's. */
export const NO_PAGE = '/no-page';

/** To where nothing is asked for again and again: a page that stays behind asks for its list every few seconds. */
export async function leave(page: Page): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(NO_PAGE)})`);
  await page.getByRole('heading', { name: 'No such page' }).waitFor();
}

/**
 * The tree of a page that is reached as by a link: the address is read as after a load, without the load that is half of what a visit
 * computes. By way of where no page is: what is left of the page before cannot be taken for this one.
 */
export async function followed(page: Page, path: string, isDone = isLoaded): Promise<string> {
  await leave(page);
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
  return await steadyTree(page, (tree) => !tree.includes('No such page') && isDone(tree));
}
