// What every ExchangeRateStore must do.
import { describe, expect, it } from 'vitest';
import { RATE_DAYS_MAX } from '#lib/events/domain/orders/exchange.ts';
import type { ExchangeRateStore } from '#lib/events/ports/exchange-rate-store.ts';
import { freshMerchant } from './event-rows.ts';

export function exchangeRateConformance(name: string, makeStore: () => ExchangeRateStore): void {
  describe(`${name}: exchange rates`, () => {
    it('keeps rates by pair of currencies, of this merchant alone', async () => {
      const [store, mine, theirs] = [makeStore(), freshMerchant(), freshMerchant()];
      expect(await store.exchangeRates(mine, 'EUR')).toEqual(new Map());
      await store.changeExchangeRates(mine, 'EUR', 'USD', { '2026-03-01': '0.9' });
      await store.changeExchangeRates(mine, 'EUR', 'JPY', { '2026-03-01': '0.006' });
      await store.changeExchangeRates(mine, 'GBP', 'USD', { '2026-03-01': '0.7' });
      await store.changeExchangeRates(theirs, 'EUR', 'USD', { '2026-03-01': '1' });
      const usd = ['USD', { '2026-03-01': '0.9' }] as const;
      expect(await store.exchangeRates(mine, 'EUR')).toEqual(
        new Map([['JPY', { '2026-03-01': '0.006' }], usd]),
      );
      expect(await store.exchangeRates(mine, 'EUR', ['USD', 'KWD'])).toEqual(new Map([usd]));
      expect(await store.exchangeRates(mine, 'EUR', [])).toEqual(new Map());
    });

    it('changes the days that are named, and takes away those that are null', async () => {
      const [store, mine] = [makeStore(), freshMerchant()];
      await store.changeExchangeRates(mine, 'EUR', 'USD', { '2026-03-01': '0.9', '2026-03-02': '0.91' });
      await store.changeExchangeRates(mine, 'EUR', 'USD', {
        '2026-03-02': '0.92',
        '2026-03-01': null,
        '2026-03-03': '1',
      });
      const days = { '2026-03-02': '0.92', '2026-03-03': '1' };
      expect(await store.exchangeRates(mine, 'EUR')).toEqual(new Map([['USD', days]]));
    });

    it('loses none of changes that come at once', async () => {
      const [store, mine] = [makeStore(), freshMerchant()];
      const days = Array.from({ length: 5 }, (_, i) => `2026-03-0${i + 1}`);
      await Promise.all(days.map((day) => store.changeExchangeRates(mine, 'EUR', 'USD', { [day]: '1.5' })));
      const kept = (await store.exchangeRates(mine, 'EUR')).get('USD');
      expect(Object.keys(kept ?? {}).sort()).toEqual(days);
    });

    it('keeps no more days than it may, and none of those that would be too many', async () => {
      const [store, mine] = [makeStore(), freshMerchant()];
      const dayAt = (i: number): string => new Date(i * 86_400_000).toISOString().slice(0, 10);
      const days = Object.fromEntries(
        Array.from({ length: RATE_DAYS_MAX }, (_, i) => [dayAt(i), '123456789.123456789012']),
      );
      expect(await store.changeExchangeRates(mine, 'EUR', 'USD', days)).toBe(true);
      const [first, further] = [dayAt(0), dayAt(RATE_DAYS_MAX)];
      expect(await store.changeExchangeRates(mine, 'EUR', 'USD', { [further]: '2' })).toBe(false);
      expect((await store.exchangeRates(mine, 'EUR')).get('USD')).toEqual(days);
      expect(await store.changeExchangeRates(mine, 'EUR', 'USD', { [further]: '2', [first]: null })).toBe(
        true,
      );
    });
  });
}
