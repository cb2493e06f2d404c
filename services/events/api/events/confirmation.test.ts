// Promise: of what a platform accepted the API says whether it was confirmed, and which platforms confirm nothing.
import { describe, expect, it } from 'vitest';
import { reasonWords } from '#lib/client/reason-words.ts';
import type { Confirmation } from '#lib/events/domain/deliveries/confirmation.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { PLATFORMS, platformBySlug } from '#lib/events/platforms/registry.ts';
import { confirmationView, explainTaken } from './confirmation.ts';
import { explain } from './verdicts.ts';

const AT = Date.UTC(2026, 10, 21, 12);
const google = platformBySlug('google_ads') ?? expect.unreachable();
const meta = platformBySlug('meta') ?? expect.unreachable();
const delivery = (confirmation?: Confirmation): Delivery => ({
  state: 'DELIVERED',
  attempts: 1,
  unknowns: 0,
  updatedAtMs: AT,
  deliveredAtMs: AT,
  history: [],
  ...(confirmation === undefined ? {} : { confirmation }),
});
const request = 'r-1';
const reason = 'google_ads.EVENT_TOO_OLD';

describe('what is said', () => {
  const ACCEPTED = `The platform accepted the event, which says that ${google.takenMeans.text}.`;
  it.each<[Confirmation | undefined, string]>([
    [undefined, `${ACCEPTED} It was not asked for more.`],
    [
      { word: 'waiting', request, askAtMs: AT },
      `${ACCEPTED} It is asked for the result at 2026-11-21T12:00:00.000Z.`,
    ],
    [
      { word: 'confirmed', request },
      'The platform accepted the event and confirmed later that it processed it.',
    ],
    [
      { word: 'partly', request, reason, rejected: 3, of: 20 },
      `The platform accepted the event, and later rejected 3 of the 20 events that were sent together: ${reasonWords(reason)}. It does not say which.`,
    ],
    [
      { word: 'partly', request, reason },
      `The platform accepted the event, and later rejected some events that were sent together: ${reasonWords(reason)}. It does not say which.`,
    ],
    [
      { word: 'never', request, reason: 'never_done' },
      `${ACCEPTED} It never confirmed it: it had not finished after a day.`,
    ],
    [
      { word: 'never', request, reason: 'another_account' },
      `${ACCEPTED} It never confirmed it: the request was of another account.`,
    ],
  ])('of %j', (confirmation, text) => expect(explainTaken(delivery(confirmation), google)).toBe(text));

  it('of a platform that confirms nothing', () => {
    expect(explainTaken(delivery(), meta)).toBe(
      `The platform accepted the event, which says that ${meta.takenMeans.text}. It confirms nothing later.`,
    );
    expect(confirmationView(delivery(), meta)).toEqual({ confirmation: { word: 'none' } });
  });

  it('of a platform of two interfaces, by the one that took the event', () => {
    const ga4 = PLATFORMS.find(({ slug }) => slug === 'ga4') ?? expect.unreachable();
    expect(explainTaken(delivery(), ga4)).toMatch(/the request arrived.* It confirms nothing later\.$/);
    expect(explainTaken(delivery({ word: 'never', request, reason: 'never_done' }), ga4)).toBe(
      `${ACCEPTED} It never confirmed it: it had not finished after a day.`,
    );
    expect(confirmationView(delivery({ word: 'waiting', request, askAtMs: AT }), ga4).confirmation).toEqual({
      ...{ word: 'waiting', request_id: request, asked_at: '2026-11-21T12:00:00.000Z' },
    });
  });

  it('of a rejection of all', () => {
    const { deliveredAtMs: _, ...rest } = delivery({ word: 'rejected', request });
    const failed: Delivery = { ...rest, state: 'FAILED', reason };
    const verdict = { platform: google, code: 'pending', state: 'FAILED', delivery: failed } as const;
    expect(explain(verdict)).toMatch(
      /^The platform accepted the event and rejected it later: .*EVENT_TOO_OLD/,
    );
    expect(confirmationView(failed, google)).toEqual({
      confirmation: { word: 'rejected', request_id: request },
    });
  });

  it('on the wire', () => {
    const said = { word: 'partly', request, reason, rejected: 3, of: 20 } as const;
    expect(confirmationView(delivery(said), google).confirmation).toEqual({
      ...{ word: 'partly', request_id: request },
      ...{ rejected: 3, of: 20, reason },
    });
    const waiting = { word: 'waiting', request, askAtMs: AT } as const;
    expect(confirmationView(delivery(waiting), google).confirmation?.asked_at).toBe(
      '2026-11-21T12:00:00.000Z',
    );
    expect(confirmationView(delivery(), google)).toEqual({ confirmation: { word: 'unknown' } });
    expect(confirmationView({ ...delivery(), state: 'FAILED' }, google)).toEqual({});
    expect(confirmationView(undefined, google)).toEqual({});
  });
});

it('every platform says what its success means, with a source', () => {
  for (const { slug, takenMeans } of PLATFORMS) {
    expect([slug, takenMeans.text]).toEqual([slug, expect.stringMatching(/^[a-z].*[^.]$/)]);
    expect([slug, URL.canParse(takenMeans.source)]).toEqual([slug, true]);
  }
});
