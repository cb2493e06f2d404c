// The ingestion application as deployed, on ports that do nothing: what is left is its own work.
import { systemClock, systemRandom } from '../../lib/adapters/clock/system-clock.ts';
import type { HttpApp } from '../../lib/core/http/http-message.ts';
import { type ApiKeyRecord, apiKeyPrefix, formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import type { LeaseStore } from '../../lib/core/work/leased-window.ts';
import { createBrowserWindows } from '../../services/events/ingestion/browser-limits.ts';
import type { AcceptPorts, BrowserPorts, ServerPorts } from '../../services/events/ingestion/ports.ts';
import { createServerLimit } from '../../services/events/ingestion/server-limit.ts';
import { ONE_SHARD } from '../../services/events/ingestion/shard-picker.ts';
import { createIngestionApp } from '../support/ingestion-app.ts';

export const NOOP_API_KEY = formatApiKey('evk_live', new Uint8Array(32).fill(7));
export const NOOP_MERCHANT = '8f14e45f-ceea-467f-a111-000000000001';

export const noopAcceptPorts: AcceptPorts = {
  events: {
    claim: async () => 'claimed',
    read: async () => null,
    archive: async () => {},
    replace: async () => true,
  },
  batches: { readMany: async () => ({ manifests: [], outcomes: [], unreadable: [] }) },
  slots: { markDue: async () => {}, markDueAgain: async () => {} },
  shards: ONE_SHARD,
  queue: { send: async () => {} },
  clock: systemClock,
  random: systemRandom,
  count: () => {},
  // Never waited for: nothing here fails or is late.
  pause: () => new Promise(() => {}),
};

const everyShare: LeaseStore = { lease: async (_id, _startMs, wanted) => wanted };
/** Grants every request. */
export const NO_LIMITS: Pick<BrowserPorts, 'rates' | 'windows'> & Pick<ServerPorts, 'limit'> = {
  rates: { take: async (_caller, wanted) => ({ granted: wanted, remaining: wanted, retryAfterSec: 0 }) },
  windows: createBrowserWindows(everyShare, { reached: async () => {} }),
  limit: createServerLimit(everyShare, { eventsPerMinute: 1_000_000, eventsPerDay: 1_000_000_000 }),
};

export function noopIngestion(): HttpApp {
  const record: ApiKeyRecord = {
    sha256: hashApiKey(NOOP_API_KEY),
    keyId: 'key-1',
    merchantId: NOOP_MERCHANT,
    name: 'server',
    prefix: apiKeyPrefix(NOOP_API_KEY),
    scopes: ['events:write'],
    createdAtMs: 0,
  };
  return createIngestionApp({
    ...noopAcceptPorts,
    config: {
      apiKey: async (sha256) => (sha256 === record.sha256 ? record : null),
      merchant: async () => null,
    },
    ...NO_LIMITS,
    refusals: { add: async () => {} },
    isBot: () => false,
    pixel: { javascript: '', etag: '""' },
    report: (problem, error) => {
      throw new Error(problem, { cause: error });
    },
  });
}
