// Goal: disconnecting a platform through the API, on the host as it runs: said at once, in the rows after a sweep, and nothing
// more arrives at the platform.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/events/rows/event-store.ts';
import { type Host, startHost } from '../../services/local/host.ts';

const START_MAX_MS = 600_000;
const dataDir = mkdtempSync(join(tmpdir(), 'disconnect-'));
let host: Host;

beforeAll(async () => {
  host = await startHost({ portBase: 0, dataDir, sweepIntervalMs: 500 });
}, START_MAX_MS);
afterAll(async () => {
  await host.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function api<Body>(path: string, method = 'GET'): Promise<Body> {
  const { api_url, session_jwt } = host.session;
  const reply = await fetch(api_url + path, { method, headers: { authorization: `Bearer ${session_jwt}` } });
  expect(reply.status, path).toBe(200);
  return (await reply.json()) as Body;
}

it('ends what waits for a platform that is disconnected', { timeout: START_MAX_MS }, async () => {
  const { ingestion_url, sandbox_url, api_key, merchant_id } = host.session;
  // An hour's pause: nothing is due for reasons of its own.
  const fault = { platform: 'meta', kind: '429', retry_after: 3_600, count: 1_000 };
  await fetch(`${sandbox_url}/faults`, { method: 'POST', body: JSON.stringify(fault) });
  const event = {
    event_id: 'waits',
    event_name: 'Purchase',
    event_time: Math.floor(Date.now() / 1_000),
    user_data: { email: 'jane@example.com', client_ip: '203.0.113.7', user_agent: 'Mozilla/5.0' },
    event_source_url: 'https://shop.example/thanks',
    order_id: 'o-1',
    value: 10,
    currency: 'EUR',
  };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${api_key}` };
  const accepted = await fetch(`${ingestion_url}/v1/events`, {
    method: 'POST',
    headers,
    body: JSON.stringify(event),
  });
  expect(accepted.status).toBe(202);
  const table = host.topology.functions.find(({ environment }) => environment.EVENTS_TABLE !== undefined);
  const events = createEventStore(createDocumentClient(), table?.environment.EVENTS_TABLE ?? '');
  const stored = async () => {
    const row = await events.read({ merchantId: merchant_id, channel: 'server', eventId: 'waits' });
    return row?.state === 'normalized' ? row.deliveries.meta : undefined;
  };
  await expect.poll(stored).toMatchObject({ state: 'RETRY' });

  const { platforms } = await api<{ platforms: { id: string; platform: string }[] }>('/v1/platforms');
  const id = platforms.find(({ platform }) => platform === 'meta')?.id ?? '';
  await api(`/v1/platforms/${id}`, 'DELETE');
  const { verdicts } = await api<{ verdicts: Record<string, string>[] }>('/v1/events/waits/explain');
  expect(verdicts.find(({ platform }) => platform === 'meta')).toMatchObject({
    verdict: 'skipped',
    subject: 'not_connected',
    delivery: 'SKIPPED',
  });
  await expect.poll(stored).toMatchObject({ state: 'SKIPPED', reason: 'not_connected', attempts: 1 });
});
