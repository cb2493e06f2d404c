// An order through one of Segment's actions: their own validation, mapping and code, up to the request. Nothing leaves the
// process: their one door to the network is replaced by one that keeps the body and answers.
import { createRequire } from 'node:module';
import type { Order } from './order.ts';
import type { Built } from './our-request.ts';

const require = createRequire(new URL('./package.json', import.meta.url));

interface Integration {
  testAction(name: string, run: Readonly<Record<string, unknown>>): Promise<unknown>;
}

interface Definition {
  readonly actions: Readonly<
    Record<string, { readonly fields: Readonly<Record<string, { readonly default?: unknown }>> }>
  >;
  readonly presets?: readonly {
    readonly name: string;
    readonly mapping: Readonly<Record<string, unknown>>;
  }[];
}

/** In the folder, since the package lets nobody name its parts. */
const CORE = new URL('./node_modules/@segment/actions-core/dist/cjs/', import.meta.url).pathname;

interface FetchDoor {
  default: (request: { text(): Promise<string> }) => Promise<Response>;
}

const door = require(`${CORE}fetch.js`) as FetchDoor;
let status = 200;
let bodies: string[] = [];
door.default = async (request) => {
  bodies.push(await request.text());
  return new Response('{}', { status, headers: { 'content-type': 'application/json' } });
};

const { createTestIntegration } = require('@segment/actions-core') as {
  readonly createTestIntegration: (definition: Definition) => Integration;
};

export interface Action {
  /** Folder of the destination in their package. */
  readonly destination: string;
  readonly action: string;
  /** Name of the preset whose mapping is used; without one the defaults of the fields are. */
  readonly preset?: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** What a merchant adds to the preset: fields it does not map, taken from the order. */
  readonly mapping: (order: Order) => Readonly<Record<string, unknown>>;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly status?: number;
}

/** One action, ready to run. @returns the bodies of its requests, parsed; or the reason of its refusal */
export function segmentAction(
  given: Action,
): (order: Order) => Promise<readonly unknown[] | { readonly refused: string }> {
  const { default: definition } = require(
    `@segment/action-destinations/dist/destinations/${given.destination}/index.js`,
  ) as { readonly default: Definition };
  const integration = createTestIntegration(definition);
  const fields = definition.actions[given.action]?.fields ?? {};
  const preset = definition.presets?.find(({ name }) => name === given.preset)?.mapping;
  if (given.preset !== undefined && preset === undefined) throw new Error(`no preset ${given.preset}`);
  const base =
    preset ?? Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.default]));
  return async (order) => {
    bodies = [];
    status = given.status ?? 200;
    try {
      await integration.testAction(given.action, {
        event: segmentEvent(order),
        settings: given.settings,
        mapping: merged(base, given.mapping(order)),
        auth: { accessToken: 'token', refreshToken: 'token' },
        ...given.extra,
      });
    } catch (error) {
      return { refused: error instanceof Error ? error.message : String(error) };
    }
    if (bodies.length === 0) return { refused: 'no request' };
    return bodies.map((body) => JSON.parse(body) as unknown);
  };
}

/** The one body of an action that makes one request. */
export async function single(
  run: Promise<readonly unknown[] | { readonly refused: string }>,
): Promise<Built> {
  const result = await run;
  return 'refused' in result ? result : { body: result[0] };
}

type Mapping = Readonly<Record<string, unknown>>;
const isPlain = (value: unknown): value is Mapping =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !Object.keys(value).some((k) => k.startsWith('@'));

function merged(base: Mapping, over: Mapping): Mapping {
  const out: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = out[key];
    out[key] = isPlain(below) && isPlain(value) ? merged(below, value) : value;
  }
  return out;
}

/** The order as Segment's own specification writes one. https://segment.com/docs/connections/spec/ecommerce/v2/#order-completed */
function segmentEvent({ body }: Order): Readonly<Record<string, unknown>> {
  const who = body.user_data;
  const address = present({
    city: who.city,
    state: who.state,
    postalCode: who.zip,
    postal_code: who.zip,
    country: who.country,
  });
  const traits = present({
    email: who.email,
    phone: who.phone,
    firstName: who.first_name,
    first_name: who.first_name,
    lastName: who.last_name,
    last_name: who.last_name,
    gender: who.gender,
    birthday: who.date_of_birth,
    address,
    // Some presets look for the address among the traits themselves.
    city: who.city,
    state: who.state,
    postalCode: who.zip,
  });
  return {
    type: 'track',
    event: 'Order Completed',
    messageId: body.event_id,
    timestamp: new Date(body.event_time * 1_000).toISOString(),
    userId: who.customer_id ?? undefined,
    anonymousId: undefined,
    traits,
    context: present({
      ip: who.client_ip,
      userAgent: who.user_agent,
      page: present({ url: body.event_source_url, referrer: body.referrer_url }),
      device: present({ advertisingId: who.madid }),
      traits,
    }),
    properties: present({
      order_id: body.order_id,
      value: body.value,
      revenue: body.value,
      total: body.value,
      currency: body.currency,
      products: (body.items ?? []).map(({ id, quantity, price }) =>
        present({ id, product_id: id, quantity, price }),
      ),
      ...who.browser_ids,
    }),
  };
}

/** Without what is null or undefined. */
export function present<T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(value).filter(([, part]) => part !== undefined && part !== null),
  ) as { [K in keyof T]?: NonNullable<T[K]> };
}
