// Exchange rates as the merchant says them. Guarantees: what is put again changes nothing; rates into another currency than today's
// stay for when it is chosen again.
import { audit } from '#lib/core/audit-log/audit.ts';
import { type Failure, type Handlers, refuse } from '#lib/core/http/handler.ts';
import { RATE_CURRENCIES_MAX, RATE_DAYS_MAX, type RatesByDay } from '#lib/events/domain/orders/exchange.ts';
import type { RateChange } from '#lib/events/ports/exchange-rate-store.ts';
import type { EXCHANGE_RATE_ROUTES } from '#lib/events/routes/orders/exchange-rates.ts';
import type { ApiPorts } from '../ports.ts';

type Own = Handlers<(typeof EXCHANGE_RATE_ROUTES)[number]>;
type Rates = NonNullable<Parameters<Own['putExchangeRates']>[0]['body']>['rates'];

export function exchangeRateHandlers({ config, ...ports }: ApiPorts): Own {
  const currencyOf = async (merchantId: string): Promise<string | null> =>
    (await config.merchantNow(merchantId))?.reportingCurrency ?? null;
  return {
    async listExchangeRates({ caller: { merchantId }, query: { currency } }) {
      const into = await currencyOf(merchantId);
      const found =
        into === null
          ? new Map<string, Readonly<Record<string, string>>>()
          : await config.exchangeRates(merchantId, into, currency === undefined ? undefined : [currency]);
      const rates = [...found]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([code, days]) => ({
          currency: code,
          days: Object.entries(days)
            .map(([day, rate]) => ({ day, rate }))
            .sort((a, b) => (a.day < b.day ? 1 : -1)),
        }));
      return { status: 200, body: { success: true, reporting_currency: into, rates } };
    },

    async putExchangeRates({ caller, body: { rates } }) {
      const { merchantId } = caller;
      const into = await currencyOf(merchantId);
      if (into === null)
        return refuse('rates', 'need a reporting currency: set it with PATCH /v1/account first');
      const changes = changesOf(rates, into);
      if ('failure' in changes) return changes;
      const known = await config.exchangeRates(merchantId, into);
      if (new Set([...known.keys(), ...changes.keys()]).size > RATE_CURRENCIES_MAX)
        return refuse('rates', `are kept of at most ${RATE_CURRENCIES_MAX} currencies`);
      for (const [currency, change] of changes)
        if (countAfter(known.get(currency), change) > RATE_DAYS_MAX) return tooMany(currency);
      for (const [currency, change] of changes)
        if (!(await config.changeExchangeRates(merchantId, into, currency, change))) return tooMany(currency);
      await audit(caller, 'exchange_rates.put', into, { config, ...ports });
      return { status: 200, body: { success: true, reporting_currency: into, changed: rates.length } };
    },
  };
}

const tooMany = (currency: string) =>
  refuse('rates', `of ${currency} would be more than ${RATE_DAYS_MAX} days`);

function countAfter(known: RatesByDay = {}, change: RateChange): number {
  return Object.values({ ...known, ...change }).filter((rate) => rate !== null).length;
}

/** By currency. */
function changesOf(rates: Rates, into: string): ReadonlyMap<string, RateChange> | Failure<'invalid_request'> {
  const changes = new Map<string, Record<string, string | null>>();
  for (const [i, { currency, day, rate }] of rates.entries()) {
    if (currency === into) return refuse(`rates.${i}.currency`, 'is the reporting currency itself');
    const own = changes.get(currency) ?? {};
    if (Object.hasOwn(own, day)) return refuse(`rates.${i}.day`, `is there twice for ${currency}`);
    own[day] = rate;
    changes.set(currency, own);
  }
  return changes;
}
