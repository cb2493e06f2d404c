// What the API needs from the outside.
import type { IdentityLookups } from '../../lib/domain/identity-lookups.ts';
import type { Platform } from '../../lib/platforms/platform.ts';
import type { Clock, Random } from '../../lib/ports/clock.ts';
import type { ConfigAdmin } from '../../lib/ports/config-admin.ts';
import type { ConfigStore } from '../../lib/ports/config-store.ts';
import type { CounterStore } from '../../lib/ports/counter-store.ts';
import type { EventStore } from '../../lib/ports/event-store.ts';
import type { SessionVerifier } from '../../lib/ports/session-verifier.ts';
import type { Transport } from '../../lib/ports/transport.ts';
import type { Vault } from '../../lib/ports/vault.ts';

export interface ApiPorts {
  readonly events: Pick<EventStore, 'read' | 'readMany' | 'received'>;
  readonly counters: Pick<CounterStore, 'range'>;
  readonly config: Pick<ConfigStore, 'apiKey' | 'currentRouting' | 'connection'> &
    Pick<
      ConfigAdmin,
      'membership' | 'listConnections' | 'putConnection' | 'deleteConnection' | 'appendAudit'
    >;
  readonly vault: Vault;
  /** Null where no identity provider is configured: every session is refused. */
  readonly sessions: SessionVerifier | null;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
  readonly random: Random;
  /** Loaded by the first request that needs them: most processes never preview or test anything. */
  readonly lookups: () => Promise<IdentityLookups>;
  readonly transport: () => Promise<Transport>;
  /** Told of every answer of 500 and above, and of what was left out of an answer because it could not be had. */
  readonly report: (problem: string, error: unknown, context?: Readonly<Record<string, string>>) => void;
}
