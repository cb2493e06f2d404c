// Goal (G14): after DELETE /v1/api-keys/:id has answered, no request with the key is let in, by the API or by ingestion.
// Method: 1,000 requests with one key, which has its 16 items on an emulated DynamoDB, while it is revoked; the same for a key
// that ends by its date, whose copies nobody writes.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  type ConfigStores,
  createConfigStores,
} from '../../lib/adapters/dynamodb/events/routing/config-stores.ts';
import { createApiKey } from '../../lib/events/routes/api-keys.ts';
import { type ConfigTable, EMULATOR_ENV, openModelledConfig } from '../conformance/stores/config-table.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi } from '../contract/api-host.ts';
import { purchase, request, send, testIngestion, testMerchant } from '../support/ingestion.ts';
import { createSeededRandom } from '../support/memory/random.ts';

const RACERS = 1_000;
const WAVE = 50;
const WAVES_MAX = 60;

let table: ConfigTable;
let config: ConfigStores;
let api: ApiHost;
beforeAll(async () => {
  for (const [name, value] of Object.entries(EMULATOR_ENV)) vi.stubEnv(name, value);
  table = await openModelledConfig();
  config = createConfigStores(table.db, table.table, createSeededRandom('copies'));
  await config.putMember({ sub: 'mine-owner', merchantId: MINE, role: 'owner' });
  api = await openApi(() => ({ config }));
});
afterAll(() => table.close());

function doors() {
  const ingestion = testIngestion({
    config: { apiKey: (sha256) => config.apiKey(sha256), merchant: async () => testMerchant() },
    clock: api.clock,
  });
  let sent = 0;
  return async (key: string): Promise<boolean> => {
    sent += 1;
    if (sent % 2 === 0) return (await api.call('/v1/audit-log', { token: key })).status !== 401;
    const event = purchase({ event_id: `race-${key.slice(-6)}-${sent}`, event_time: Math.floor(NOW / 1000) });
    const asked = request('/v1/events', event, { authorization: `Bearer ${key}` });
    return (await send(ingestion.app, asked)).status !== 401;
  };
}

async function makeKey(more: object = {}) {
  const body = { name: 'Racing', scopes: ['admin'], ...more };
  const reply = await api.call('/v1/api-keys', { method: 'POST', token: api.session(), body });
  return bodyOf(createApiKey, reply);
}

it('lets in nobody of 1,000 who come after the answer, and everybody who came before the question', async () => {
  const { secret, api_key } = await makeKey();
  const isIn = doors();
  let phase: 'before' | 'during' | 'after' = 'before';
  const seen = { before: [] as boolean[], during: [] as boolean[], after: [] as boolean[] };
  const racer = async () => {
    const started = phase;
    const answer = await isIn(secret);
    // Begun before and answered later: either answer is right.
    seen[started === 'before' && phase !== 'before' ? 'during' : started].push(answer);
  };
  const revoke = async () => {
    phase = 'during';
    const url = `/v1/api-keys/${api_key.id}`;
    const reply = await api.call(url, { method: 'DELETE', token: api.session() });
    expect(reply.status).toBe(200);
    phase = 'after';
  };
  let revocation: Promise<void> | undefined;
  for (let wave = 0; wave < WAVES_MAX && seen.after.length < RACERS; wave++) {
    const racers = Array.from({ length: WAVE }, racer);
    if (wave === 4) revocation = revoke();
    await Promise.all(racers);
  }
  await revocation;
  expect(seen.before.length).toBeGreaterThanOrEqual(4 * WAVE);
  expect(seen.before.every(Boolean)).toBe(true);
  expect(seen.after.length).toBeGreaterThanOrEqual(RACERS);
  expect(seen.after.filter(Boolean)).toEqual([]);
});

it('lets in nobody from the end of the key on, whichever copy is read', async () => {
  const { secret } = await makeKey({ expires_at: new Date(api.clock.now() + 60_000).toISOString() });
  const isIn = doors();
  const all = () => Promise.all(Array.from({ length: 100 }, () => isIn(secret)));
  api.clock.advance(59_999);
  expect((await all()).every(Boolean)).toBe(true);
  api.clock.advance(1);
  expect((await all()).filter(Boolean)).toEqual([]);
});
