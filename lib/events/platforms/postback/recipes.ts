// Where and how a conversion is reported to each network. README.md has the source of every rule, and what is UNVERIFIED.
import { itemCount, wholeQuantity } from '../item-count.ts';
import { jsonNumber } from '../json-body.ts';
import { webUrl } from '../web-url.ts';
import { type Account, moneyOf, type Recipe } from './recipe.ts';

export const NETWORKS = ['awin', 'criteo', 'impact', 'outbrain', 'taboola'] as const;

const path = (text: string | undefined): string => encodeURIComponent(text ?? '');
const basicOf = ({ account_id, api_key }: Account): string =>
  Buffer.from(`${account_id}:${api_key}`).toString('base64');

const RECIPES: Readonly<Record<(typeof NETWORKS)[number], Recipe>> = {
  taboola: {
    label: 'Taboola',
    docs: 'https://developers.taboola.com/pixel/docs/the-postback-url',
    clickId: 'tblci',
    needs: ['event_ids'],
    currencies: new Set(
      'AUD BRL CAD CNY EUR GBP HKD ILS INR JPY KRW MXN NZD RUB SGD THB TRY USD ZAR'.split(' '),
    ),
    url: () => 'https://trc.taboola.com/actions-handler/log/3/s2s-action',
    form: 'query',
    fields: ({ clickId, name, id, event }) => ({
      'click-id': clickId,
      name,
      revenue: moneyOf(event).amount,
      currency: moneyOf(event).currency,
      orderid: id,
      quantity: itemCount(event.items),
    }),
  },
  outbrain: {
    label: 'Outbrain',
    docs: 'https://www.outbrain.com/help/advertisers/server2server-integrations/',
    clickId: 'ob_click_id',
    needs: ['event_ids'],
    url: () => 'https://tr.outbrain.com/unifiedPixel',
    form: 'query',
    fields: ({ clickId, name, id, event }) => ({
      ob_click_id: clickId,
      name,
      orderId: id,
      orderValue: moneyOf(event).amount,
      currency: moneyOf(event).currency,
    }),
  },
  awin: {
    label: 'Awin',
    docs: 'https://help.awin.com/apidocs/conversion-api',
    clickId: 'awc',
    needs: ['account_id', 'api_key'],
    names: { Purchase: 'DEFAULT' },
    needsMoney: true,
    idMaxChars: 50,
    takesTests: true,
    url: ({ account_id }) => `https://api.awin.com/s2s/advertiser/${path(account_id)}/orders`,
    headers: ({ api_key = '' }) => ({ 'x-api-key': api_key }),
    secret: ({ api_key = '' }) => api_key,
    form: 'json',
    fields: ({ clickId, name, id, event, test }) => {
      const { currency } = event;
      const amount = jsonNumber(event.value);
      const commissionGroups = [{ code: name, amount }];
      return {
        orders: [
          {
            orderReference: id,
            amount,
            currency,
            channel: 'aw',
            awc: clickId,
            isTest: test,
            commissionGroups,
          },
        ],
      };
    },
  },
  impact: {
    label: 'Impact',
    docs: 'https://integrations.impact.com/brand-api-reference',
    clickId: 'irclickid',
    needs: ['account_id', 'api_key', 'campaign_id', 'event_ids'],
    url: ({ account_id }) => `https://api.impact.com/Advertisers/${path(account_id)}/Conversions`,
    headers: (account) => ({ accept: 'application/json', authorization: `Basic ${basicOf(account)}` }),
    secret: basicOf,
    form: 'json',
    fields: ({ clickId, name, id, event }, { campaign_id }) => ({
      CampaignId: jsonNumber(campaign_id),
      ...(/^[1-9]\d{0,14}$/.test(name) ? { EventTypeId: jsonNumber(name) } : { EventTypeCode: name }),
      EventDate: new Date(event.eventTimeSec * 1_000).toISOString(),
      OrderId: id,
      ClickId: clickId,
      CustomerId: event.hashed.externalIdsCased?.[0],
      CustomerEmail: event.hashed.emailPlain,
      Amount: jsonNumber(moneyOf(event).amount),
      CurrencyCode: moneyOf(event).currency,
      IpAddress: event.raw.clientIp,
      UserAgent: event.raw.userAgent,
    }),
  },
  criteo: {
    label: 'Criteo',
    docs: 'https://guides.criteotilt.com/onetag/s2s/',
    clickId: 'crto_mapped_user_id',
    needs: ['account_id', 'caller_id', 'region'],
    names: {
      PageView: 'viewPage',
      AddToCart: 'addToCart',
      ViewCart: 'viewBasket',
      InitiateCheckout: 'beginCheckout',
      AddPaymentInfo: 'addPaymentInfo',
      Purchase: 'trackTransaction',
      Login: 'login',
    },
    url: ({ region }) => `https://widget.${region}.criteo.com/m/event?version=s2s_v0`,
    form: 'json',
    fields: ({ clickId, name, id, event }, { account_id, caller_id }) => ({
      version: 's2s_v1.0.0',
      account: account_id,
      site_type: 'd',
      id: { mapping_key: caller_id, mapped_user_id: clickId, email: { sha256: event.hashed.emailPlain } },
      ip: event.raw.clientIp,
      full_url: webUrl(event.eventSourceUrl),
      previous_url: webUrl(event.referrerUrl),
      events: [
        {
          event: name,
          timestamp: new Date(event.eventTimeSec * 1_000).toISOString(),
          id: name === 'trackTransaction' ? id : undefined,
          currency: event.items.length === 0 ? undefined : event.currency,
          item: event.items.map(({ id: item, price, quantity }) => ({
            id: item,
            price: jsonNumber(price),
            quantity: wholeQuantity(quantity),
          })),
        },
      ],
    }),
  },
};

export const recipeOf = ({ network }: { readonly network: (typeof NETWORKS)[number] }): Recipe =>
  RECIPES[network];
