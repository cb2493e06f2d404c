// The dashboard as a person meets it, in the machine's Chromium: from `npm start` to a signed-in page, the largest paint of the first
// page with and without a slow processor, and from a key to what it does. What is loaded is counted as well.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { buildDashboard } from '#services/local/dashboard/build.ts';
import { sendSamples } from '../../support/dashboard/sample-events.ts';
import { MAX_SIZES, sizesOf } from '../../support/dashboard/sizes.ts';
import { settled, signIn } from '../../support/dashboard/visitor.ts';
import { launchBrowser } from '../../support/pixel/browser.ts';
import { type EmbeddedHost, startEmbeddedHost } from '../embedded-host.ts';
import { atMost, figure, type Row, report, sized } from '../result.ts';
import { quantile } from '../rounds.ts';

const ROUNDS = sized(7, 1);
const SLOWER = 4;
const KEYS = sized(40, 8);

/** What is kept of the largest paint so far; asked for when nothing loads any more. */
const LARGEST = `new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime))
  .observe({ type: 'largest-contentful-paint', buffered: true }))`;

/** From the key, as the browser stamped it, to the frame after the one in which it was handled. */
const WATCH_KEYS = `window.keyMs = []; addEventListener('keydown', (event) => {
  requestAnimationFrame(() => setTimeout(() => window.keyMs.push(performance.now() - event.timeStamp)));
}, true); void 0`;

const dataDir = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
const browser = await launchBrowser();
try {
  const sizes = sizesOf(await buildDashboard(join(dataDir, 'dashboard')));
  // What a first start does once: keys, tables, samples.
  await (await startEmbeddedHost(dataDir)).close();
  const beganMs = performance.now();
  const host = await startEmbeddedHost(dataDir);
  try {
    const page = await openPage(browser, host);
    const signedInSec = (performance.now() - beganMs) / 1_000;
    await sendSamples(host.session);
    report({
      benchmark: 'dashboard',
      rows: [
        atMost('from `npm start` to a signed-in page, warm', signedInSec, 's', 6),
        atMost('largest paint of Overview, median', await largestPaint(page, 1), 's', 0.8),
        atMost(`the same, processor ${SLOWER}x slower`, await largestPaint(page, SLOWER), 's', 1.8),
        ...(await keysToPaint(page, host)),
        atMost('scripts of the first page, gzip', sizes.initial, 'bytes', MAX_SIZES.initial),
        atMost('the largest page beside them', Math.max(...sizes.pages.values()), 'bytes', MAX_SIZES.page),
        atMost('all scripts', sizes.allScripts, 'bytes', MAX_SIZES.all),
        atMost('style', Math.max(...sizes.styles), 'bytes', MAX_SIZES.style),
        figure('pages', sizes.pages.size, ''),
      ],
    });
  } finally {
    await host.close();
  }
} finally {
  await browser.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function openPage(from: Browser, host: EmbeddedHost): Promise<Page> {
  const context = await from.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await signIn({ context, page }, host);
  await settled(page);
  return page;
}

/** Seconds; the first time is left out, because its files come from nowhere but the server. */
async function largestPaint(page: Page, slower: number): Promise<number> {
  const debuggers = await page.context().newCDPSession(page);
  await debuggers.send('Emulation.setCPUThrottlingRate', { rate: slower });
  const foundSec: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    await page.reload();
    await settled(page);
    const paintMs = (await page.evaluate(LARGEST)) as number;
    if (round > 0) foundSec.push(paintMs / 1_000);
  }
  await debuggers.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return quantile(foundSec, 0.5);
}

/** Of rows that move under j and k, also on a slow processor, and of text in the field of a reply. */
async function keysToPaint(page: Page, host: EmbeddedHost): Promise<readonly Row[]> {
  const { session } = host;
  const debuggers = await page.context().newCDPSession(page);
  const measured = async (
    what: string,
    path: string,
    begin: () => Promise<void>,
    keys: string,
    { slower, limitMs } = { slower: 1, limitMs: 100 },
  ) => {
    await page.goto(session.origin_url + path);
    await settled(page);
    await begin();
    await page.evaluate(WATCH_KEYS);
    await debuggers.send('Emulation.setCPUThrottlingRate', { rate: slower });
    for (let press = 0; press < KEYS; press++) await page.keyboard.press(keys[press % keys.length] ?? 'j');
    await debuggers.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    const foundMs = (await page.evaluate('window.keyMs')) as number[];
    return atMost(`key to paint, ${what}, 95 %`, quantile(foundMs, 0.95), 'ms', limitMs);
  };
  await openTickets(host);
  const slow = { slower: 4, limitMs: 200 };
  const [ticket] = session.helpdesk_sample.tickets;
  return [
    await measured('rows of Events', '/events', async () => undefined, 'jjjk'),
    await measured('rows of a full inbox, CPU 4 times slower', '/inbox', async () => undefined, 'jjjk', slow),
    await measured('text of a reply', `/inbox?id=${ticket}`, () => page.locator('#composer').focus(), 'a bc'),
  ];
}

/** As many as a page of the inbox shows. */
async function openTickets({ session }: EmbeddedHost): Promise<void> {
  for (let number = 1; number <= 50; number++) {
    const opened = await fetch(`${session.helpdesk_url}/api/tickets`, {
      method: 'POST',
      headers: { 'x-api-key': session.helpdesk_api_key, 'content-type': 'application/json' },
      body: JSON.stringify({
        customer_email: `customer-${number}@example.com`,
        subject: `Where is parcel ${number}?`,
        body: 'It is late.',
      }),
    });
    if (opened.status !== 201) throw new Error(`a ticket was answered ${opened.status}`);
  }
}
