// What the replay stage needs from the outside.
import type { Random } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { LeasedWindow } from '#lib/core/work/leased-window.ts';
import type { ClaimReplayPorts } from '#lib/events/pipeline/replay/claim-replay.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { CounterStore } from '#lib/events/ports/counter-store.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { EventVault } from '#lib/events/ports/event-vault.ts';
import type { MerchantStore } from '#lib/events/ports/merchant-store.ts';
import type { ReplayStore } from '#lib/events/ports/replay-store.ts';
import type { RoutingStore } from '#lib/events/ports/routing-store.ts';
import type { ReplayWork } from './message.ts';

export interface ReplayPorts extends ClaimReplayPorts {
  readonly replays: Pick<ReplayStore, 'plan' | 'writePlan' | 'leavePlace'>;
  /** Rows with what became of them. */
  readonly events: Pick<EventStore, 'received' | 'read' | 'readMany' | 'claim'>;
  readonly counters: Pick<CounterStore, 'openedShards'>;
  readonly config: Pick<RoutingStore, 'currentRouting'> & Pick<MerchantStore, 'merchant'>;
  readonly eventVault: Pick<EventVault, 'open'>;
  readonly work: MessageSender<ReplayWork>;
  /** How many replays the plans of one merchant may store in a UTC day, over all processes. */
  readonly daily: { readonly window: Pick<LeasedWindow, 'take'>; readonly max: number };
  readonly platforms: readonly Platform[];
  readonly random: Pick<Random, 'uuidv7'>;
}
