// Ways to let one unreadable row, or one throwing platform, stop others; or to forget it for good.
import { UnreadableRowError } from '../../../lib/events/domain/event-row.ts';
import { createDeliverStage } from '../../../services/events/deliver/stage.ts';
import type { Mutant } from './mutant.ts';

export function quarantineMutants(): Mutant[] {
  return [
    {
      name: 'fails a whole read for one row',
      proof: 'quarantine',
      property: 'G21',
      mutation: {
        events: (store) => ({
          ...store,
          readMany: async (...args) => {
            const read = await store.readMany(...args);
            const [bad] = read.unreadable;
            if (bad !== undefined) throw new UnreadableRowError(bad);
            return read;
          },
        }),
      },
    },
    {
      name: 'takes a row it cannot read for one that is not there',
      proof: 'quarantine',
      property: 'G21',
      mutation: {
        events: (store) => ({
          ...store,
          readMany: async (...args) => ({ ...(await store.readMany(...args)), unreadable: [] }),
        }),
      },
    },
    {
      name: 'gives an event up where a platform throws',
      proof: 'quarantine',
      property: 'G21',
      mutation: {
        stages: {
          createDeliver: (ports, breaker) => {
            const platforms = ports.platforms.map((platform) => ({
              ...platform,
              unsendable: (...[event, credentials]: Parameters<typeof platform.unsendable>) => {
                try {
                  platform.buildRequest([event], credentials, { test: false });
                  return platform.unsendable(event, credentials);
                } catch {
                  return { verdict: 'invalid' as const, detail: 'defect' };
                }
              },
            }));
            return createDeliverStage({ ...ports, platforms }, breaker);
          },
        },
      },
    },
  ];
}
