// How many deliveries came to what, over all platforms and names. Pure.
import type { BucketCounters } from './analytics.ts';

/**
 * `undelivered`: ended in FAILED or ERROR. `waiting`: not over. `due`: what is over, and what was tried or held back and waits
 * to be sent again: all but what has not had its turn yet.
 */
export function dueTotals(counters: Pick<BucketCounters, 'deliveries'>) {
  let [delivered, undelivered, waiting, again] = [0, 0, 0, 0];
  for (const names of Object.values(counters.deliveries)) {
    for (const words of Object.values(names)) {
      delivered += words.DELIVERED ?? 0;
      undelivered += (words.FAILED ?? 0) + (words.ERROR ?? 0);
      waiting += (words.QUEUED ?? 0) + (words.SENDING ?? 0) + (words.RETRY ?? 0);
      again += words.RETRY ?? 0;
    }
  }
  return { delivered, undelivered, waiting, due: delivered + undelivered + again };
}

export function deliveryTotals(counters: Pick<BucketCounters, 'deliveries'>) {
  const { delivered, undelivered } = dueTotals(counters);
  return { delivered, undelivered };
}
