// Goal: what is behind a press or a filter, in both themes and two widths, breaks no rule of WCAG 2.2 AA, keeps its layout and
// shows foreign texts as text. Method: axe, injected by the debugger (the pages' policy blocks scripts); pictures go to
// .local/dashboard-pictures for a visual check. Pages as they open are in matrix.pages.test.ts.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { colourViolations, violations } from '#test/support/dashboard/axe.ts';
import { settled, signIn, useDashboard, type Visit } from '#test/support/dashboard/browser.ts';
import { HOSTILE, hostileId, sendSamples } from '#test/support/dashboard/sample-events.ts';
import { setUpSamples } from '#test/support/dashboard/sample-setup.ts';
import { tooWide } from '#test/support/dashboard/seen.ts';
import { followed } from '#test/support/dashboard/trees.ts';
import { browserWanted } from '#test/support/pixel/browser.ts';

const PICTURES = fileURLToPath(new URL('../../../.local/dashboard-pictures', import.meta.url));

/** In CI they would be thrown away. */
const isLookedAt = process.env.CI === undefined;

interface View {
  readonly name: string;
  readonly path: string;
  /** What to do before it is looked at. */
  readonly act?: (page: Page) => Promise<void>;
}

const open = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();

const typing = (label: string, text: string) => (page: Page) => page.getByLabel(label).fill(text);

/** In the inbox: the next key when the one before it is done. */
const pressing =
  (...keys: readonly string[]) =>
  async (page: Page) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      if (key === 'j') await page.locator('#composer').waitFor();
      if (key === 'e' || key === 's') await page.getByRole('dialog').waitFor();
    }
  };

async function tryRule(page: Page): Promise<void> {
  await page.getByLabel('Event names').fill('Purchase');
  await page.getByLabel('It does', { exact: true }).selectOption('transform');
  await page.getByLabel('What', { exact: true }).selectOption('scale_value');
  await page.getByLabel('Times').fill('0.3');
  await page.getByLabel('Name', { exact: true }).fill('Margin');
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('events would change').waitFor();
}

async function refuseRule(page: Page): Promise<void> {
  await page.getByLabel('Countries').fill('Germany');
  await page.getByLabel('Name', { exact: true }).fill('Wrong');
  await page.getByText('Items', { exact: true }).click();
  await page.getByText('Consent', { exact: true }).click();
  await page.getByText('Custom fields', { exact: true }).click();
  await page.getByRole('button', { name: 'Add a custom field' }).click();
  await page.getByRole('button', { name: 'Make the rule' }).click();
  await page.getByText('see the marked fields').waitFor();
}

async function askToErase(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill('jane@example.com');
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.getByRole('dialog').waitFor();
}

const VIEWS: readonly View[] = [
  { name: 'overview-table', path: '/?range=7d', act: open('As a table') },
  { name: 'overview-checked', path: '/', act: open('Check the figures now') },
  { name: 'events-none', path: '/events?search=no-such-order' },
  { name: 'events-refused', path: '/events?platform=no-such-platform' },
  { name: 'event', path: '/event?id=order-1007', act: (page) => page.locator('details').nth(5).click() },
  { name: 'event-replay', path: '/event?id=order-1003', act: open('Replay') },
  { name: 'event-forward', path: '/event?id=order-1003', act: open('Forward') },
  { name: 'event-missing', path: '/event?id=of-somebody-else' },
  { name: 'event-hostile', path: `/event?id=${encodeURIComponent(hostileId(0))}` },
  { name: 'orders-none', path: '/orders?start=2026-01-01&end=2026-01-02' },
  { name: 'orders-refused', path: '/orders?start=yesterday' },
  { name: 'order', path: '/order?id=3' },
  { name: 'order-missing', path: '/order?id=of-somebody-else' },
  { name: 'coverage-problems', path: '/coverage?show=problems&range=7d' },
  { name: 'replays', path: '/replays', act: open('Dry run') },
  {
    name: 'reconcile',
    path: '/reconcile',
    act: typing('Orders as CSV', 'order_id,value,note\n1001,59.98,x'),
  },
  { name: 'reconcile-refused', path: '/reconcile', act: typing('Orders as CSV', 'Name;Total\n1;2') },
  { name: 'reconcile-missing', path: '/reconcile?id=00000000-0000-7000-8000-000000000000' },
  { name: 'assistant-not-configured', path: '/assistant', act: open('Which platform waits') },
  { name: 'disconnect', path: '/platforms', act: open('Disconnect') },
  { name: 'connect-choose', path: '/connect' },
  { name: 'connect-credentials', path: '/connect?platform=x&step=credentials' },
  { name: 'rules', path: '/rules' },
  { name: 'rule-new', path: '/rules?edit=new', act: tryRule },
  { name: 'rule-refused', path: '/rules?edit=new', act: refuseRule },
  { name: 'rule-missing', path: '/rules?edit=rul_of-somebody-else' },
  { name: 'rule-delete', path: '/rules', act: open('Delete') },
  { name: 'members', path: '/members' },
  { name: 'members-invite', path: '/members', act: open('Invite somebody') },
  { name: 'members-withdraw', path: '/members', act: open('Withdraw') },
  { name: 'privacy', path: '/privacy', act: open('Receipt') },
  { name: 'privacy-sure', path: '/privacy', act: askToErase },
  { name: 'privacy-missing', path: '/privacy?id=019aa2f4-6a10-7000-8000-000000000001' },
  { name: 'keys-create', path: '/keys', act: open('Create a key') },
  { name: 'inbox-none', path: '/inbox?search=no-such-words' },
  { name: 'inbox-ticket', path: '/inbox?queue=waiting', act: pressing('j', 'r') },
  { name: 'inbox-note', path: '/inbox?queue=snoozed', act: pressing('j', 'n') },
  { name: 'inbox-done', path: '/inbox?queue=done', act: pressing('j') },
  { name: 'inbox-close', path: '/inbox?queue=new', act: pressing('j', 'e') },
  { name: 'inbox-snooze', path: '/inbox?queue=new', act: pressing('j', 's') },
  { name: 'inbox-missing', path: '/inbox?id=00000000-0000-7000-8000-000000000000' },
  { name: 'contacts-none', path: '/contacts?search=no-such-words' },
  { name: 'contact', path: '/contacts', act: (page) => page.locator('tbody a').first().click() },
  { name: 'contact-missing', path: '/contacts?id=00000000-0000-7000-8000-000000000000' },
  { name: 'inbox-orders', path: '/inbox?queue=new', act: pressing('j') },
  { name: 'articles-none', path: '/articles?search=no-such-words' },
  { name: 'article', path: '/articles', act: (page) => page.locator('tbody a').first().click() },
  { name: 'article-new', path: '/articles?id=new', act: open('Publish') },
  { name: 'article-missing', path: '/articles?id=00000000-0000-7000-8000-000000000000' },
  { name: 'webhooks-add', path: '/webhooks', act: open('Add a webhook') },
  { name: 'webhook', path: '/webhooks', act: (page) => page.locator('tbody a').first().click() },
  { name: 'webhook-missing', path: '/webhooks?id=00000000-0000-7000-8000-000000000000' },
  { name: 'workspace-key', path: '/workspace', act: open('Create a key') },
  { name: 'audit-refused', path: '/audit-log?from=yesterday' },
  { name: 'palette', path: '/', act: (page) => page.keyboard.press('/') },
  { name: 'shortcuts', path: '/', act: (page) => page.keyboard.press('?') },
  { name: 'no-such-page', path: '/nowhere/at/all' },
];

const LOOKS = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 320],
] as const;

const SHARE = 10;
const SHARES = Array.from({ length: Math.ceil(VIEWS.length / SHARE) }, (_, share) => {
  const views = VIEWS.slice(share * SHARE, (share + 1) * SHARE);
  return { views, names: views.map(({ name }) => name).join(', ') };
});

describe.runIf(browserWanted)('every view', () => {
  const suite = useDashboard();
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    await sendSamples(suite.host().session);
    await setUpSamples(suite.host().session);
  });

  // In shares, so that one that takes long does not hide which one.
  it.each(SHARES)('$names', async ({ views }) => {
    const page = await suite.opened('/', { reducedMotion: 'reduce' });
    const found: string[] = [];
    for (const { name, path, act } of views) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await closed(page);
      await followed(page, path);
      await act?.(page);
      if (act !== undefined) await page.waitForLoadState('networkidle');
      for (const [colorScheme, width] of LOOKS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const broken = colorScheme === 'light' ? violations(page) : colourViolations(page);
        const wrong = [...(await broken), ...(await tooWide(page, width))];
        found.push(...wrong.map((one) => `${name}, ${colorScheme}, ${width} px: ${one}`));
        const path = join(PICTURES, `${name}-${colorScheme}-${width}.png`);
        if (isLookedAt) await page.screenshot({ path, fullPage: true });
      }
    }
    expect(found).toEqual([]);
  });

  it('shows whatever came as an id, a name or a value as text', async () => {
    const visit = await suite.visit();
    await signIn(visit, suite.host(), '/events?search=hostile%40example.com');
    await settled(visit.page);
    const rows = visit.page.locator('tbody tr');
    expect(await rows.count()).toBe(HOSTILE.length);
    for (const index of HOSTILE.keys())
      expect(await visit.page.locator('tbody bdi').allTextContents()).toContain(hostileId(index));
    for (const index of HOSTILE.keys()) await opens(visit, index);
  });

  it('opens what the palette is given, whatever it is', async () => {
    const page = await suite.opened();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, event id' }).fill(hostileId(6));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: hostileId(6), level: 1 }).waitFor();
    await settled(page);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('hears of a breach of the policy: the check can fail', async () => {
    const { page } = await suite.visit();
    await page.goto(suite.host().session.dashboard_url);
    await page.getByLabel('E-mail').waitFor();
    await page.goto(`${suite.host().session.origin_url}/favicon.svg`);
    await page.goto(`${suite.host().session.origin_url}/sign-in/callback`);
    await page.getByRole('alert').waitFor();
    await page.evaluate(`try { document.body.innerHTML = '<b>x</b>' } catch {}`);
    await expect.poll(() => suite.complaints.length).toBeGreaterThan(0);
    await page.close();
    suite.complaints.length = 0;
  });
});

/** What is open over the page would stay open over the next one. */
async function closed(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  if ((await dialog.count()) === 0) return;
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

async function opens({ page }: Visit, index: number): Promise<void> {
  await page
    .locator('tbody tr', { hasText: hostileId(index) })
    .getByRole('link')
    .click();
  await page
    .getByRole('heading', { level: 1 })
    .filter({ hasText: hostileId(index) })
    .waitFor();
  await settled(page);
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.goBack();
  await settled(page);
}
