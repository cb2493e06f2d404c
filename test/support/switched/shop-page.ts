// A shop whose pages have Segment's browser library as npm brings it, unchanged: as the module that a build takes
// (`AnalyticsNext.AnalyticsBrowser`), or as the standalone script with Segment's snippet. Both get their settings here.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import type { AnalyticsBrowser, InitOptions } from '@segment/analytics-next';
import type { Browser, Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const UMD = join(dirname(require.resolve('@segment/analytics-next/package.json')), 'dist/umd');

/** The library's calls, once it is loaded. */
export type Shop = typeof globalThis & {
  analytics: AnalyticsBrowser;
  AnalyticsNext: { AnalyticsBrowser: typeof AnalyticsBrowser };
};

/** Segment's snippet without what loads the script, which an element does here. */
const SNIPPET = `var analytics = window.analytics = [];
for (const name of ['identify', 'track', 'page', 'group', 'alias'])
  analytics[name] = (...said) => { analytics.push([name, ...said]); return analytics; };`;

/** What a merchant writes. */
export function settingsFor(ingestionUrl: string, writeKey: string) {
  const { host, protocol } = new URL(ingestionUrl);
  const segment = { apiKey: writeKey, apiHost: `${host}/v1/browser`, protocol: protocol.slice(0, -1) };
  const cdnSettings = { integrations: { 'Segment.io': segment }, metrics: { sampleRate: 0 } };
  return { writeKey, cdnSettings };
}

export async function openShopPage({ writeKey, cdnSettings }: ReturnType<typeof settingsFor>) {
  const html = (body: string) => `<!doctype html><title>Shop</title>${body}`;
  const pages: Readonly<Record<string, () => readonly [type: string, text: string | Buffer]>> = {
    '/built': () => ['text/html', html('<script src="/lib/index.js"></script>')],
    '/standalone': () => [
      'text/html',
      html(
        `<script>${SNIPPET}analytics._writeKey='${writeKey}';analytics._cdn=location.origin;</script>` +
          '<script src="/lib/standalone.js"></script>',
      ),
    ],
    [`/v1/projects/${writeKey}/settings`]: () => ['application/json', JSON.stringify(cdnSettings)],
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const page = pages[path];
    if (page === undefined && !path.startsWith('/lib/')) return response.writeHead(404).end();
    const [type, text] = page?.() ?? ['text/javascript', readFileSync(join(UMD, basename(path)))];
    return response.writeHead(200, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url, close };
}

/** One request of the library to ingestion. */
interface SentByPage {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
}

/** A visitor of a page, and what leaves the page for elsewhere. */
export async function visitShop(browser: Browser, url: string, userAgent?: string) {
  const context = await browser.newContext(userAgent === undefined ? {} : { userAgent });
  const page = await context.newPage();
  const sent: SentByPage[] = [];
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  // Not when it is finished: the library leaves the answer's body unread.
  page.on('response', (response) => {
    const request = response.request();
    const to = new URL(request.url());
    if (to.origin === new URL(url).origin || request.method() !== 'POST') return;
    sent.push({ path: to.pathname, headers: request.headers(), status: response.status() });
  });
  await page.goto(url);
  return { context, page, sent, errors };
}

/** As a build calls it. */
export async function loadBuilt(
  page: Page,
  settings: ReturnType<typeof settingsFor>,
  options: object = {},
): Promise<void> {
  await page.evaluate(
    async ([said, how]) => {
      const shop = globalThis as Shop;
      shop.analytics = shop.AnalyticsNext.AnalyticsBrowser.load(said, how as InitOptions);
      await shop.analytics.ready();
    },
    [settings, options] as const,
  );
}
