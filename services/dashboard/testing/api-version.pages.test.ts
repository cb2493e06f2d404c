// Goal: on Platforms a connection is moved to another version of its platform's API, tried first; the answer is shown, a refusal
// changes nothing, and what ends soon is said. Method: the real host and its sandbox.
import { describe, expect, it } from 'vitest';
import { violations } from '#test/support/dashboard/axe.ts';
import { useDashboard } from '#test/support/dashboard/browser.ts';
import { fault } from '#test/support/dashboard/sample-shop.ts';
import { tooWide } from '#test/support/dashboard/seen.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

describe.runIf(browserWanted)('the version of an API', () => {
  const suite = useDashboard({ hasHelpdeskSample: false });

  it('is tried, moved to, and said to end', async () => {
    const page = await suite.opened('/platforms');
    const meta = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Meta', exact: true }) });
    await meta.getByText('API version v26.0').click();
    const move = meta.getByRole('button', { name: 'Move to it' });
    expect(await move.getAttribute('title')).toBe('It is the version it has.');

    await fault(suite.host().session, { platform: 'meta', kind: '401', count: 1 });
    await meta.getByLabel('Version').selectOption('v27.0');
    await move.click();
    await meta.getByText('did not take a test with this version').waitFor();
    await meta.getByText('API version v26.0').waitFor();

    await meta.getByLabel('Version').selectOption('v25.0');
    await move.click();
    await meta.getByText('The platform took the test event.').waitFor();
    await meta.getByText('API version v25.0').waitFor();
    await meta.getByText('version v25.0 ends on 2027-02-23').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 900 });
    expect(await tooWide(page, 360)).toEqual([]);
  });

  it('is not asked for where there is one', async () => {
    const page = await suite.opened('/platforms');
    await page.getByText('API version 202608').waitFor();
    const x = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'X', exact: true }) });
    expect(await x.getByText('API version').count()).toBe(0);
  });
});
