// The platforms' side: their sandboxes answer, after the time a platform takes, unless the scenario says that one is down.

import type {
  PlatformSandbox,
  SandboxAnswer,
  SandboxRequest,
} from '#services/local/sandbox/platforms/platform-sandbox.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import type { Transport } from '../../lib/core/ports/transport.ts';
import { DURATIONS } from './aws/durations.ts';
import type { Journal } from './journal.ts';
import type { Instance } from './lambda/instance.ts';
import { indexOfEvent } from './merchants.ts';
import type { Scheduler } from './scheduler.ts';

/** How a platform is at a moment: `down` answers 503, `unauthorized` refuses the credentials. */
export type Mood = 'up' | 'down' | 'unauthorized';

export interface PlatformsOptions {
  readonly sandboxes: ReadonlyMap<string, PlatformSandbox>;
  readonly journal: Journal;
  readonly scheduler: Scheduler;
  readonly mood: (slug: string, nowMs: number) => Mood;
  /** [0, 1). */
  readonly random: () => number;
}

export interface Platforms {
  transportOf(instance: Instance): Transport;
  /** What a platform refused of itself: a good run has none. */
  readonly refused: () => ReadonlyMap<string, number>;
}

export function createPlatforms(options: PlatformsOptions): Platforms {
  const { journal, scheduler, mood, random } = options;
  const byHost = new Map(
    [...options.sandboxes.values()].flatMap((sandbox) =>
      sandbox.hosts.map((host) => [host, sandbox] as const),
    ),
  );
  const refused = new Map<string, number>();
  const answerOf = (sandbox: PlatformSandbox, request: SandboxRequest): SandboxAnswer => {
    const nowMs = scheduler.now();
    const now = mood(sandbox.slug, nowMs);
    if (now !== 'up') return now === 'down' ? sandbox.provoked.unavailable : sandbox.provoked.unauthorized;
    const { answer, events } = sandbox.handle(request, { nowMs, check: () => 'ok' });
    for (const event of events) {
      const index = indexOfEvent(event.eventId, event.payload);
      const taken = event.accepted && index !== null && journal.delivered(sandbox.slug, index, nowMs);
      if (!taken) {
        const reason = `${sandbox.slug}: ${event.reason ?? 'an event nobody sent'}`;
        refused.set(reason, (refused.get(reason) ?? 0) + 1);
      }
    }
    return answer;
  };
  return {
    transportOf: (instance) => ({
      send: (request) => {
        const received = asReceived(request);
        const sandbox = byHost.get(received.host);
        if (sandbox === undefined) throw new Error(`no sandbox answers for ${received.host}`);
        const latencyMs = Math.round(
          DURATIONS.platformCallMs + (random() * 2 - 1) * DURATIONS.platformCallSpreadMs,
        );
        return instance.call(latencyMs, () => {
          const answer = answerOf(sandbox, received);
          return { answer: { kind: 'response' as const, ...answer, latencyMs }, rows: 0 };
        });
      },
    }),
    refused: () => refused,
  };
}
