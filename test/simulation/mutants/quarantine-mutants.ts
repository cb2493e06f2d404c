// Ways to let one unreadable row, or one throwing platform, stop others; or to forget it for good.
import { UnreadableRowError } from '../../../lib/events/ports/event-store.ts';
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
      name: 'fails a whole job where a platform throws',
      proof: 'quarantine',
      property: 'G21',
      mutation: {
        stages: {
          createDeliver: (ports, breaker) => async (messages) => {
            let threw = false;
            const platforms = ports.platforms.map((platform) => ({
              ...platform,
              buildRequest: (...args: Parameters<typeof platform.buildRequest>) => {
                if (threw) throw new Error('the job has failed');
                threw = true;
                const request = platform.buildRequest(...args);
                threw = false;
                return request;
              },
            }));
            return await createDeliverStage({ ...ports, platforms }, breaker)(messages);
          },
        },
      },
    },
  ];
}
