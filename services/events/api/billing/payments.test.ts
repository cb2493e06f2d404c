import { describe, expect, it } from 'vitest';
import { Outage } from '#lib/core/work/outage.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import { paymentsOf } from './payments.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const NAMES = { STRIPE_SECRET_KEY_PARAMETER: '/key', STRIPE_WEBHOOK_SECRET_PARAMETER: '/hook' };
const GOOD = { '/key': 'sk_live_abc', '/hook': 'whsec_abc' };

function open(secrets: { current: Readonly<Record<string, string>> | Error }, settings: object = NAMES) {
  const clock = createManualClock(NOW);
  const reads: (readonly string[])[] = [];
  const readSecrets = async (names: readonly string[]) => {
    reads.push(names);
    if (secrets.current instanceof Error) throw secrets.current;
    return new Map(Object.entries(secrets.current));
  };
  const payments = paymentsOf(settings, { clock, random: createSeededRandom('p'), readSecrets });
  return { clock, reads, payments };
}

describe('secrets of the payment provider', () => {
  it('are read when they are first needed, once by all who ask at the same time, and again after five minutes', async () => {
    const { clock, reads, payments } = open({ current: GOOD });
    expect(reads).toEqual([]);
    const all = await Promise.all([payments(), payments(), payments()]);
    expect([new Set(all).size, reads]).toEqual([1, [['/key', '/hook']]]);
    clock.advance(299_999);
    expect(await payments()).toBe(all[0]);
    clock.advance(1);
    expect(await payments()).not.toBe(all[0]);
    expect(reads).toHaveLength(2);
  });

  it('that are not there or are something else are named, and looked for again at the next request', async () => {
    const secrets: Parameters<typeof open>[0] = { current: {} };
    const { payments } = open(secrets);
    const named = async () => {
      const found = await payments();
      return 'missing' in found ? found.missing.map(({ path }) => path) : [];
    };
    expect(await named()).toEqual(['/key', '/hook']);
    secrets.current = { '/key': 'pk_live_public', '/hook': 'whsec_abc' };
    expect(await named()).toEqual(['/key']);
    secrets.current = { '/key': 'rk_test_abc', '/hook': 'sk_live_abc' };
    expect(await named()).toEqual(['/hook']);
    secrets.current = GOOD;
    expect(await named()).toEqual([]);
  });

  it('that cannot be read are an outage and nothing that lasts', async () => {
    const secrets: Parameters<typeof open>[0] = { current: new Error('throttled') };
    const { payments } = open(secrets);
    await expect(payments()).rejects.toThrow(Outage);
    secrets.current = GOOD;
    expect(await payments()).toHaveProperty('readEvent');
  });

  it.each([{}, { STRIPE_SECRET_KEY_PARAMETER: '/key' }, { STRIPE_WEBHOOK_SECRET_PARAMETER: '/hook' }])(
    'are never read where only %j is set',
    async (settings) => {
      const { payments, reads } = open({ current: GOOD }, settings);
      expect(await payments()).toMatchObject({
        missing: [{ path: 'stripeSecretKeyParameter' }, { path: 'stripeWebhookSecretParameter' }],
      });
      expect(reads).toEqual([]);
    },
  );
});
