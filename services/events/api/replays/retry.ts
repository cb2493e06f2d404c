// A retry by hand of what failed. Guarantees: nothing is sent to a connection that came after the event, whatever place it has.
import type { Failure, Success } from '#lib/core/http/handler.ts';
import { holderOf, isWithdrawn } from '#lib/events/domain/connections/connection.ts';
import { connectionTarget, exactly, platformOf } from '#lib/events/domain/connections/target.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { retriable } from '#lib/events/pipeline/replay/take-over.ts';
import type { retryFailed } from '#lib/events/routes/replays.ts';
import { holderView } from '../events/view.ts';
import type { ApiPorts } from '../ports.ts';
import { type ReplaySeed, sendAgain } from './event.ts';

type Retried = Success<typeof retryFailed>['body'];
type Removed = NonNullable<Retried['removed']>[number];

export async function retry(
  original: NormalizedRow,
  ports: ApiPorts,
): Promise<Retried | Failure<'nothing_to_retry' | 'connection_removed'>> {
  const all = retriable(original);
  if (all.length === 0) return { failure: 'nothing_to_retry' };
  const { routingVersion } = original;
  const every = await ports.config.everyConnection(original.key.merchantId);
  const connections = every.connections.filter(
    (one) => all.includes(connectionTarget(one)) && !isWithdrawn(one, routingVersion),
  );
  const places = all.filter((place) => connections.some((one) => connectionTarget(one) === place));
  const removed = all
    .filter((place) => !places.includes(place))
    .map((place): Removed => {
      const holder = holderOf(place, routingVersion, every);
      return { platform: platformOf(place), ...holderView(holder === undefined ? {} : { holder }) };
    });
  if (places.length === 0) return { failure: 'connection_removed', details: removed.map(detailOf) };
  // Exactly these: the platform may have more connections by now.
  const wish = { dedupe: 'original', onlyPlatforms: places.map(exactly), takesOver: true } as const;
  return {
    ...(await sendAgain(original, wish, seedOf(original, places), ports)),
    platforms: [...new Set(places.map(platformOf))],
    connections: connections.map(({ id }) => id),
    ...(removed.length === 0 ? {} : { removed }),
  };
}

const detailOf = ({ platform, connection_id: id, connection_name: name = platform }: Removed) => ({
  path: 'id',
  message: `${name}${id === null ? '' : ` (${id})`} was removed: POST /v1/events/:id/forward sends it to another connection`,
});

/** The same for two that look at the same deliveries. */
function seedOf({ deliveries }: NormalizedRow, places: readonly string[]): ReplaySeed {
  return { words: ['retry', ...places.map((place) => `${place}@${deliveries[place]?.updatedAtMs}`)] };
}
