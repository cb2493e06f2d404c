// Promise: what a connection asks of events keeps some from it, and lets none through that its platform, or consent, keeps back.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalizedEvent, sha256 } from '#test/contract/stored-rows.ts';
import type { OwnRules } from '../../domain/connections/connection.ts';
import { CONSENT_SIGNALS } from '../../domain/event/consent.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { PLATFORMS } from '../../platforms/registry.ts';
import { decideVerdicts } from '../verdicts.ts';

/** At a connection with these rules, and at another of the platform without. */
function verdicts(own: OwnRules, event: Partial<NormalizedEvent> = {}, platform = 'meta') {
  const connections = [
    { id: 'con_1', platform, ...own },
    { id: 'con_2', platform, slot: `${platform}#2` },
  ];
  const routing = { merchantId: 'm', version: 1, connections, rules: [] };
  const decided = decideVerdicts(normalizedEvent({ eventId: 'e', event }), routing, PLATFORMS);
  return [decided[platform], decided[`${platform}#2`]];
}
const PENDING = { code: 'pending' };
const missing = (detail: string) => ({ code: 'consent_missing', detail });

it.each([
  [['Purchase'], {}, PENDING],
  [['order completed'], {}, PENDING],
  [['Lead', 'Ünïcode ✓'], {}, { code: 'event_not_listed', detail: 'Purchase' }],
  [['ünïcode ✓'], { name: 'Custom', customName: 'Ünïcode ✓' }, PENDING],
  [['custom'], { name: 'Custom', customName: 'Ünïcode ✓' }, PENDING],
  [['Other'], { name: 'Custom', customName: 'Ünïcode ✓' }, { code: 'event_not_listed', detail: 'Ünïcode ✓' }],
] as const)('a list of events %j decides of %j: %j', (events, event, verdict) => {
  // GA4 takes custom events under their own names.
  const [own, other] = verdicts({ events: [...events] }, event, 'ga4');
  expect([own?.code, own?.detail]).toEqual([
    verdict.code,
    'detail' in verdict ? verdict.detail : own?.detail,
  ]);
  expect(other?.code).not.toBe('event_not_listed');
});

it.each([
  [{ require: ['ad_storage'] }, {}, missing('ad_storage')],
  [{ require: ['ad_storage'] }, { consent: { ad_storage: 'granted' } }, PENDING],
  [{ require: ['analytics', 'ad_storage'] }, { consent: { analytics: 'granted' } }, missing('ad_storage')],
  [
    { require: ['analytics'] },
    { consent: { analytics: 'denied' } },
    { code: 'consent_denied', detail: 'analytics' },
  ],
  [{ require: ['ad_storage'], countries: ['DE'] }, { hashed: { country: sha256('us') } }, PENDING],
  [
    { require: ['ad_storage'], countries: ['DE', 'US'] },
    { hashed: { country: sha256('us') } },
    missing('ad_storage'),
  ],
  // A person whose country is not known may be there.
  [{ require: ['ad_storage'], countries: ['DE'] }, { hashed: {} }, missing('ad_storage')],
] as const)('a consent %j decides of %j: %j', (consent, event, verdict) => {
  const base = { raw: { clientIp: '192.0.2.1', userAgent: 'ua' } };
  const own = consent as unknown as NonNullable<OwnRules['consent']>;
  expect(verdicts({ consent: own }, { ...base, ...event } as Partial<NormalizedEvent>)).toEqual([
    verdict,
    PENDING,
  ]);
});

it('never lets an event through that the platform, or a consent that was denied, keeps back', () => {
  const signals = fc.subarray([...CONSENT_SIGNALS], { minLength: 1 });
  const own = fc.record(
    {
      events: fc.subarray(['Purchase', 'Lead', 'x'], { minLength: 1 }),
      consent: fc.record(
        { require: signals, countries: fc.subarray(['DE', 'US'], { minLength: 1 }) },
        { requiredKeys: ['require'] },
      ),
    },
    { requiredKeys: [] },
  );
  const consent = fc.record(
    Object.fromEntries(
      CONSENT_SIGNALS.map((signal) => [signal, fc.constantFrom('granted' as const, 'denied' as const)]),
    ),
    { requiredKeys: [] },
  );
  const country = fc.constantFrom({}, { country: sha256('de') }, { country: sha256('fr') });
  let withheld = 0;
  fc.assert(
    fc.property(own, consent, country, fc.constantFrom(...PLATFORMS), (rules, said, hashed, { slug }) => {
      const [mine, plain] = verdicts(
        rules as OwnRules,
        { consent: said, hashed } as Partial<NormalizedEvent>,
        slug,
      );
      if (plain?.code !== 'pending') expect(mine?.code).not.toBe('pending');
      else if (mine?.code !== 'pending') withheld++;
    }),
    { numRuns: 500 },
  );
  expect(withheld).toBeGreaterThan(20);
});
