// The part of the Data Manager API's schema this integration writes, transcribed from
// https://github.com/googleapis/googleapis/tree/f8291d2/google/ads/datamanager/v1 (Apache-2.0; ingestion_service, destination, event,
// user_data, cart_data, device_info, consent), and a check of a JSON body against it as Google's JSON parser makes it:
// unknown names, wrong types and unknown enum values are refused.
import { record } from '../reading.ts';

/** Message → field in JSON spelling → type. `[X]` is repeated; `!` marks a required field. Left out: what is never sent. */
const MESSAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  IngestEventsRequest: {
    destinations: '[Destination]!',
    events: '[Event]!',
    consent: 'Consent',
    validateOnly: 'bool',
    encoding: 'Encoding',
  },
  Destination: {
    reference: 'string',
    loginAccount: 'ProductAccount',
    linkedAccount: 'ProductAccount',
    operatingAccount: 'ProductAccount!',
    productDestinationId: 'string!',
  },
  ProductAccount: { accountId: 'string!', accountType: 'AccountType!' },
  Event: {
    destinationReferences: '[string]',
    transactionId: 'string',
    eventTimestamp: 'timestamp!',
    lastUpdatedTimestamp: 'timestamp',
    userData: 'UserData',
    consent: 'Consent',
    adIdentifiers: 'AdIdentifiers',
    currency: 'string',
    conversionValue: 'double',
    conversionCount: 'double',
    eventSource: 'EventSource',
    eventDeviceInfo: 'DeviceInfo',
    cartData: 'CartData',
    eventName: 'string',
    clientId: 'string',
    userId: 'string',
    appInstanceId: 'string',
  },
  UserData: { userIdentifiers: '[UserIdentifier]!' },
  UserIdentifier: { emailAddress: 'string', phoneNumber: 'string', address: 'AddressInfo' },
  AddressInfo: {
    givenName: 'string!',
    familyName: 'string!',
    regionCode: 'string!',
    postalCode: 'string!',
    addressLine: 'string',
    city: 'string',
    administrativeArea: 'string',
  },
  AdIdentifiers: {
    sessionAttributes: 'string',
    gclid: 'string',
    gbraid: 'string',
    wbraid: 'string',
    landingPageDeviceInfo: 'DeviceInfo',
    mobileDeviceId: 'string',
    dclid: 'string',
    impressionId: 'string',
    matchId: 'string',
  },
  DeviceInfo: {
    userAgent: 'string',
    ipAddress: 'string',
    category: 'string',
    languageCode: 'string',
    screenHeight: 'int32',
    screenWidth: 'int32',
    operatingSystem: 'string',
    operatingSystemVersion: 'string',
    model: 'string',
    brand: 'string',
    browser: 'string',
    browserVersion: 'string',
  },
  CartData: {
    merchantId: 'string',
    merchantFeedLabel: 'string',
    merchantFeedLanguageCode: 'string',
    transactionDiscount: 'double',
    items: '[Item]',
    couponCodes: '[string]',
  },
  Item: {
    merchantProductId: 'string',
    quantity: 'int64',
    unitPrice: 'double',
    itemId: 'string',
    merchantId: 'string',
    merchantFeedLabel: 'string',
    merchantFeedLanguageCode: 'string',
    conversionValue: 'double',
  },
  Consent: { adUserData: 'ConsentStatus', adPersonalization: 'ConsentStatus' },
};

const ENUMS: Readonly<Record<string, readonly string[]>> = {
  Encoding: ['ENCODING_UNSPECIFIED', 'HEX', 'BASE64'],
  AccountType: [
    'ACCOUNT_TYPE_UNSPECIFIED',
    'GOOGLE_ADS',
    'DISPLAY_VIDEO_PARTNER',
    'DISPLAY_VIDEO_ADVERTISER',
    'DATA_PARTNER',
    'GOOGLE_ANALYTICS_PROPERTY',
    'GOOGLE_AD_MANAGER_AUDIENCE_LINK',
    'FLOODLIGHT_CONFIG',
  ],
  EventSource: ['EVENT_SOURCE_UNSPECIFIED', 'WEB', 'APP', 'IN_STORE', 'PHONE', 'MESSAGE', 'OTHER'],
  ConsentStatus: ['CONSENT_STATUS_UNSPECIFIED', 'CONSENT_GRANTED', 'CONSENT_DENIED'],
};

export interface Violation {
  /** As `google.rpc.BadRequest.FieldViolation.field` has it: `events[0].consent`. */
  readonly field: string;
  readonly reason: 'INVALID_FORMAT' | 'INVALID_ENUM_VALUE' | 'REQUIRED_FIELD_MISSING' | 'UNKNOWN_FIELD';
  readonly description: string;
}

/** Everything in `value` that is not as the message has it. */
export function violationsOf(value: unknown, message: string, path = ''): readonly Violation[] {
  const schema = MESSAGES[message];
  const fields = record(value);
  if (schema === undefined || fields === undefined) return [wrong(path, `must be a ${message}`)];
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const unknown = Object.keys(fields).filter((name) => schema[name] === undefined);
  const missing = Object.keys(schema).filter((name) => schema[name]?.endsWith('!') && isEmpty(fields[name]));
  return [
    ...unknown.map((name) =>
      violation(at(name), 'UNKNOWN_FIELD', `Unknown name "${name}": Cannot find field.`),
    ),
    ...missing.map((name) => violation(at(name), 'REQUIRED_FIELD_MISSING', 'Required field is missing.')),
    ...Object.entries(fields).flatMap(([name, part]) => {
      const type = schema[name]?.replace('!', '');
      return type === undefined ? [] : partViolations(part, type, at(name));
    }),
  ];
}

function partViolations(part: unknown, type: string, path: string): readonly Violation[] {
  if (type.startsWith('[')) {
    if (!Array.isArray(part)) return [wrong(path, 'must be a list')];
    return part.flatMap((item, index) => partViolations(item, type.slice(1, -1), `${path}[${index}]`));
  }
  if (type in MESSAGES) return violationsOf(part, type, path);
  const values = ENUMS[type];
  if (values !== undefined)
    return values.includes(part as string) ? [] : [violation(path, 'INVALID_ENUM_VALUE', `no ${type}`)];
  return isOf(part, type) ? [] : [wrong(path, `must be ${type}`)];
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

function isOf(part: unknown, type: string): boolean {
  switch (type) {
    case 'string':
      return typeof part === 'string';
    case 'bool':
      return typeof part === 'boolean';
    case 'double':
      return typeof part === 'number' && Number.isFinite(part);
    case 'int32':
    case 'int64':
      return Number.isSafeInteger(part) || (typeof part === 'string' && /^-?\d{1,19}$/.test(part));
    case 'timestamp':
      return typeof part === 'string' && RFC_3339.test(part) && !Number.isNaN(Date.parse(part));
    default:
      return false;
  }
}

const isEmpty = (part: unknown): boolean =>
  part === undefined || part === null || part === '' || (Array.isArray(part) && part.length === 0);

const violation = (field: string, reason: Violation['reason'], description: string): Violation => ({
  field,
  reason,
  description,
});

const wrong = (field: string, description: string): Violation =>
  violation(field, 'INVALID_FORMAT', description);
