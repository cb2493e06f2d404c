// The sample shop as a suite uses it beside its pages: events in, calls of its owner, and what became of an event.
import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import type { Session } from '#services/local/session.ts';
import { asOwner } from './as-owner.ts';

/** Throws where one is not taken. */
export async function ingest(
  { ingestion_url, api_key }: Pick<Session, 'ingestion_url' | 'api_key'>,
  events: readonly unknown[],
): Promise<void> {
  const answer = await fetch(`${ingestion_url}/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
  });
  const text = await answer.text();
  const { results = [] } = JSON.parse(text) as { readonly results?: readonly { readonly status: number }[] };
  if (results.length < events.length || results.some(({ status }) => status !== 202))
    throw new Error(`events were refused: ${text}`);
}

/** With a body: POST. */
export const callApi = async <T>(session: Session, path: string, body?: unknown): Promise<T> =>
  (await asOwner(session, body === undefined ? 'GET' : 'POST', path, body)).body as T;

/** An order made just now, of a person whom platforms can match. */
export const orderEvent = (id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  event_id: id,
  event_name: 'Purchase',
  event_time: Math.floor(Date.now() / 1_000) - 5,
  value: 10,
  currency: 'USD',
  order_id: id,
  event_source_url: 'https://shop.example/p',
  user_data: { email: 'shopper@example.com' },
  ...more,
});

interface ToldEvent {
  readonly deliveries?: readonly { readonly platform: string; readonly status: string }[];
}

/** Until its delivery at the platform is in this state. */
export async function untilAt(session: Session, id: string, platform: string, status: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { deliveries = [] } = await callApi<ToldEvent>(session, `/v1/events/${id}`);
      const found = deliveries.find((one) => one.platform === platform)?.status;
      if (found !== status) throw new Error(`${id} is ${found} at ${platform}`);
    },
    { timeout: 60_000, interval: 200 },
  );
}

/** Refusals of an event for good, in the platforms' own words: only those end one. */
export const META_REFUSES = {
  platform: 'meta',
  kind: 'html',
  status: 400,
  json: '{"error":{"message":"Invalid parameter","type":"OAuthException","code":100,"fbtrace_id":"A"}}',
} as const;
export const TIKTOK_REFUSES = {
  platform: 'tiktok',
  kind: 'html',
  status: 200,
  json: '{"code":40002,"message":"Invalid parameter","request_id":"r","data":{}}',
} as const;

/** The platform answers so from now on, as often as `count` says. */
export async function fault(
  { sandbox_url }: Session,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const answer = await fetch(`${sandbox_url}/faults`, { method: 'POST', body: JSON.stringify(fields) });
  if (!answer.ok) throw new Error(`the sandbox answered ${answer.status}: ${await answer.text()}`);
}

/** What the owner's account says is changed on its way to the page: a member's role, without these operations. */
export async function asMember(page: Page, without: RegExp): Promise<void> {
  await page.route('**/v1/account', async (route) => {
    const response = await route.fetch();
    const account = (await response.json()) as { caller: { role: string; operations: string[] } };
    account.caller.role = 'member';
    account.caller.operations = account.caller.operations.filter((id) => !without.test(id));
    await route.fulfill({ response, json: account });
  });
}
