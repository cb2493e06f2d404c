// Three platforms that exist only here, one for each way platforms answer: event by event, all or nothing, by count.
// They use the same building blocks as the real ones, so that the code under test reads their answers as usual.
import * as z from 'zod';
import type { Outcome } from '../../lib/events/domain/deliveries/delivery.ts';
import { EVENT_NAMES, type EventName } from '../../lib/events/domain/event/names.ts';
import type { NormalizedEvent } from '../../lib/events/domain/event/normalized-event.ts';
import {
  type Answer,
  type Fields,
  isSuccess,
  record,
  statusOutcome,
  UNREADABLE,
} from '../../lib/events/platforms/answer.ts';
import { noDeletion } from '../../lib/events/platforms/deletion.ts';
import { definePlatform, type Platform } from '../../lib/events/platforms/platform.ts';

export type AnswerStyle = 'each' | 'all_or_nothing' | 'count';

/** What the vendor's model reads of an event. `nonce` identifies the body that was sent to us. */
export interface WireEvent {
  readonly id: string;
  readonly nonce: string;
}

interface Traits {
  readonly slug: string;
  readonly style: AnswerStyle;
  readonly batchSizeMax: number;
  readonly ageMaxSec: number;
  readonly deduplicates: boolean;
  readonly clickIds?: Platform['clickIds'];
}

export interface SyntheticPlatform extends Traits {
  readonly platform: Platform;
}

const credentials = z.strictObject({
  token: z.string().meta({ label: 'Token', help: 'Any text', secret: true }),
});
type Credentials = z.output<typeof credentials>;

export const SYNTHETIC: readonly SyntheticPlatform[] = [
  {
    slug: 'alpha',
    style: 'each',
    batchSizeMax: 20,
    ageMaxSec: 7 * 86_400,
    deduplicates: true,
    clickIds: ['gclid'],
  },
  {
    slug: 'bravo',
    style: 'all_or_nothing',
    batchSizeMax: 1_000,
    ageMaxSec: 7 * 86_400,
    deduplicates: false,
    clickIds: ['ttclid'],
  },
  { slug: 'carol', style: 'count', batchSizeMax: 10, ageMaxSec: 0, deduplicates: true },
].map((traits) => ({ ...(traits as Traits), platform: toPlatform(traits as Traits) }));

export const SYNTHETIC_PLATFORMS: readonly Platform[] = SYNTHETIC.map(({ platform }) => platform);

function toPlatform({ slug, style, batchSizeMax, ageMaxSec, clickIds }: Traits): Platform {
  return definePlatform<Credentials>({
    slug,
    label: slug,
    ...(clickIds === undefined ? {} : { clickIds }),
    api: { version: '1', docs: 'https://example.com', readOn: '2026-11-20' },
    credentials,
    limits: {
      batchSizeMax,
      ageMaxSec,
      bodySizeMaxBytes: 1_000_000,
      timeoutMs: 20_000,
      allOrNothing: style === 'all_or_nothing',
    },
    eventNames: Object.fromEntries(EVENT_NAMES.map((name) => [name, name])) as Record<EventName, string>,
    sealedFields: style === 'count' ? ['email'] : [],
    takenMeans: { text: 'it was taken', source: 'https://example.com' },
    consentSignals: style === 'each' ? ['ad_user_data'] : [],
    deletion: noDeletion(slug, 'https://example.com', '2026-11-20'),
    unsendable: (event) => (event.orderId === undefined ? { verdict: 'invalid', detail: 'order_id' } : null),
    ...(style === 'count' ? { groupKey: (event: NormalizedEvent) => event.hashed.emailPlain ?? '' } : {}),
    buildRequest: (events, { token }) => ({
      method: 'POST',
      url: `https://${slug}.example/events`,
      headers: { authorization: token },
      body: JSON.stringify(events.map((e): WireEvent => ({ id: e.dedupId, nonce: e.orderId ?? '' }))),
      secrets: [token],
    }),
    errors: [],
    isOwnError: () => true,
    readAnswer: (answer, body, events) => readAnswer(style, answer, body, events),
  }) as Platform;
}

function readAnswer(
  style: AnswerStyle,
  answer: Answer,
  body: Fields | undefined,
  events: readonly NormalizedEvent[],
): Outcome | readonly Outcome[] {
  if (isSuccess(answer) && style === 'each') return events.map((event) => readOne(body, event));
  const took = style === 'count' ? body?.accepted === events.length : body?.ok === true;
  return isSuccess(answer) && took ? { kind: 'delivered' } : statusOutcome(answer, events.length);
}

const KINDS: Readonly<Record<string, Outcome['kind']>> = {
  ok: 'delivered',
  dup: 'duplicate',
  bad: 'permanent',
};

function readOne(body: Fields | undefined, event: NormalizedEvent): Outcome {
  const word = record(body?.results)?.[event.orderId ?? ''];
  const kind = typeof word === 'string' ? KINDS[word] : undefined;
  return kind === undefined ? UNREADABLE : { kind };
}
