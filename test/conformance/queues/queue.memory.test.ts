import { createManualClock } from '../../support/memory/clock.ts';
import { createMemoryQueue } from '../../support/memory/queue.ts';
import { queueConformance, RECEIVES_MAX } from './queue.suite.ts';

const VISIBILITY_SEC = 1;

queueConformance('Memory', async () => {
  const clock = createManualClock(1_800_000_000_000);
  const queue = createMemoryQueue<unknown>({
    clock,
    visibilitySec: VISIBILITY_SEC,
    receiveCountMax: RECEIVES_MAX,
  });
  return {
    send: queue.send,
    receive: async ({ acknowledge }) => {
      const leases = queue.receive(10);
      if (acknowledge) for (const { receipt } of leases) queue.remove(receipt);
      return leases.map(({ receipt: _, ...received }) => received);
    },
    visibilityOver: async () => clock.advance(VISIBILITY_SEC * 1_000 + 1),
    deadLetters: async () => {
      queue.receive(10);
      return queue.deadLetters();
    },
    now: clock.now,
  };
});
