// What the stand-in for Klaviyo checks in an event and its profile. Fields and types are those of Klaviyo's OpenAPI
// document, revision 2026-07-15; limits are those its descriptions state.
import { type Fields, isCurrency, record } from '../reading.ts';

/** A fault and where it is. */
export interface Pointed {
  readonly pointer: string;
  readonly detail: string;
}

export const pointed = (pointer: string, detail: string): Pointed => ({ pointer, detail });

const EVENT_FIELDS = 'properties time value value_currency unique_id backfill metric'.split(' ');
const PROFILE_FIELDS = [
  ...'email phone_number external_id anonymous_id _kx first_name last_name organization locale title'.split(
    ' ',
  ),
  ...'image location properties meta'.split(' '),
];
const LOCATION_FIELDS = 'address1 address2 city country latitude longitude region zip timezone ip'.split(' ');
const IDENTIFIERS = ['email', 'phone_number', 'external_id', 'anonymous_id', '_kx'];

const PROPERTIES_MAX = 400;
const TEXT_MAX_BYTES = 100_000;
const METRIC_NAME_MAX_CHARS = 127;
const OLDEST_MS = Date.UTC(1990, 0, 1);
const FUTURE_MAX_MS = 366 * 86_400_000;

/** Which profile these attributes mean. */
export function identifierOf(profile: Fields): string {
  const key = IDENTIFIERS.find((name) => typeof profile[name] === 'string');
  return key === undefined ? '' : `${key} ${String(profile[key])}`;
}

/** Null when the profile can be found or made. */
export function profileComplaint(profile: Fields, pointer: string): Pointed | null {
  const unknown = unknownField(profile, PROFILE_FIELDS, pointer, 'profile');
  if (unknown !== null) return unknown;
  if (identifierOf(profile) === '') return pointed(pointer, 'At least one profile identifier is required.');
  const { email, phone_number: phone, location } = profile;
  if (email !== undefined && !(typeof email === 'string' && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)))
    return pointed(`${pointer}/email`, 'Invalid email address.');
  if (phone !== undefined && !(typeof phone === 'string' && /^\+[1-9]\d{6,14}$/.test(phone)))
    return pointed(`${pointer}/phone_number`, 'Invalid phone number format.');
  for (const key of [...IDENTIFIERS, 'first_name', 'last_name'])
    if (profile[key] !== undefined && typeof profile[key] !== 'string')
      return pointed(`${pointer}/${key}`, 'Not a valid string.');
  return location === undefined
    ? null
    : unknownField(record(location) ?? { '': 0 }, LOCATION_FIELDS, `${pointer}/location`, 'location');
}

/** Null when the event is valid. `single`: it carries its profile itself. */
export function eventComplaint(
  event: unknown,
  pointer: string,
  single: boolean,
  nowMs: number,
): Pointed | null {
  const { type, attributes } = record(event) ?? {};
  const fields = record(attributes);
  if (type !== 'event' || fields === undefined) return pointed(pointer, "'event' is expected.");
  const unknown = unknownField(
    fields,
    single ? [...EVENT_FIELDS, 'profile'] : EVENT_FIELDS,
    pointer,
    'event',
  );
  if (unknown !== null) return unknown;
  const metric = record(record(fields.metric)?.data);
  const name = record(metric?.attributes)?.name;
  if (
    metric?.type !== 'metric' ||
    typeof name !== 'string' ||
    name === '' ||
    name.length > METRIC_NAME_MAX_CHARS
  )
    return pointed(
      `${pointer}/metric/data/attributes/name`,
      'A name of less than 128 characters is required.',
    );
  const { unique_id: uniqueId, backfill } = fields;
  if (uniqueId !== undefined && typeof uniqueId !== 'string')
    return pointed(`${pointer}/unique_id`, 'Not a valid string.');
  if (backfill !== undefined && typeof backfill !== 'boolean')
    return pointed(`${pointer}/backfill`, 'Not a valid boolean.');
  return (
    propertiesComplaint(fields.properties, `${pointer}/properties`) ??
    timeComplaint(fields.time, `${pointer}/time`, nowMs) ??
    moneyComplaint(fields, pointer)
  );
}

function propertiesComplaint(properties: unknown, pointer: string): Pointed | null {
  const fields = record(properties);
  if (fields === undefined) return pointed(pointer, 'properties is a required field.');
  if (Object.keys(fields).length > PROPERTIES_MAX)
    return pointed(pointer, `More than ${PROPERTIES_MAX} properties.`);
  const long = Object.values(fields).some(
    (value) => typeof value === 'string' && Buffer.byteLength(value) > TEXT_MAX_BYTES,
  );
  return long ? pointed(pointer, 'A string is larger than 100 KB.') : null;
}

function timeComplaint(time: unknown, pointer: string, nowMs: number): Pointed | null {
  if (time === undefined) return null;
  const ms = typeof time === 'string' && /^\d{4}-\d\d-\d\dT/.test(time) ? Date.parse(time) : Number.NaN;
  if (Number.isNaN(ms)) return pointed(pointer, 'Not a valid datetime.');
  if (ms < OLDEST_MS) return pointed(pointer, 'The time is older than the year 1990.');
  return ms - nowMs > FUTURE_MAX_MS ? pointed(pointer, 'The time is more than a year ahead.') : null;
}

function moneyComplaint({ value, value_currency: currency }: Fields, pointer: string): Pointed | null {
  if (value !== undefined && typeof value !== 'number')
    return pointed(`${pointer}/value`, 'Not a valid number.');
  if (currency === undefined) return null;
  return isCurrency(currency) ? null : pointed(`${pointer}/value_currency`, 'Not a valid ISO 4217 code.');
}

function unknownField(
  fields: Fields,
  known: readonly string[],
  pointer: string,
  resource: string,
): Pointed | null {
  const field = Object.keys(fields).find((key) => !known.includes(key));
  return field === undefined
    ? null
    : pointed(`${pointer}/${field}`, `'${field}' is not a valid field for the resource '${resource}'.`);
}
