// Pictures of the dashboard's main pages in both themes, for docs/pictures: `npm run pictures`. A host of its own, with a day's
// events, a platform that refuses its credentials and one that fails twice; nothing in them is drawn by hand. They gate nothing:
// somebody looks at them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { type Host, startHost } from '../services/local/host.ts';
import { sendOrders } from '../test/support/dashboard/sample-events.ts';
import { BUILDS, settled, signIn } from '../test/support/dashboard/visitor.ts';
import { launchBrowser } from '../test/support/pixel/browser.ts';

const TO = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const SIZE = { width: 1280, height: 900 };
const FAULTS = [
  { platform: 'x', kind: '401', count: 1_000 },
  { platform: 'tiktok', kind: '500', count: 2 },
];
const DELIVER_MAX_MS = 120_000;

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly act?: (page: Page) => Promise<unknown>;
}

const pictures = ({ helpdesk_sample }: Host['session']): readonly Picture[] => [
  { name: 'overview', path: '/' },
  { name: 'events', path: '/events' },
  {
    name: 'event',
    path: '/event?id=order-1003',
    act: (page) => page.locator('summary').filter({ hasText: 'TikTok' }).click(),
  },
  { name: 'coverage', path: '/coverage' },
  {
    name: 'replays',
    path: '/replays',
    act: async (page) => {
      await page.getByLabel('Which').selectOption('all');
      await page.getByRole('button', { name: 'Dry run' }).click();
      await page.getByRole('button', { name: /^Send th/ }).waitFor({ timeout: 90_000 });
    },
  },
  { name: 'platforms', path: '/platforms' },
  { name: 'connect', path: '/connect?platform=meta&step=credentials' },
  {
    name: 'inbox',
    path: `/inbox?id=${helpdesk_sample.tickets[0]}`,
    act: (page) => page.locator('#composer').fill('Your parcel left on Monday.'),
  },
];

const folder = mkdtempSync(join(tmpdir(), 'millrace-pictures-'));
const [host, browser] = await Promise.all([
  startHost({ portBase: 0, dataDir: folder, dashboardDir: BUILDS }),
  launchBrowser(),
]);
try {
  await host.dashboard.prepare();
  for (const fault of FAULTS) await post(`${host.session.sandbox_url}/faults`, fault);
  await sendOrders(host.session);
  await delivered(host);
  const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await signIn({ context, page }, host);
  for (const { name, path, act } of pictures(host.session)) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(host.session.origin_url + path);
    await settled(page);
    await act?.(page);
    await page.waitForLoadState('networkidle');
    await settled(page);
    await page.evaluate('document.activeElement?.blur(); scrollTo(0, 0)');
    for (const [colorScheme, ending] of [
      ['light', ''],
      ['dark', '-dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${TO}${name}${ending}.png` });
      console.log(`docs/pictures/${name}${ending}.png`);
    }
  }
} finally {
  await browser.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
}

async function post(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
}

/** Until what TikTok refused twice is there: by then all else is. */
async function delivered({ session }: Host): Promise<void> {
  const endMs = performance.now() + DELIVER_MAX_MS;
  while (performance.now() < endMs) {
    const answer = await fetch(`${session.api_url}/v1/events/order-1003/explain`, {
      headers: { authorization: `Bearer ${session.session_jwt}` },
    });
    const { verdicts = [] } = (await answer.json()) as {
      readonly verdicts?: readonly { readonly platform: string; readonly verdict: string }[];
    };
    if (verdicts.some(({ platform, verdict }) => platform === 'tiktok' && verdict === 'delivered')) return;
    await pause(500);
  }
  throw new Error('The samples were not delivered.');
}
