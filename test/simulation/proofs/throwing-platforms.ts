// Platforms whose own code throws: each of the functions that stages call for an event, at one of the synthetic platforms,
// for some of the events.
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';

type Method = 'unsendable' | 'ageMaxSec' | 'groupKey' | 'buildRequest' | 'readResponse';

interface Defect {
  readonly slug: string;
  readonly method: Method;
  /** For which events, by what identifies their bodies. */
  readonly nonce: RegExp;
  /** Whether their deliveries wait until it is mended. */
  readonly stops: boolean;
}

const DEFECTS: readonly Defect[] = [
  { slug: 'alpha', method: 'buildRequest', nonce: /[05]$/, stops: true },
  { slug: 'alpha', method: 'unsendable', nonce: /2$/, stops: true },
  { slug: 'bravo', method: 'readResponse', nonce: /3$/, stops: true },
  { slug: 'carol', method: 'groupKey', nonce: /7$/, stops: true },
  // The platform's own limit applies in its place.
  { slug: 'carol', method: 'ageMaxSec', nonce: /[48]$/, stops: false },
];

/** What an unreadable answer leaves unknown of others costs them one more try, alone. */
export const SECOND_TRY_PLATFORM = 'bravo';

/** `defect`: told of each throw that is due; false where it is mended. */
export function throwing(platform: Platform, defect: () => boolean): Platform {
  const own = DEFECTS.filter(({ slug }) => slug === platform.slug);
  const check = (method: Method, events: readonly NormalizedEvent[]): void => {
    const nonces = own.filter((known) => known.method === method).map(({ nonce }) => nonce);
    const isMet = events.some(({ orderId = '' }) => nonces.some((nonce) => nonce.test(orderId)));
    if (isMet && defect()) throw new TypeError(`a defect of ${method}`);
  };
  return {
    ...platform,
    unsendable: (event, credentials) => {
      check('unsendable', [event]);
      return platform.unsendable(event, credentials);
    },
    ageMaxSec: (event) => {
      check('ageMaxSec', [event]);
      return platform.ageMaxSec?.(event) ?? platform.limits.ageMaxSec;
    },
    groupKey: (event, credentials) => {
      check('groupKey', [event]);
      return platform.groupKey?.(event, credentials) ?? '';
    },
    buildRequest: (events, credentials, context) => {
      check('buildRequest', events);
      return platform.buildRequest(events, credentials, context);
    },
    readResponse: (result, events) => {
      check('readResponse', events);
      return platform.readResponse(result, events);
    },
  };
}

/** True where the platform's deliveries of this event stand still until it is mended. */
export function isStopped(slug: string, nonce = ''): boolean {
  return DEFECTS.some((defect) => defect.slug === slug && defect.stops && defect.nonce.test(nonce));
}
