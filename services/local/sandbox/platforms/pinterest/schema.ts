// The facts of Pinterest's OpenAPI description (v5.23.0, components ConversionEvents and ConversionEventsUserData) that a
// request can offend: which properties exist, which are required, of which type. Used by the stand-in, not in production.
// https://github.com/pinterest/api-description at c05b189 (MIT)

type Leaf = 'text' | 'texts' | 'integer' | 'flag' | 'object';
type Shape = Leaf | ObjectShape | { readonly listOf: ObjectShape; readonly itemsMax?: number };
interface ObjectShape {
  readonly required: readonly string[];
  /** additionalProperties: false. */
  readonly closed: boolean;
  readonly properties: Readonly<Record<string, Shape>>;
}

const texts = (...keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 'text' as const]));
const lists = (...keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 'texts' as const]));

const CONTENT: ObjectShape = {
  required: [],
  closed: true,
  properties: {
    ...texts('id', 'item_brand', 'item_category', 'item_name', 'item_price'),
    quantity: 'integer',
  },
};

const CUSTOM_DATA: ObjectShape = {
  required: [],
  closed: true,
  properties: {
    ...texts(
      'content_brand',
      'content_category',
      'content_name',
      'currency',
      'external_measurement_id',
      'np',
      'opt_out_type',
      'order_id',
      'predicted_ltv',
      'search_string',
      'value',
    ),
    ...lists('content_ids'),
    contents: { listOf: CONTENT },
    external_measurement_vendor_id: 'integer',
    num_items: 'integer',
  },
};

const USER_DATA: ObjectShape = {
  required: [],
  closed: false,
  properties: {
    ...texts('click_id', 'client_ip_address', 'client_user_agent', 'partner_id'),
    ...lists('em', 'ph', 'ge', 'db', 'fn', 'ln', 'ct', 'st', 'zp', 'country', 'external_id', 'hashed_maids'),
  },
};

const EVENT: ObjectShape = {
  required: ['event_name', 'action_source', 'event_time', 'user_data', 'event_id'],
  closed: true,
  properties: {
    ...texts(
      'action_source',
      'app_id',
      'app_name',
      'app_version',
      'device_brand',
      'device_carrier',
      'device_model',
      'device_type',
      'event_id',
      'event_name',
      'event_source_url',
      'language',
      'os_version',
      'partner_name',
    ),
    app_info: 'object',
    custom_data: CUSTOM_DATA,
    device_info: 'object',
    event_time: 'integer',
    opt_out: 'flag',
    user_data: USER_DATA,
    wifi: 'flag',
  },
};

export const DATA_ITEMS_MAX = 1_000;

const BODY: ObjectShape = {
  required: ['data'],
  closed: false,
  properties: { data: { listOf: EVENT, itemsMax: DATA_ITEMS_MAX } },
};

/** Where the body offends the description, and how; null where it does not. */
export function schemaOffence(body: unknown): string | null {
  return offence(body, BODY, 'body');
}

function offence(value: unknown, shape: Shape, path: string): string | null {
  if (typeof shape === 'string') return isLeaf(value, shape) ? null : `${path} is not of type ${shape}`;
  if ('listOf' in shape) {
    if (!Array.isArray(value) || (shape.itemsMax !== undefined && value.length === 0))
      return `${path} must be a list with something in it`;
    if (value.length > (shape.itemsMax ?? value.length))
      return `${path} holds more than ${shape.itemsMax} items`;
    return first(value.map((item, i) => () => offence(item, shape.listOf, `${path}[${i}]`)));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${path} is not an object`;
  const missing = shape.required.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return `${path}.${missing} is required`;
  return first(
    Object.entries(value).map(([key, part]) => () => {
      const known = Object.hasOwn(shape.properties, key) ? shape.properties[key] : undefined;
      if (known === undefined) return shape.closed ? `${path}.${key} is not allowed` : null;
      return offence(part, known, `${path}.${key}`);
    }),
  );
}

function first(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const found = check();
    if (found !== null) return found;
  }
  return null;
}

function isLeaf(value: unknown, leaf: Leaf): boolean {
  switch (leaf) {
    case 'text':
      return typeof value === 'string';
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'integer':
      return Number.isInteger(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'object':
      return typeof value === 'object' && value !== null;
  }
}
