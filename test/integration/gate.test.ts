// What is personal beside declared identity, through the whole pipeline: it rests sealed as it came, and no request has it,
// whichever way the request is sent.
import { describe, expect, it } from 'vitest';
import type { Merchant } from '../../lib/events/domain/merchant.ts';
import { openEvent } from '../../lib/events/pipeline/sealed-event.ts';
import type { HttpResult } from '../../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { loadExamples } from '../platforms/load.ts';
import { testMerchant } from '../support/ingestion.ts';
import { PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';
import { KEYLESS, withReplays } from '../support/replaying.ts';
import { sampleRule } from '../support/sample-rule.ts';
import { DOWN, openSyntheticShop } from '../support/synthetic-shop.ts';

const MAIL = 'canary.person@mail.example';
const ADDRESS = `https://shop.example/thanks?contact=${MAIL}&lang=en`;
const TOOK: HttpResult = { kind: 'response', status: 200, headers: {}, body: '{"events_received":1}' };
const meta = PLATFORMS.filter(({ slug }) => slug === 'meta');
const credentials = { meta: (await loadExamples('meta'))[0].credentials };

function open({ express = true, rules = [] as readonly unknown[] } = {}) {
  let allowedParameters: readonly string[] | undefined;
  let withholdPersonalFrom: readonly string[] | undefined;
  let answer = TOOK;
  const merchant = (): Merchant => ({
    ...testMerchant({ enabled: false }),
    ...(allowedParameters === undefined ? {} : { allowedParameters: [...allowedParameters] }),
    ...(withholdPersonalFrom === undefined ? {} : { withholdPersonalFrom: [...withholdPersonalFrom] }),
  });
  const shop = openSyntheticShop({
    platforms: meta,
    credentials,
    answer: () => answer,
    express,
    rules: () => rules,
    config: { merchant: async () => merchant() },
  });
  return {
    ...shop,
    replays: withReplays(shop, meta),
    allow: (...names: readonly string[]) => {
      allowedParameters = names;
    },
    withhold: (...from: readonly string[]) => {
      withholdPersonalFrom = from;
    },
    answerWith: (next: HttpResult) => {
      answer = next;
    },
    /** What Meta got as the page's address, with each request. */
    pages: () => shop.requests.map(({ body }) => JSON.parse(body).data[0].event_source_url),
    text: () => decodeURIComponent(JSON.stringify(shop.requests)),
  };
}

describe('an e-mail address in an address', () => {
  it.each([true, false])('goes to no platform, and rests as it came (at once: %s)', async (express) => {
    const host = open({ express });
    await host.take('e1', { event_source_url: ADDRESS, custom_data: { note: MAIL, [MAIL]: 1 } });
    await host.drain();
    expect(host.states('e1')).toEqual({ meta: 'DELIVERED' });
    expect(host.pages()).toEqual(['https://shop.example/thanks?lang=en']);
    expect(host.text()).not.toContain('canary');
    const row = host.row('e1');
    expect(row.event.issues).toEqual([
      { field: 'event_source_url', code: 'email_removed' },
      { field: 'custom_data', code: 'email_removed' },
    ]);
    expect(await openEvent(row, host.eventVault)).toMatchObject({ eventSourceUrl: ADDRESS });
    await host.pass(3);
    expect(host.dayCounters()?.issues).toEqual({
      'event_source_url:email_removed': 1,
      'custom_data:email_removed': 1,
    });
    expect(host.problems).toEqual([]);
  });

  it('is in no attempt after the first either, nor where a rule wrote it', async () => {
    const changes = [{ op: 'set_field' as const, field: 'custom_data.owner', value: MAIL }];
    const host = open({ rules: [sampleRule({ action: { type: 'transform', changes } })] });
    host.answerWith(DOWN);
    await host.take('e1', { event_source_url: ADDRESS });
    await host.drain();
    host.answerWith(TOOK);
    await host.pass(30);
    expect(host.states('e1')).toEqual({ meta: 'DELIVERED' });
    expect(host.requests.length).toBeGreaterThan(1);
    expect(host.text()).toContain('[removed]');
    expect(host.text()).not.toContain('canary');
  });

  it('goes out under a name that the merchant allows, until a replay after it is allowed no more', async () => {
    const host = open();
    host.allow('contact');
    await host.take('e1', { event_source_url: ADDRESS });
    await host.drain();
    expect(host.row('e1').event.issues).toEqual([{ field: 'contact', code: 'personal_data_allowed' }]);
    host.allow();
    const answer = await host.replays.api.replayEvent({ ...KEYLESS, params: { id: 'e1' }, body: undefined });
    if ('failure' in answer) throw new Error(answer.failure);
    await host.drain();
    expect(host.pages()).toEqual([ADDRESS, 'https://shop.example/thanks?lang=en']);
    const replay = host.normalizedRows().find(({ key }) => key.eventId !== 'e1');
    expect(replay?.key.merchantId).toBe(PIPELINE_MERCHANT);
    expect(replay?.event.issues).toEqual([{ field: 'event_source_url', code: 'email_removed' }]);
  });

  it('keeps the event from a platform that is to get none, until it is withheld no more', async () => {
    const host = open();
    host.withhold('meta');
    await host.take('e1', { event_source_url: ADDRESS });
    await host.take('e2', { event_source_url: 'https://shop.example/thanks?lang=en' });
    await host.drain();
    expect([host.row('e1').verdicts, host.row('e2').verdicts]).toEqual([
      { meta: 'personal_found:event_source_url' },
      { meta: 'pending' },
    ]);
    expect(host.row('e1').event.issues).toEqual([{ field: 'event_source_url', code: 'email_removed' }]);
    expect(host.requests).toHaveLength(1);
    await host.pass(3);
    expect(host.dayCounters()?.issues).toEqual({ 'event_source_url:email_removed': 1 });
    expect(JSON.stringify(host.dayCounters())).toContain('personal_found');
    // What is allowed by name is not found.
    host.allow('contact');
    await host.take('e3', { event_source_url: ADDRESS });
    await host.drain();
    expect(host.row('e3').verdicts).toEqual({ meta: 'pending' });
    host.allow();
    host.withhold('tiktok');
    const answer = await host.replays.api.replayEvent({ ...KEYLESS, params: { id: 'e1' }, body: undefined });
    if ('failure' in answer) throw new Error(answer.failure);
    await host.drain();
    expect(host.pages().at(-1)).toBe('https://shop.example/thanks?lang=en');
    expect(host.problems).toEqual([]);
  });
});
