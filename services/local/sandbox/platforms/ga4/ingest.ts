// A stand-in for events of Google Analytics at datamanager.googleapis.com/v1/events:ingest. What it refuses is from
// https://developers.google.com/data-manager/api/devguides/events/analytics/measurement-protocol/upgrade/field-mappings,
// https://developers.google.com/data-manager/api/reference/analytics/recommended-events and error.proto (read 2026-11-27); the length of
// values, the form of the client id and how an unknown stream is worded are as a shop met them in production
// (github.com/utekos-brand/utekos-headless at 1be2ef2, DEPLOYMENT.md).

import { defineSandbox } from '../define-sandbox.ts';
import { dataManagerSandbox, eventRefusals, type Refusal } from '../google-ingest/sandbox.ts';
import type { SandboxRequest } from '../platform-sandbox.ts';
import { type Fields, listOf, parse, record, recordsOf } from '../reading.ts';
import { isReservedName, isWellNamed } from './names.ts';

const PRODUCT = 'sandbox.ga';
const ACCOUNT_TYPE = 'GOOGLE_ANALYTICS_PROPERTY';
const AGE_MAX_MS = 72 * 3_600_000;
const PARAMETERS_MAX = 25;
const ITEM_PARAMETERS_MAX = 24;
const VALUE_MAX_CHARS = 100;
const WEB_STREAM = /^G-[A-Z0-9]+$/;
const APP_STREAM = /^\d+:\d+:(?:ios|android):[0-9a-f]+$/;
/** They have fields of their own. */
const NO_PARAMETERS: ReadonlySet<unknown> = new Set(['transaction_id', 'currency', 'value', 'items']);

export const dataManager = defineSandbox<readonly Refusal[]>({
  ...dataManagerSandbox(PRODUCT, destinationRefusals),
  slug: 'ga4',
  dedupeWindowSec: 0,
  claims,
  login: ['property_id', 'refresh_token'],
  seen: {
    name: 'eventName',
    id: ({ additionalEventParameters }) =>
      recordsOf(additionalEventParameters).find(({ parameterName }) => parameterName === 'event_id')?.value,
    value: 'conversionValue',
    currency: 'currency',
    // Nothing but purchases is deduplicated, by their transaction.
    key: ({ transactionId }, { account, eventName }) =>
      eventName === 'purchase' ? [account, eventName, transactionId] : undefined,
  },
  refusalOf: (event, call, index) =>
    eventRefusals(event, call, `events[${index}]`, AGE_MAX_MS, (refuse) => {
      const [destination = {}, another] = destinationsOf(event, call.body);
      if (another !== undefined)
        refuse('destination_references', 'MULTIPLE_DESTINATIONS_FOR_GOOGLE_ANALYTICS_EVENT', 'Two streams.');
      nameRefusals(event, refuse);
      deviceRefusals(event, APP_STREAM.test(String(destination.productDestinationId)), refuse);
      parameterRefusals(
        event.additionalEventParameters,
        'additional_event_parameters',
        PARAMETERS_MAX,
        refuse,
      );
      moneyRefusals(event, refuse);
      recordsOf(record(event.cartData)?.items).forEach((item, position) => {
        const at = `cart_data.items[${position}]`;
        for (const [field, name] of Object.entries(ITEM_FIELDS))
          if (item[field] === undefined)
            refuse(`${at}.${name}`, 'REQUIRED_FIELD_MISSING', `${name} is required.`);
        parameterRefusals(
          item.additionalItemParameters,
          `${at}.additional_item_parameters`,
          ITEM_PARAMETERS_MAX,
          refuse,
        );
      });
    }),
});

const ITEM_FIELDS = { itemId: 'item_id', quantity: 'quantity', unitPrice: 'unit_price' };

type Refuse = (field: string, reason: string, description: string) => void;

/** Of Google's hosts it has those requests that are for a property; a token may be for any. */
function claims({ path, body, query }: SandboxRequest): boolean | undefined {
  if (path === '/v1/requestStatus:retrieve') return query.requestId?.startsWith(`${PRODUCT}-`) === true;
  if (path !== '/v1/events:ingest') return undefined;
  const [destination] = recordsOf(parse(body)?.destinations);
  return record(destination?.operatingAccount)?.accountType === ACCOUNT_TYPE;
}

function destinationsOf({ destinationReferences }: Fields, { destinations }: Fields): readonly Fields[] {
  const references = listOf(destinationReferences);
  const all = recordsOf(destinations);
  return references.length === 0 ? all : all.filter(({ reference }) => references.includes(reference));
}

function destinationRefusals(destinations: readonly Fields[]): readonly Refusal[] {
  return destinations.flatMap(({ operatingAccount, loginAccount, productDestinationId }) => {
    const [operating, login] = [record(operatingAccount), record(loginAccount)];
    const id = String(productDestinationId);
    return [
      ...(operating?.accountType === ACCOUNT_TYPE
        ? []
        : [refusal('destinations.operating_account', 'DESTINATION_ACCOUNT_TYPE_MISMATCH', 'No property.')]),
      ...(login?.accountType === ACCOUNT_TYPE && login.accountId === operating?.accountId
        ? []
        : [
            refusal(
              'destinations.login_account',
              'OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH',
              'Must be the same.',
            ),
          ]),
      ...(WEB_STREAM.test(id) || APP_STREAM.test(id)
        ? []
        : [refusal('destinations.product_destination_id', 'NOT_FOUND', 'Resource not found.')]),
    ];
  });
}

const refusal = (field: string, reason: string, description: string): Refusal => ({
  field,
  reason,
  description,
});

function nameRefusals({ eventName }: Fields, refuse: Refuse): void {
  const name = String(eventName ?? '');
  if (name === '') refuse('event_name', 'REQUIRED_FIELD_MISSING', 'Required field is missing.');
  else if (isReservedName(name) || !isWellNamed(name))
    refuse('event_name', 'INVALID_EVENT_NAME', 'The event name is not supported.');
}

function deviceRefusals(
  { clientId, appInstanceId, eventSource }: Fields,
  isApp: boolean,
  refuse: Refuse,
): void {
  if (clientId !== undefined && appInstanceId !== undefined)
    refuse('client_id', 'BOTH_CLIENT_ID_AND_APP_INSTANCE_ID_NOT_ALLOWED', 'Both are set.');
  if (isApp && appInstanceId === undefined)
    refuse('app_instance_id', 'REQUIRED_FIELD_MISSING', 'Required field is missing.');
  if (!isApp && !/^\d+\.\d+$/.test(String(clientId)))
    refuse(
      'client_id',
      clientId === undefined ? 'REQUIRED_FIELD_MISSING' : 'INVALID_FORMAT',
      'No client id.',
    );
  if (eventSource !== (isApp ? 'APP' : 'WEB'))
    refuse('event_source', 'EVENT_SOURCE_AND_DESTINATION_MISMATCH', 'The stream is of another kind.');
}

function parameterRefusals(given: unknown, field: string, max: number, refuse: Refuse): void {
  const list = recordsOf(given);
  if (list.length > max) refuse(field, 'TOO_MANY_ELEMENTS', `At most ${max}.`);
  list.forEach(({ parameterName, value }, position) => {
    const at = `${field}[${position}]`;
    if (NO_PARAMETERS.has(parameterName) || !isWellNamed(String(parameterName)))
      refuse(`${at}.parameter_name`, 'RESERVED_NAME_USED', 'Parameter uses a reserved name.');
    if ([...String(value)].length > VALUE_MAX_CHARS)
      refuse(`${at}.value`, 'FIELD_VALUE_TOO_LONG', 'Length of the field value is too long.');
  });
}

function moneyRefusals(
  { eventName, transactionId, conversionValue, currency }: Fields,
  refuse: Refuse,
): void {
  const isSale = eventName === 'purchase' || eventName === 'refund';
  if (isSale && transactionId === undefined)
    refuse('transaction_id', 'REQUIRED_FIELD_MISSING', 'Required field is missing.');
  if (isSale && conversionValue === undefined)
    refuse('conversion_value', 'REQUIRED_FIELD_MISSING', 'Required field is missing.');
  if (conversionValue !== undefined && currency === undefined)
    refuse('currency', 'REQUIRED_FIELD_MISSING', 'Required field is missing.');
}
