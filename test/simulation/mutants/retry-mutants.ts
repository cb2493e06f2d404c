// Ways to try again wrongly: too often, too soon, too many at once, or not at all.
import type { Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { createDeliverStage } from '#services/events/deliver/stage.ts';
import type { Mutation } from '../world.ts';
import { caughtBy, type Mutant } from './mutant.ts';

/** Changes what is read out of a platform's answers. */
export const outcomes = (change: (outcome: Outcome) => Outcome): Mutation => ({
  platforms: (platforms) =>
    platforms.map(
      (platform): Platform => ({
        ...platform,
        readResponse: (result, events) => platform.readResponse(result, events).map(change),
      }),
    ),
});

export function retryMutants(): Mutant[] {
  return [
    ...caughtBy('poison', 'G10', {
      'gives up a batch that was refused': outcomes((outcome) =>
        outcome.kind === 'batch_refused' ? { ...outcome, kind: 'permanent' } : outcome,
      ),
      'sends a refused batch again one by one': {
        platforms: (platforms) =>
          platforms.map((platform) => ({ ...platform, limits: { ...platform.limits, batchSizeMax: 1 } })),
      },
    }),
    ...caughtBy('outage', 'G12', {
      'comes back at once, whatever the platform asked for': outcomes((outcome) => ({
        ...outcome,
        retryAfterSec: 1,
      })),
      'gives up after the first failure': outcomes((outcome) =>
        outcome.kind === 'retry' || outcome.kind === 'rate_limited' ? { kind: 'permanent' } : outcome,
      ),
      'has no circuit breaker': {
        stages: {
          createDeliver: (ports) =>
            createDeliverStage(ports, {
              rest: () => ({ waitMs: 0, isOpen: false }),
              answers: () => true,
              record: () => null,
            }),
        },
      },
      'spreads waits beyond the ladder': {
        stages: { createDeliver: (ports) => createDeliverStage({ ...ports, random: { next: () => -1 } }) },
      },
    }),
  ];
}
