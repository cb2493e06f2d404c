// Merchants with a key and connected platforms, planted as the API leaves them, and the events they send.
import type { KeyWrapper } from '../../lib/adapters/vault/key-wrapper.ts';
import { type ConfigTable, connectPlatforms, plantMerchant } from '../performance/planted-merchant.ts';
import { mixedEvent } from '../performance/standard-event.ts';

export interface PlantedMerchant {
  readonly merchantId: string;
  readonly apiKey: string;
}

export interface PlantParts extends ConfigTable {
  readonly wrapper: KeyWrapper;
  /** Slugs. */
  readonly connected: readonly string[];
}

/** `count` merchants, numbered from 1. */
export async function plantMerchants(
  count: number,
  { wrapper, connected, ...config }: PlantParts,
): Promise<readonly PlantedMerchant[]> {
  const planted: PlantedMerchant[] = [];
  for (let number = 1; number <= count; number++) {
    const merchantId = `8f14e45f-ceea-467f-a111-${number.toString(16).padStart(12, '0')}`;
    const secret = Buffer.alloc(32, 7);
    secret.writeUInt32BE(number);
    const draft = { merchantId, keysOf: 'evk_live', scopes: ['events:write'], secrets: [secret] } as const;
    const [apiKey = ''] = await plantMerchant(config, draft);
    await connectPlatforms(config, wrapper, merchantId, connected);
    planted.push({ merchantId, apiKey });
  }
  return planted;
}

/** What a shop sends, as a body: of a hundred events two orders. The event's id carries the index. */
export const bodyOf = (index: number, nowMs: number): string =>
  JSON.stringify(mixedEvent(index, Math.floor(nowMs / 1_000) - 60));

/** The index of an event as a platform got it: from its id, or from its order where the platform is not sent an id. */
export function indexOfEvent(eventId: string, payload: unknown): number | null {
  const fromId = /^(?:view-)?order-10(\d+)-\d{8}$/.exec(eventId)?.[1];
  if (fromId !== undefined) return Number(fromId);
  const fromOrder = /"transaction_id":"10(\d+)"/.exec(JSON.stringify(payload))?.[1];
  return fromOrder === undefined ? null : Number(fromOrder);
}
