// Nothing personal lies in the clear: canaries of 16 kinds go through the whole pipeline, alone and in batches, to platforms
// that take, refuse, quote and hang; then every item, message, line and metric is searched for them.
import { describe, expect, it } from 'vitest';
import { packPersonal, unpackPersonal } from '../../lib/adapters/vault/personal-codec.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import type { EventVault } from '../../lib/events/ports/event-vault.ts';
import { findCanaries, textPlace } from '../support/canaries.ts';
import { type Answer, hanging, placesOf, quoting, run, took } from '../support/canary-pipeline.ts';

const KINDS_MIN = 12;

describe('personal data', () => {
  it.each<readonly [string, () => Answer, RegExp]>([
    ['take everything', () => took, /"DELIVERED"/],
    // What they quote is kept, but for the values.
    ['refuse and quote', () => quoting, /"FAILED".*refused \\"order-.*\[value\]/],
    ['hang', () => hanging, /"RETRY".*no answer/],
  ])('lies nowhere in the clear once normalized, where platforms %s', async (_what, answer, kept) => {
    const { pipeline, canaries, events } = await run(answer());
    expect(canaries.size).toBeGreaterThanOrEqual(KINDS_MIN);
    expect(pipeline.events.rows().map((row) => row.state)).toEqual(events.map(() => 'normalized'));
    expect(pipeline.requests.length).toBeGreaterThan(PLATFORMS.length / 2);
    // Platforms do get them: the search would find them where they are.
    expect(
      findCanaries(
        canaries,
        pipeline.requests.map((r) => textPlace('requests', r.body)),
      ),
    ).not.toEqual([]);
    expect(JSON.stringify(pipeline.events.rows())).toMatch(kept);
    expect(findCanaries(canaries, placesOf(pipeline))).toEqual([]);
  });

  it('lies in the accepted row until then, all of it, and in no queue, line or metric', async () => {
    const { canaries, accepted } = await run(took);
    const found = findCanaries(canaries, accepted);
    expect(found).toEqual([...canaries.keys()].map((kind) => `${kind} in events accepted.b`).sort());
  });

  it('is found when sealing does not encrypt: the search can fail', async () => {
    const unsealed: EventVault = {
      seal: async (_row, personal) =>
        Buffer.concat([Buffer.alloc(12, 9), packPersonal(personal)]).toString('base64'),
      open: async (_row, sealed) => unpackPersonal(Buffer.from(sealed, 'base64').subarray(12)),
      sealText: async (_of, text) => Buffer.from(text).toString('base64'),
      openText: async (_of, sealed) => Buffer.from(sealed, 'base64').toString(),
    };
    const { pipeline, canaries } = await run(took, unsealed);
    const found = findCanaries(canaries, placesOf(pipeline));
    const inRows = [...canaries.keys()].map((kind) => `${kind} in events normalized.se`);
    // Click ids rest beside the first click, too.
    expect(found).toEqual([...inRows, 'browser ids in people'].sort());
  });

  it('is found in a message, a line and a metric when it stands there', async () => {
    const { events, canaries } = await run(took);
    const [event] = events;
    if (event === undefined) throw new Error('nothing was sent');
    const { email, zip, first_name } = event.user_data;
    const dressed = [
      textPlace('case', email.toUpperCase()),
      textPlace('percent', encodeURIComponent(email)),
      textPlace('base64', Buffer.from(`x${first_name} and more`).toString('base64')),
      textPlace('hex', Buffer.from(zip).toString('hex')),
    ];
    expect(findCanaries(canaries, dressed)).toEqual([
      'email in case',
      'email in percent',
      'first name in base64',
      'postal code in hex',
    ]);
  });
});
