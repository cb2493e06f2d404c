// What the deliver stage needs from the outside.
import type { Platform } from '../../lib/platforms/platform.ts';
import type { Clock, Random } from '../../lib/ports/clock.ts';
import type { ConfigStore } from '../../lib/ports/config-store.ts';
import type { EventStore } from '../../lib/ports/event-store.ts';
import type { Outbox } from '../../lib/ports/queue.ts';
import type { Transport } from '../../lib/ports/transport.ts';
import type { Vault } from '../../lib/ports/vault.ts';
import type { DirtySlots } from '../aggregate/message.ts';

export interface DeliverPorts {
  readonly events: Pick<EventStore, 'read' | 'readMany' | 'putDelivery' | 'forget'>;
  readonly config: Pick<ConfigStore, 'connection' | 'pauseConnection'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly transport: Transport;
  readonly outcomes: Outbox<DirtySlots>;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
  readonly random: Pick<Random, 'next'>;
  /** Reports a job that failed as a whole; its messages are redelivered. */
  readonly report: (problem: string, error: unknown) => void;
}
