// Goal: any text that the API can return is shown as text: nothing runs, nothing is loaded, the layout holds and no
// page breaks. Method: all pages, with every free text of the real answers replaced; views that need a query, such as
// one event, are opened too.
import { beforeAll, describe, expect, it } from 'vitest';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { answerHostile } from '#test/support/dashboard/hostile-answers.ts';
import { PAGES } from '#test/support/dashboard/page-list.ts';
import { sendSamples } from '#test/support/dashboard/sample-events.ts';
import { tooWide } from '#test/support/dashboard/seen.ts';
import { followed } from '#test/support/dashboard/trees.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const WIDTHS = [1280, 320] as const;
/** Nothing of these is ours: pages have no pictures, frames or styles of their own in `main`. */
const MADE = 'main :is(img, script, style, iframe, object, embed), a[href^="javascript" i]';

describe.runIf(browserWanted)('texts of strangers', () => {
  const suite = useDashboard();
  beforeAll(() => sendSamples(suite.host().session));

  it('stay text on every page, and break none', async () => {
    const page = await suite.opened();
    const { session } = suite.host();
    const [ticket] = session.helpdesk_sample.tickets;
    const more = ['/event?id=order-1007', '/events?search=order', `/inbox?id=${ticket}`, '/replays?range=7d'];
    const answers = await answerHostile(page);
    await page.goto(session.origin_url);
    const broken: string[] = [];
    for (const path of [...PAGES.map((entry) => entry.path), ...more]) {
      await page.setViewportSize({ width: 1280, height: 900 });
      const tree = await followed(page, path);
      if (/This page broke|could not be shown|status "Loading"/.test(tree)) broken.push(`${path}:\n${tree}`);
      const made = await page.locator(MADE).count();
      if (made > 0) broken.push(`${path}: ${made} elements of strangers`);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        broken.push(...(await tooWide(page, width)).map((one) => `${path}: ${one}`));
      }
    }
    expect(broken).toEqual([]);
    expect(answers.replaced()).toBeGreaterThan(500);
  });
});
