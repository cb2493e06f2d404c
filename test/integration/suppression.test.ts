// People who were erased, or who objected: canaries of 16 kinds go through the whole pipeline, and nothing of them is stored, counted,
// logged or sent; everybody else's goes on as before.
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { type CanaryEvent, canariesOf, canaryEvent, findCanaries, textPlace } from '../support/canaries.ts';
import { openPipeline, type Pipeline, took } from '../support/canary-pipeline.ts';
import { openedPlaces, suppressing, withErasures } from '../support/erasing.ts';
import { BROWSER, request, send } from '../support/ingestion.ts';
import { PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';
import { KEYLESS, withReplays } from '../support/replaying.ts';

const make = (pipeline: Pipeline, mark: string): CanaryEvent =>
  canaryEvent(mark, Math.floor(pipeline.clock.now() / 1_000) - 5);
const again = (event: CanaryEvent, id: string, user: object = event.user_data) => ({
  ...event,
  ...{ event_id: `${event.event_id}-${id}`, order_id: `${event.order_id}-${id}`, user_data: user },
});

async function take({ app }: Pipeline, ...events: readonly unknown[]): Promise<void> {
  for (const event of events)
    expect((await send(app, request('/v1/events', event))).status, JSON.stringify(event)).toBe(202);
}

async function takeFromPage({ app }: Pipeline, event: object): Promise<void> {
  const body = { ...event, merchant_id: PIPELINE_MERCHANT, source: 'browser' };
  const headers = { 'user-agent': BROWSER, authorization: '' };
  expect((await send(app, request('/v1/browser/events', body, headers))).status).toBe(202);
}

const found = async (pipeline: Pipeline, event: CanaryEvent) =>
  findCanaries(canariesOf(event), [
    ...(await openedPlaces(pipeline)),
    ...pipeline.requests.map((sent) => textPlace('requests', sent)),
  ]);

function rowOf({ storedRows }: Pipeline, eventId: string, channel = 'server'): NormalizedRow {
  const row = storedRows.rows().find(({ key }) => key.eventId === eventId && key.channel === channel);
  if (row?.state !== 'normalized') throw new Error(`${eventId} is not normalized`);
  return row;
}
const isSuppressed = (pipeline: Pipeline, eventId: string, channel = 'server') =>
  rowOf(pipeline, eventId, channel).event.issues.some(({ code }) => code === 'person_suppressed');

function open(how: 'without_identity' | 'not_sent' = 'not_sent') {
  const pipeline = openPipeline(took);
  suppressing(pipeline, how);
  return { pipeline, people: withErasures(pipeline), person: make(pipeline, 'zq1xv') };
}

describe('a suppressed person', () => {
  it.each(['not_sent', 'without_identity'] as const)(
    'is in nothing that is stored, counted, logged or sent, and everybody else is: %s',
    async (how) => {
      const { pipeline, people, person } = open(how);
      const other = make(pipeline, 'zq2xv');
      await people.suppress({ email: person.user_data.email.toUpperCase() });
      await take(pipeline, person, other, again(person, 'b'));
      await pipeline.drain();
      expect(await found(pipeline, person)).toEqual([]);
      // The search finds what it looks for.
      const kinds = new Set((await found(pipeline, other)).map((hit) => hit.split(' in ')[0]));
      expect(kinds.size).toBe(17);

      const { event, verdicts, payloadHash } = rowOf(pipeline, person.event_id);
      expect(event.issues).toEqual([{ field: 'user_data', code: 'person_suppressed' }]);
      expect([event.value, event.orderId, event.sealed]).toEqual(['12.5', person.order_id, undefined]);
      expect(payloadHash).toMatch(/^0+$/);
      const words = new Set(Object.values(verdicts));
      const ofOther = rowOf(pipeline, other.event_id).verdicts;
      for (const [slot, word] of Object.entries(ofOther))
        if (word !== 'pending') expect(verdicts[slot], slot).toBe(word);
      expect(words.has('suppressed')).toBe(true);
      const sent = Object.entries(verdicts).flatMap(([slot, word]) => (word === 'pending' ? [slot] : []));
      if (how === 'not_sent') expect(sent).toEqual([]);
      else {
        expect(sent).toContain('webhook');
        expect(sent).not.toContain('meta');
        expect(JSON.stringify(pipeline.requests)).toContain(person.event_id);
      }
      expect(pipeline.problems).toEqual([]);
    },
  );

  it.each<readonly [string, (user: CanaryEvent['user_data']) => object, object]>([
    ['one of three identifiers', ({ phone }) => ({ phone }), {}],
    [
      'an address in another case, with spaces',
      ({ email }) => ({ email }),
      { email: ' MAIL.zq1xv@mail-canary.example ' },
    ],
    ['the digest of the address', ({ email }) => ({ email: hash('sha256', email.toLowerCase()) }), {}],
    ['an id that comes second', () => ({ external_id: 'Loyaltyzq1xv' }), {}],
    ['a number written otherwise', ({ phone }) => ({ phone: `00${phone.slice(1)}` }), {}],
  ])('is recognised by %s', async (_, words, user) => {
    const { pipeline, people, person } = open();
    await people.suppress(words(person.user_data));
    await take(pipeline, { ...person, user_data: { ...person.user_data, ...user } });
    await pipeline.drain();
    expect(isSuppressed(pipeline, person.event_id)).toBe(true);
    expect(await found(pipeline, person)).toEqual([]);
  });

  it('is recognised when the sender hashes, and not by ids of a browser alone', async () => {
    const { pipeline, people, person } = open();
    const { email, browser_ids } = person.user_data;
    await people.suppress({ email });
    await take(
      pipeline,
      again(person, 'hashed', { email: hash('sha256', email.toLowerCase()) }),
      again(person, 'anonymous', { browser_ids }),
    );
    await pipeline.drain();
    expect(isSuppressed(pipeline, `${person.event_id}-hashed`)).toBe(true);
    expect(isSuppressed(pipeline, `${person.event_id}-anonymous`)).toBe(false);
  });

  it('leaves clicks and orders under none of their identifiers', async () => {
    const { pipeline, people, person } = open();
    await people.suppress({ external_id: person.user_data.customer_id });
    const before = pipeline.attribution.size();
    await take(pipeline, person);
    await pipeline.drain();
    expect(pipeline.attribution.size()).toBe(before);
    expect(rowOf(pipeline, person.event_id).event.credit).toEqual({ touch: 'direct' });
  });

  it('is no person whose earlier clicks complete a purchase', async () => {
    const { pipeline, people, person } = open('without_identity');
    await take(pipeline, { ...again(person, 'visit'), event_name: 'PageView' });
    await pipeline.drain();
    const { browser_ids: _, anon_id: __, ...known } = person.user_data;
    await people.suppress({ email: person.user_data.email });
    await take(pipeline, again(person, 'order', known));
    await pipeline.drain();
    const { event } = rowOf(pipeline, `${person.event_id}-order`);
    expect([event.sealed, event.credit]).toEqual([undefined, { touch: 'direct' }]);
    await people.unsuppress({ email: person.user_data.email });
    await take(pipeline, again(person, 'later order', known));
    await pipeline.drain();
    expect(rowOf(pipeline, `${person.event_id}-later order`).event.credit).toEqual({ touch: 'google_ads' });
  });

  it('was taken before, and is looked for when the event is normalized', async () => {
    const { pipeline, people, person } = open();
    await take(pipeline, person);
    await people.suppress({ email: person.user_data.email });
    await pipeline.drain();
    expect(await found(pipeline, person)).toEqual([]);
  });

  it('goes out with no replay of an older event, and comes back with none of a newer one', async () => {
    const { pipeline, people, person } = open();
    await take(pipeline, person);
    await pipeline.drain();
    const requests = pipeline.requests.length;
    expect(requests).toBeGreaterThan(0);
    await people.suppress({ phone: person.user_data.phone });
    await take(pipeline, again(person, 'later'));
    await pipeline.drain();
    const { api } = withReplays(pipeline, PLATFORMS);
    for (const id of [person.event_id, `${person.event_id}-later`]) {
      const answer = await api.replayEvent({ ...KEYLESS, params: { id }, body: undefined });
      expect(answer).toMatchObject({ status: 202 });
    }
    await pipeline.drain();
    expect(pipeline.requests.length).toBe(requests);
    const replays = pipeline.storedRows.rows().filter(({ key }) => key.eventId.includes('~rp~'));
    expect(replays).toHaveLength(2);
    for (const row of replays)
      expect(row).toMatchObject({ event: { issues: [{ code: 'person_suppressed' }] } });
    for (const row of replays) expect(row).not.toHaveProperty('event.sealed');
  });

  it('is like anybody else once they consent again', async () => {
    const { pipeline, people, person } = open();
    const words = { email: person.user_data.email };
    await people.suppress(words);
    await people.unsuppress(words);
    await take(pipeline, person);
    await pipeline.drain();
    expect(isSuppressed(pipeline, person.event_id)).toBe(false);
    expect(pipeline.requests.length).toBeGreaterThan(0);
    expect(people.audits.map((entry) => entry.split(' ')[0])).toEqual([
      'privacy.suppress',
      'privacy.unsuppress',
    ]);
    expect(people.audits.join()).not.toMatch(/zq1xv|canary/i);
  });
});

describe('events of one id from a page and a server', () => {
  const anonymous = ({ user_data: { browser_ids, client_ip, user_agent } }: CanaryEvent) => ({
    ...{ browser_ids, client_ip, user_agent },
  });

  it.each(['page', 'server'])('of whom the server names are nobody’s, the %s first', async (first) => {
    const { pipeline, people, person } = open();
    await people.suppress({ email: person.user_data.email });
    const page = { ...person, user_data: anonymous(person) };
    const before = pipeline.attribution.size();
    if (first === 'server') await take(pipeline, person);
    else await takeFromPage(pipeline, page);
    if (first === 'server') await pipeline.drain();
    if (first === 'server') await takeFromPage(pipeline, page);
    else await take(pipeline, person);
    await pipeline.drain();
    expect(isSuppressed(pipeline, person.event_id)).toBe(true);
    expect(isSuppressed(pipeline, person.event_id, 'browser')).toBe(true);
    expect(await found(pipeline, person)).toEqual([]);
    expect(pipeline.attribution.size()).toBe(before);
  });

  it('of whom the page names alone take nothing from the server’s', async () => {
    const { pipeline, people, person } = open();
    await people.suppress({ email: person.user_data.email });
    await takeFromPage(pipeline, person);
    const { email: _, ...user } = make(pipeline, 'zq2xv').user_data;
    await take(pipeline, { ...person, user_data: { ...user, browser_ids: {} } });
    await pipeline.drain();
    expect(isSuppressed(pipeline, person.event_id, 'browser')).toBe(true);
    expect(isSuppressed(pipeline, person.event_id)).toBe(false);
    expect(rowOf(pipeline, person.event_id).event.fromPage).toBeUndefined();
  });
});

describe('an erasure', () => {
  it('keeps the person away, also from processes that do not know the list yet', async () => {
    const { pipeline, people, person } = open();
    await take(pipeline, person);
    await pipeline.drain();
    const known = pipeline.config.merchant;
    const before = await known(PIPELINE_MERCHANT);
    const { id } = await people.begin({ email: person.user_data.email });
    // For half a minute a process goes by what it remembers.
    Object.assign(pipeline.config, { merchant: async () => before });
    pipeline.clock.advance(29_000);
    await take(pipeline, again(person, 'late'));
    await pipeline.drain();
    expect(await found(pipeline, person)).not.toEqual([]);
    Object.assign(pipeline.config, { merchant: known });
    await people.finish();
    await take(pipeline, again(person, 'after'));
    await pipeline.drain();
    const ofRequests = (hit: string) => hit.endsWith('requests') || hit.includes('queues');
    expect((await found(pipeline, person)).filter((hit) => !ofRequests(hit))).toEqual([]);
    expect(isSuppressed(pipeline, `${person.event_id}-after`)).toBe(true);
    expect(await people.receipt(id)).toMatchObject({ status: 'done', erased: 2, suppresses: true });
    expect(people.audits).toEqual([`privacy.erase ${id}`, `privacy.suppress ${id}`]);
  });

  it('puts nobody on the list where it is told not to', async () => {
    const { pipeline, people, person } = open();
    const { id } = await people.begin({ email: person.user_data.email, suppress: false });
    await people.finish();
    await take(pipeline, person);
    await pipeline.drain();
    expect(isSuppressed(pipeline, person.event_id)).toBe(false);
    expect(await people.receipt(id)).toMatchObject({ suppresses: false });
  });
});

describe('what is read', () => {
  it('is nothing for a merchant without a list, and one look at it for an event that names a person', async () => {
    const { pipeline, people, person } = open();
    const looks: number[] = [];
    const { suppressed } = pipeline.attribution;
    pipeline.attribution.suppressed = async (merchantId, digests) => {
      looks.push(digests.length);
      return await suppressed(merchantId, digests);
    };
    await take(pipeline, person);
    await pipeline.drain();
    expect(looks).toEqual([]);
    await people.suppress({ email: 'nobody@shop.example' });
    looks.length = 0;
    await take(pipeline, again(person, 'b'));
    await take(pipeline, again(person, 'c', { browser_ids: person.user_data.browser_ids }));
    await pipeline.drain();
    // An address, a number in two spellings, two ids, each in its own case and in lowercase.
    expect(looks).toEqual([7]);
  });

  it('is not guessed: while the list is away the event waits', async () => {
    const { pipeline, people, person } = open();
    await people.suppress({ email: person.user_data.email });
    const { suppressed } = pipeline.attribution;
    pipeline.attribution.suppressed = () => Promise.reject(new Error('away'));
    await take(pipeline, person);
    await pipeline.drain();
    expect(pipeline.storedRows.rows().map(({ state }) => state)).toEqual(['accepted']);
    expect(pipeline.requests).toEqual([]);
    pipeline.attribution.suppressed = suppressed;
    pipeline.clock.advance(60_000);
    await pipeline.drain();
    expect(isSuppressed(pipeline, person.event_id)).toBe(true);
  });
});
