// What the normalize stage needs from the outside.
import type { SlotTouch } from '../../lib/counters/slot-touch.ts';
import type { IdentityLookups } from '../../lib/domain/identity-lookups.ts';
import type { Platform } from '../../lib/platforms/platform.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import type { ConfigStore } from '../../lib/ports/config-store.ts';
import type { EventStore } from '../../lib/ports/event-store.ts';
import type { Outbox } from '../../lib/ports/queue.ts';
import type { Vault } from '../../lib/ports/vault.ts';
import type { DirtySlots } from '../aggregate/message.ts';
import type { NormalizedMessage } from '../fan-out/message.ts';

export interface NormalizePorts {
  readonly events: Pick<EventStore, 'readMany' | 'normalize'>;
  readonly config: Pick<ConfigStore, 'currentRouting' | 'merchant'>;
  readonly slots: Pick<SlotTouch, 'announce'>;
  readonly vault: Pick<Vault, 'seal'>;
  readonly normalized: Outbox<NormalizedMessage>;
  readonly outcomes: Outbox<DirtySlots>;
  readonly lookups: IdentityLookups;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
  /** Reports a row that could not be normalized; its message is redelivered. */
  readonly report: (problem: string, error: unknown) => void;
}
