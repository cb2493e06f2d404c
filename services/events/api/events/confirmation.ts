// Whether a platform has confirmed what it accepted: one word on the wire, and a sentence for a person.
import { reasonWords } from '#lib/client/reason-words.ts';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { ConfirmationView } from '#lib/events/routes/delivery.ts';
import { iso } from '../wire-time.ts';

type Source = Pick<Platform, 'takenMeans' | 'statusOf' | 'other'>;

/** The interface that took the delivery: only one that can be asked leaves a confirmation. */
const takenBy = (delivery: Delivery | undefined, platform: Source): Source =>
  delivery?.confirmation === undefined || platform.statusOf !== undefined
    ? platform
    : (platform.other?.platform ?? platform);

/** Nothing of a delivery that the platform has not accepted. */
export function confirmationView(
  delivery: Delivery | undefined,
  { statusOf }: Source,
): { readonly confirmation?: ConfirmationView } {
  const confirmation = delivery?.confirmation;
  if (confirmation === undefined) {
    if (delivery?.state !== 'DELIVERED') return {};
    return { confirmation: { word: statusOf === undefined ? 'none' : 'unknown' } };
  }
  const { word, request, askAtMs, rejected, of, reason } = confirmation;
  return {
    confirmation: {
      word,
      request_id: request,
      ...(askAtMs === undefined ? {} : { asked_at: iso(askAtMs) }),
      ...withoutUndefined({ rejected, of, reason }),
    },
  };
}

/** Of a delivery in the state DELIVERED. */
export function explainTaken(delivery: Delivery | undefined, platform: Source): string {
  const { takenMeans, statusOf } = takenBy(delivery, platform);
  const accepted = `The platform accepted the event, which says that ${takenMeans.text}`;
  const confirmation = delivery?.confirmation;
  if (confirmation === undefined)
    return statusOf === undefined
      ? `${accepted}. It confirms nothing later.`
      : `${accepted}. It was not asked for more.`;
  const { word, askAtMs, rejected, of, reason = 'other' } = confirmation;
  switch (word) {
    case 'waiting':
      return `${accepted}. It is asked for the result ${askAtMs === undefined ? 'later' : `at ${iso(askAtMs)}`}.`;
    case 'confirmed':
      return 'The platform accepted the event and confirmed later that it processed it.';
    case 'never':
      return `${accepted}. It never confirmed it: ${reasonWords(reason)}.`;
    default: {
      const count = rejected === undefined || of === undefined ? 'some' : `${rejected} of the ${of}`;
      return `The platform accepted the event, and later rejected ${count} events that were sent together: ${reasonWords(reason)}. It does not say which.`;
    }
  }
}
