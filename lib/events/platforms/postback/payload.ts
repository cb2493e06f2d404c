// One event into the request that the network's recipe describes. Amounts keep their digits.
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import { compact, jsonBody } from '../json-body.ts';
import type { BuildRequest, FindFault, Unsendable } from '../platform.ts';
import { storedIds } from '../stored-ids.ts';
import { eventIdFault, invalid, moneyFault } from '../unsendable.ts';
import type { PostbackCredentials } from './credentials.ts';
import { POSTBACK_EVENT_NAMES } from './event-names.ts';
import type { Recipe } from './recipe.ts';
import { recipeOf } from './recipes.ts';

export const postbackUnsendable: FindFault<PostbackCredentials> = (event, credentials) => {
  const recipe = credentials === undefined ? undefined : recipeOf(credentials);
  const names = recipe === undefined ? undefined : (credentials?.event_ids ?? recipe.names);
  return (
    eventIdFault(event, POSTBACK_EVENT_NAMES, names) ??
    moneyFault(event, recipe?.needsMoney) ??
    (recipe === undefined || credentials === undefined ? null : recipeFault(event, recipe, credentials))
  );
};

/** What only this network refuses, by the field. */
function recipeFault(
  event: NormalizedEvent,
  { clickId, currencies, idMaxChars = Number.POSITIVE_INFINITY }: Recipe,
  credentials: PostbackCredentials,
): Unsendable | null {
  if (storedIds(event).browserIds?.[clickId] === undefined) return invalid(`browser_ids.${clickId}`);
  if (event.value !== undefined && currencies?.has(event.currency ?? '') === false)
    return invalid('currency');
  const id = conversionId(event, credentials);
  return id.length > idMaxChars ? invalid(id === event.dedupId ? 'event_id' : 'order_id') : null;
}

/** An order id that may have been guessed is no order's. */
function conversionId(
  { name, orderId, noOrderDedup, dedupId }: NormalizedEvent,
  { conversion_id }: PostbackCredentials,
): string {
  const isByOrder = conversion_id === 'order_id' && name === 'Purchase' && noOrderDedup !== true;
  return (isByOrder ? orderId : undefined) ?? dedupId;
}

export const isTestable = (credentials: PostbackCredentials): boolean =>
  recipeOf(credentials).takesTests === true;

export const postbackRequest: BuildRequest<PostbackCredentials> = (
  [event, ...others],
  credentials,
  { test },
) => {
  if (event === undefined || others.length > 0) throw new RangeError('a request is for one event');
  if (test && !isTestable(credentials)) throw new RangeError('a test would be counted');
  const recipe = recipeOf(credentials);
  const name = (credentials.event_ids ?? recipe.names)?.[event.name] ?? event.name;
  const clickId = storedIds(event).browserIds?.[recipe.clickId];
  const said = { clickId, name, id: conversionId(event, credentials), event, test };
  const fields = recipe.fields(said, credentials);
  const url = recipe.url(credentials);
  const secrets = [recipe.secret?.(credentials), credentials.api_key].filter((one) => one !== undefined);
  const headers = recipe.headers?.(credentials) ?? {};
  if (recipe.form === 'query')
    return { method: 'GET', url: `${url}?${queryOf(fields)}`, headers, body: '', secrets };
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: jsonBody(fields),
    secrets,
  };
};

/** Without what is empty; a number as its digits. */
const queryOf = (fields: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(compact(fields) ?? {}).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
