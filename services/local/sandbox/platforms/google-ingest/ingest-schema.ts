// The part of the Data Manager API's schema that conversions of Google Ads and events of Google Analytics have, transcribed from
// https://github.com/googleapis/googleapis/tree/f8291d2/google/ads/datamanager/v1 (Apache-2.0; ingestion_service, destination, event,
// user_data, user_properties, cart_data, item_parameter, device_info, consent), and a check of a JSON body against it as Google's JSON parser makes it:
// unknown names, wrong types and unknown enum values are refused.
import { all, record } from '../reading.ts';

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
    ...all('ProductAccount', 'loginAccount linkedAccount'),
    operatingAccount: 'ProductAccount!',
    productDestinationId: 'string!',
  },
  ProductAccount: { accountId: 'string!', accountType: 'AccountType!' },
  Event: {
    ...all('string', 'transactionId currency eventName clientId userId appInstanceId'),
    destinationReferences: '[string]',
    eventTimestamp: 'timestamp!',
    lastUpdatedTimestamp: 'timestamp',
    userData: 'UserData',
    consent: 'Consent',
    adIdentifiers: 'AdIdentifiers',
    ...all('double', 'conversionValue conversionCount'),
    eventSource: 'EventSource',
    eventDeviceInfo: 'DeviceInfo',
    eventLocation: 'EventLocation',
    userProperties: 'UserProperties',
    additionalEventParameters: '[Parameter]',
    cartData: 'CartData',
  },
  /** `EventParameter` and `ItemParameter` alike. */
  Parameter: all('string!', 'parameterName value'),
  EventLocation: all('string', 'storeId city subdivisionCode regionCode subcontinentCode continentCode'),
  UserProperties: {
    customerType: 'CustomerType',
    customerValueBucket: 'CustomerValueBucket',
    additionalUserProperties: '[UserProperty]',
  },
  UserProperty: all('string!', 'propertyName value'),
  UserData: { userIdentifiers: '[UserIdentifier]!' },
  UserIdentifier: { ...all('string', 'emailAddress phoneNumber'), address: 'AddressInfo' },
  AddressInfo: {
    ...all('string!', 'givenName familyName regionCode postalCode'),
    ...all('string', 'addressLine city administrativeArea'),
  },
  AdIdentifiers: {
    ...all('string', 'sessionAttributes gclid gbraid wbraid mobileDeviceId dclid impressionId matchId'),
    landingPageDeviceInfo: 'DeviceInfo',
  },
  DeviceInfo: {
    ...all('string', 'userAgent ipAddress category languageCode operatingSystem operatingSystemVersion'),
    ...all('string', 'model brand browser browserVersion'),
    ...all('int32', 'screenHeight screenWidth'),
  },
  CartData: {
    ...all('string', 'merchantId merchantFeedLabel merchantFeedLanguageCode'),
    transactionDiscount: 'double',
    items: '[Item]',
    couponCodes: '[string]',
  },
  Item: {
    ...all('string', 'merchantProductId itemId merchantId merchantFeedLabel merchantFeedLanguageCode'),
    additionalItemParameters: '[Parameter]',
    quantity: 'int64',
    ...all('double', 'unitPrice conversionValue'),
  },
  Consent: all('ConsentStatus', 'adUserData adPersonalization'),
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
  CustomerType: ['CUSTOMER_TYPE_UNSPECIFIED', 'NEW', 'RETURNING', 'REENGAGED'],
  CustomerValueBucket: ['CUSTOMER_VALUE_BUCKET_UNSPECIFIED', 'LOW', 'MEDIUM', 'HIGH'],
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
  return SCALARS[type]?.(part) ? [] : [wrong(path, `must be ${type}`)];
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

const isWhole = (part: unknown): boolean =>
  Number.isSafeInteger(part) || (typeof part === 'string' && /^-?\d{1,19}$/.test(part));

const SCALARS: Readonly<Record<string, (part: unknown) => boolean>> = {
  string: (part) => typeof part === 'string',
  bool: (part) => typeof part === 'boolean',
  double: Number.isFinite,
  int32: isWhole,
  int64: isWhole,
  timestamp: (part) => typeof part === 'string' && RFC_3339.test(part) && !Number.isNaN(Date.parse(part)),
};

const isEmpty = (part: unknown): boolean =>
  part === undefined || part === null || part === '' || (Array.isArray(part) && part.length === 0);

const violation = (field: string, reason: Violation['reason'], description: string): Violation => ({
  field,
  reason,
  description,
});

const wrong = (field: string, description: string): Violation =>
  violation(field, 'INVALID_FORMAT', description);
