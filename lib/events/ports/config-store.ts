// What merchants configured: read by the pipeline, written by the API.

import type { ApiKeyRecord } from '../../core/tenancy/api-key.ts';
import type { Merchant } from '../../core/tenancy/merchant.ts';
import type { Connection, RoutingSnapshot } from '../domain/connection.ts';

export interface ConfigStore {
  /** Consistent read by SHA-256 of the key: revocation is visible to the next request. */
  apiKey(sha256: string): Promise<ApiKeyRecord | null>;
  merchant(merchantId: string): Promise<Merchant | null>;
  /** Routing as it is; a version never has two contents. Version 0 with nothing connected when there is none. */
  currentRouting(merchantId: string): Promise<RoutingSnapshot>;
  connection(merchantId: string, platform: string): Promise<Connection | null>;
  /** Pauses the connection if it is active and its credentials are still the ones seen. */
  pauseConnection(seen: Connection, reason: string, nowMs: number): Promise<boolean>;
}
