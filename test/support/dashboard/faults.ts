// What happens to requests of the pages on their way, as outages, proxies and limits do it. The API behind them is the real one.
import type { Page, Route } from 'playwright-core';

export type Fault = (route: Route) => Promise<void>;

/** Of either product. Not whose shop it is: a page without that says only that. */
const CALLS = /^\/(?:v1|api)\/(?!account$)/;

export const refused =
  (status: number, code: string, headers: Record<string, string> = {}, more: object = {}): Fault =>
  (route) =>
    route.fulfill({
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ error: `It is ${code}.`, code, ...more }),
    });

export const html =
  (status: number): Fault =>
  (route) =>
    route.fulfill({
      status,
      contentType: 'text/html',
      body: '<h1>Bad gateway</h1><script>alert(1)</script>',
    });

export const lost: Fault = (route) => route.abort('connectionreset');

/** The request arrives; its answer does not. */
export const answerLost: Fault = async (route) => {
  await route.fetch();
  await lost(route);
};

/** Meets what would change something. */
export const ofChanges =
  (fault: Fault): Fault =>
  (route) =>
    route.request().method() === 'GET' ? route.continue() : fault(route);

export interface Disturbance {
  /** How many requests it met. */
  met(): number;
  end(): Promise<void>;
}

/** Every call of a page but the one that says whose shop it is. */
export async function disturb(page: Page, fault: Fault): Promise<Disturbance> {
  const matches = ({ pathname }: URL): boolean => CALLS.test(pathname);
  let count = 0;
  const handler = (route: Route): Promise<void> => {
    count++;
    return fault(route);
  };
  await page.route(matches, handler);
  return {
    met: () => count,
    end: () => page.unroute(matches, handler),
  };
}

/** Holds requests for as long as the page lives. */
export const held: Fault = async () => undefined;
