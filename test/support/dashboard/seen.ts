// What axe does not look for: whether a page stays within its width, and whether who uses keys or forced colours still sees what is
// what. Each answers one line for each finding.
import type { Page } from 'playwright-core';

const inPage = async (page: Page, expression: string): Promise<readonly string[]> =>
  (await page.evaluate(expression)) as string[];

const CALLED = `const called = (e) => e.outerHTML.slice(0, 160);
const isShown = (e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0;`;

/** Only what scrolls by itself may be wider than the page; and of that, nothing may stick out. */
export const tooWide = (page: Page, width: number): Promise<readonly string[]> =>
  inPage(
    page,
    `(() => {
      ${CALLED}
      const scrolls = (e) => e && (/auto|scroll|hidden/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
      const wide = [...document.querySelectorAll('body *')].filter((e) => isShown(e)
        && e.getBoundingClientRect().right > ${width} + 1 && !scrolls(e));
      const page = document.documentElement.scrollWidth;
      return page > ${width} ? [page + ' px wide at ${width}', ...wide.slice(0, 3).map(called)] : [];
    })()`,
  );

/** In forced colours grounds are gone: a control needs an edge, or to be a text of its own colour that is underlined. */
export const withoutEdge = (page: Page): Promise<readonly string[]> =>
  inPage(
    page,
    `(() => {
      ${CALLED}
      const hasEdge = (e) => {
        // Of a file's input, its button is what is pressed.
        const pressed = e.type === 'file' ? '::file-selector-button' : null;
        const { borderTopWidth, borderTopStyle, textDecorationLine, appearance } = getComputedStyle(e, pressed);
        return (parseFloat(borderTopWidth) > 0 && borderTopStyle !== 'none') || textDecorationLine !== 'none' || appearance !== 'none';
      };
      return [...document.querySelectorAll('main :is(button, input, select, textarea)')]
        .filter((e) => isShown(e) && !hasEdge(e)).map((e) => 'no edge in forced colours: ' + called(e));
    })()`,
  );

/** What moves although the reader asked for rest; where he did not, what moves for longer than 120 ms. */
export const moving = (page: Page, maxMs: number): Promise<readonly string[]> =>
  inPage(
    page,
    `(() => {
      ${CALLED}
      const running = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().duration > ${maxMs});
      return running.map(({ effect }) => 'moves: ' + called(effect.target));
    })()`,
  );

const TABS_MAX = 400;

/** Tab by Tab through the page: whatever takes the focus shows it, and the focus is let go again. */
export async function hiddenFocus(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  await page.evaluate(`document.activeElement?.blur(); window.tabbed = new Set(); void 0`);
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    await page.keyboard.press('Tab');
    const said = (await page.evaluate(`(() => {
      ${CALLED}
      const e = document.activeElement;
      if (e === null || e === document.body) return 'end';
      if (window.tabbed.has(e)) return 'end';
      window.tabbed.add(e);
      const { outlineStyle, outlineWidth } = getComputedStyle(e);
      const { width, height } = e.getBoundingClientRect();
      if (width < 1 || height < 1) return 'focus on what is not there: ' + called(e);
      return outlineStyle === 'none' || parseFloat(outlineWidth) < 1 ? 'focus is not seen: ' + called(e) : '';
    })()`)) as string;
    if (said === 'end') return found;
    if (said !== '') found.push(said);
  }
  return [...found, `no end after ${TABS_MAX} presses of Tab`];
}
