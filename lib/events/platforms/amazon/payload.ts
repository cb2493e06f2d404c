// Events into one Events API request. Amounts keep their digits, and are not sent where Amazon would have to round them;
// one request carries up to 500 events.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { deviceKind } from '../device.ts';
import { isDecimal, jsonBody, jsonNumber } from '../json-body.ts';
import type { BuildRequest, Unsendable } from '../platform.ts';
import { invalid, moneyFault, nameFault, personFault } from '../unsendable.ts';
import type { AmazonCredentials } from './credentials.ts';
import { AMAZON_CURRENCIES } from './currencies.ts';
import { AMAZON_EVENT_NAMES } from './event-names.ts';
import { isMatchable, matchKeys } from './user-data.ts';

export const AMAZON_HOSTS = {
  NA: 'advertising-api.amazon.com',
  EU: 'advertising-api-eu.amazon.com',
  FE: 'advertising-api-fe.amazon.com',
} as const satisfies Record<AmazonCredentials['region'], string>;

const USER_AGENT_MAX_CHARS = 512;
const UNITS_MAX = 2_147_483_647;

/** Null when Amazon would take the event as far as one can tell without asking. Strict once credentials are given. */
export function amazonUnsendable(event: NormalizedEvent, credentials?: AmazonCredentials): Unsendable | null {
  const hasConsent = credentials?.region !== 'EU' || consent(event) !== undefined;
  return (
    nameFault(AMAZON_EVENT_NAMES[event.name], event) ??
    amountFault(event) ??
    personFault(isMatchable(event, credentials !== undefined)) ??
    (hasConsent ? null : invalid('consent'))
  );
}

/** Amazon keeps two decimals: an amount of three would arrive as another one. */
function amountFault(event: NormalizedEvent): Unsendable | null {
  const { name, value, currency = '' } = event;
  if (value === undefined) return null;
  if (isDecimal(value) && decimals(value) > DECIMALS_MAX) return invalid('value');
  const isUnknown = name === 'Purchase' && !AMAZON_CURRENCIES.has(currency);
  return moneyFault(event) ?? (isUnknown ? invalid('currency') : null);
}

const DECIMALS_MAX = 2;

const decimals = (value: string): number => value.split('.')[1]?.replace(/0+$/, '').length ?? 0;

export const amazonRequest: BuildRequest<AmazonCredentials> = (events, credentials, context) => {
  if (context.test) throw new RangeError('Amazon has no test mode: a test would be counted');
  const { accessToken } = context;
  if (accessToken === undefined) throw new RangeError('a request needs an access token');
  return {
    method: 'POST',
    url: `https://${AMAZON_HOSTS[credentials.region]}/adsApi/v1/create/events`,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${accessToken}`,
      'amazon-ads-clientid': credentials.client_id,
      'amazon-ads-accountid': credentials.account_id,
    },
    body: jsonBody({ events: events.map((event) => conversion(event, credentials)) }),
    secrets: [accessToken],
  };
};

/** https://advertising.amazon.com/API/docs/en-us/amazon-ads/1-0/betas#tag/Events */
function conversion(event: NormalizedEvent, credentials: AmazonCredentials): Fields {
  const isPurchase = event.name === 'Purchase';
  return {
    eventDescription: {
      name: event.customName ?? event.name,
      conversionType: AMAZON_EVENT_NAMES[event.name],
      eventSource: eventSource(event),
      eventIngestionMethod: 'SERVER_TO_SERVER',
      dataSetName: credentials.data_set_name,
    },
    eventId: event.dedupId,
    eventTime: new Date(event.eventTimeSec * 1_000).toISOString(),
    countryCode: event.plaintext.country ?? credentials.country_code,
    matchKeys: matchKeys(event),
    value: jsonNumber(event.value),
    // Only purchases are money at Amazon: of the others the value is a number on a scale of one's own.
    ...(isPurchase ? { currencyCode: currencyOf(event), unitsSold: unitsSold(event) } : {}),
    consent: consent(event),
    dataProcessingOptions:
      event.consent.ad_personalization === 'denied' ? { options: 'LIMITED_DATA_USE' } : undefined,
    deviceInfo: { userAgent: event.raw.userAgent?.slice(0, USER_AGENT_MAX_CHARS).toWellFormed() },
    customData: customData(event),
  };
}

const currencyOf = (event: NormalizedEvent): string | undefined =>
  event.value === undefined ? undefined : event.currency;

/** Part of what identifies an event at Amazon. An app on a device of unknown kind counts as a site. */
function eventSource(event: NormalizedEvent): string {
  const { actionSource, raw } = event;
  if (actionSource === 'physical_store' || actionSource === 'phone_call') return 'OFFLINE';
  if (actionSource !== 'app') return 'WEBSITE';
  if (/\bAFT[A-Z]|Fire TV/.test(raw.userAgent ?? '')) return 'FIRE_TV';
  return deviceKind(event)?.toUpperCase() ?? 'WEBSITE';
}

/** In the EU Amazon asks for a statement, or for the address to find out whether it needs one. */
function consent({ consent: given, raw }: NormalizedEvent): Fields | undefined {
  if (given.ad_user_data !== undefined)
    return {
      amazonConsent: {
        amznUserData: given.ad_user_data.toUpperCase(),
        amznAdStorage: given.ad_storage?.toUpperCase(),
      },
    };
  return raw.clientIp === undefined ? undefined : { geo: { ipAddress: raw.clientIp } };
}

/** Whole pieces only; left out otherwise, as Amazon then assumes one. */
function unitsSold({ items }: NormalizedEvent): number | undefined {
  let units = 0;
  for (const { quantity } of items) {
    if (!/^[1-9]\d{0,9}$/.test(quantity)) return undefined;
    units += Number(quantity);
  }
  return units > 0 && units <= UNITS_MAX ? units : undefined;
}

const CUSTOM_DATA_MAX = 13;
const ATTRIBUTE = /^[A-Za-z0-9_]{1,256}$/;

/** The order and the merchant's own properties, as far as Amazon has signs for them: letters, digits, underscore. */
function customData({ orderId, customData: custom }: NormalizedEvent): readonly unknown[] {
  const own = orderId === undefined ? {} : { order_id: orderId };
  const attributes: unknown[] = [];
  for (const [name, value] of Object.entries({ ...own, ...custom, ...own })) {
    const text = scalarText(value);
    if (text === undefined || !ATTRIBUTE.test(name) || !ATTRIBUTE.test(text)) continue;
    attributes.push({ name, dataType: Number.isInteger(value) ? 'INTEGER' : 'STRING', value: text });
    if (attributes.length === CUSTOM_DATA_MAX) break;
  }
  return attributes;
}

/** Amazon's integers have 32 bits; a minus sign it does not take. */
function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= UNITS_MAX
    ? String(value)
    : undefined;
}
