// The pixel in a real browser against the running host: from the script tag of a shop to the platforms, merged with the
// server's copy of the same purchase, and kept from them when the browser says no.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserWanted, launchBrowser } from '../support/pixel/browser.ts';
import { AGENT, counted, json, purchase, send, useHost } from './hosts.ts';

let session: ReturnType<typeof useHost>['session'];
let shop: Server;
let shopUrl: string;
let browser: Browser;

describe.runIf(browserWanted)('a shop with the pixel', () => {
  session = useHost().session;
  beforeAll(async () => {
    shop = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><title>Shop</title><script>window.millrace=window.millrace||function(){(millrace.q=millrace.q||[]).push(arguments)}</script>` +
          `<script async src="${session().ingestion_url}/v1/pixel.js" data-merchant="${session().merchant_id}"></script>`,
      );
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/product?fbclid=click-1`;
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    shop?.close();
  });

  it('sends page views and purchases that arrive at the platforms with their click id', async () => {
    await visit(AGENT, async (page) => {
      await page.evaluate(
        "millrace('track', 'Purchase', {value: 20, currency: 'USD', order_id: 'o-1'}, {event_id: 'order-1'})",
      );
    });
    const row = await eventually('order-1', 'browser');
    expect(row).toMatchObject({ event_name: 'Purchase', source: 'browser', value: 20 });
    expect(row.deliveries.map((d) => [d.platform, d.status])).toContainEqual(['meta', 'DELIVERED']);
    const meta = await received('meta', 'order-1');
    expect(JSON.stringify(meta)).toContain('.click-1');
    expect(JSON.stringify(meta)).toContain('Windows NT 10.0');
  });

  it('is counted once together with the server’s copy', async () => {
    const copy = purchase('order-1', { value: 20, order_id: 'o-1' });
    expect((await send(session(), '/v1/events', copy)).status).toBe(202);
    await eventually('order-1', 'server');
    expect((await counted(session(), 'meta')).by_event_name.Purchase).toBe(1);
  });

  it('keeps what a headless browser sends from the platforms', async () => {
    await visit(undefined, async (page) => {
      await page.evaluate("millrace('track', 'Lead', {}, {event_id: 'robot-1'})");
    });
    const row = await eventually('robot-1', 'browser');
    expect(row.bot).toBe(true);
    expect(await received('meta', 'robot-1')).toEqual([]);
  });
});

interface ApiEvent {
  readonly event_name: string;
  readonly bot: boolean;
  readonly deliveries: readonly { readonly platform: string; readonly status: string }[];
}

async function visit(
  userAgent: string | undefined,
  act: (page: import('playwright-core').Page) => Promise<void>,
) {
  const context = await browser.newContext(userAgent === undefined ? {} : { userAgent });
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  await page.goto(shopUrl);
  await act(page);
  await page.waitForResponse((r) => r.url().includes('/v1/browser/events') && r.status() === 202);
  await context.close();
  expect(failures).toEqual([]);
}

/** The event once all its deliveries are over. */
async function eventually(id: string, trust: string): Promise<ApiEvent> {
  for (let i = 0; i < 100; i++) {
    const response = await fetch(`${session().api_url}/v1/events/${id}?trust=${trust}`, {
      headers: { authorization: `Bearer ${session().session_jwt}` },
    });
    if (response.ok) {
      const { event, deliveries } = (await response.json()) as {
        event: ApiEvent;
        deliveries: ApiEvent['deliveries'];
      };
      const open = deliveries.some((d) => ['QUEUED', 'SENDING', 'RETRY', 'processing'].includes(d.status));
      if (!open && (deliveries.length > 0 || event.bot)) return { ...event, deliveries };
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${id} did not come to rest`);
}

async function received(platform: string, id: string): Promise<unknown[]> {
  const answer = await fetch(`${session().sandbox_url}/received?platform=${platform}`);
  const { events } = await json<{ events: { event_id: string }[] }>(answer);
  return events.filter((event) => event.event_id === id);
}
