// A shop beside the sandbox: what it sends goes through the whole pipeline, and what each platform counts of it is what
// `GET /counted` says.
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import credentials from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };
import { type RunningSandbox, startSandbox } from '../../services/local/sandbox/server.ts';
import { testMerchant } from './ingestion.ts';
import { createMemoryPipeline, type PipelineOptions } from './memory-pipeline.ts';

const MINUTE_MS = 60_000;
const running: RunningSandbox[] = [];

/** A customer whom every platform can tell, and what he allowed. */
export const SHOPPER = {
  email: 'jane@example.com',
  phone: '+4930123456789',
  client_ip: '203.0.113.7',
  user_agent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  browser_ids: {
    gclid: 'click-1',
    ga_client_id: '1234.5678',
    twclid: 'click-2',
    msclkid: 'click-3',
    irclickid: 'click-4',
  },
};
export const GRANTED = { ad_user_data: 'granted', ad_personalization: 'granted', ad_storage: 'granted' };

export async function closeShops(): Promise<void> {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
}

/** A merchant with every platform connected, whose requests go to the sandbox over HTTP. */
export async function openShop(
  settings: Parameters<typeof testMerchant>[0] = {},
  options: Partial<PipelineOptions> = {},
) {
  let nowMs = 0;
  const sandbox = await startSandbox({ now: () => nowMs });
  running.push(sandbox);
  const post = async (request: HttpRequest): Promise<HttpResult> => {
    nowMs = pipeline.clock.now();
    const { host, pathname, search } = new URL(request.url);
    const answer = await fetch(`${sandbox.url}/${host}${pathname}${search}`, {
      method: request.method,
      headers: request.headers,
      ...(request.method === 'GET' ? {} : { body: request.packed ?? request.body }),
    });
    const headers = Object.fromEntries(answer.headers);
    return { kind: 'response', status: answer.status, headers, body: await answer.text() };
  };
  const pipeline = createMemoryPipeline({
    platforms: PLATFORMS,
    credentials,
    answer: post,
    merchant: testMerchant(settings),
    ...options,
  });
  /** As if the merchant had sent this event from its servers for some time. */
  const settle = async (earlier: Record<string, unknown>) => {
    await pipeline.accept(earlier);
    await pipeline.drain();
    pipeline.clock.advance(10 * MINUTE_MS);
    await pipeline.drain();
    await fetch(`${sandbox.url}/received`, { method: 'DELETE' });
  };
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      pipeline.clock.advance(MINUTE_MS);
      await pipeline.sweep();
      await pipeline.drain();
    }
  };
  /** Platform → what it counts of purchases: how many, and their sum. */
  const counted = async () => {
    const each = PLATFORMS.map(async ({ slug }) => {
      const answer = await fetch(`${sandbox.url}/counted?platform=${slug}`);
      const { total, value_by_currency } = (await answer.json()) as {
        total: number;
        value_by_currency: Record<string, string>;
      };
      return [slug, { total, usd: value_by_currency.USD }] as const;
    });
    return Object.fromEntries(await Promise.all(each));
  };
  const row = (channel: 'server' | 'browser'): NormalizedRow => {
    const found = pipeline.events
      .rows()
      .find(({ key }) => key.channel === channel && key.eventId === 'order-1234');
    if (found?.state !== 'normalized') throw new Error(`no ${channel} event is normalized`);
    return found;
  };
  return { pipeline, settle, pass, counted, row };
}
