// Ways to try again wrongly: too often, too soon, too many at once, or not at all.
import type { Outcome } from '#lib/events/domain/deliveries/delivery.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { createDeliverStage } from '#services/events/deliver/stage.ts';
import type { Mutation } from '../world.ts';
import type { Mutant } from './mutant.ts';

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
    {
      name: 'gives up a batch that was refused',
      proof: 'poison',
      property: 'G10',
      mutation: outcomes((outcome) =>
        outcome.kind === 'batch_refused' ? { ...outcome, kind: 'permanent' } : outcome,
      ),
    },
    {
      name: 'sends a refused batch again one by one',
      proof: 'poison',
      property: 'G10',
      mutation: {
        platforms: (platforms) =>
          platforms.map((platform) => ({ ...platform, limits: { ...platform.limits, batchSizeMax: 1 } })),
      },
    },
    {
      name: 'comes back at once, whatever the platform asked for',
      proof: 'outage',
      property: 'G12',
      mutation: outcomes((outcome) => ({ ...outcome, retryAfterSec: 1 })),
    },
    {
      name: 'gives up after the first failure',
      proof: 'outage',
      property: 'G12',
      mutation: outcomes((outcome) =>
        outcome.kind === 'retry' || outcome.kind === 'rate_limited' ? { kind: 'permanent' } : outcome,
      ),
    },
    {
      name: 'has no circuit breaker',
      proof: 'outage',
      property: 'G12',
      mutation: {
        stages: {
          createDeliver: (ports) =>
            createDeliverStage(ports, {
              rest: () => ({ waitMs: 0, isOpen: false }),
              answers: () => true,
              record: () => null,
            }),
        },
      },
    },
    {
      name: 'spreads waits beyond the ladder',
      proof: 'outage',
      property: 'G12',
      mutation: {
        stages: { createDeliver: (ports) => createDeliverStage({ ...ports, random: { next: () => -1 } }) },
      },
    },
  ];
}
