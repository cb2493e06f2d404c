// Meta through Meta's own SDK: `ServerEvent.normalize()`. A value the SDK throws at is left out, one by one, as its users do.
import { createRequire } from 'node:module';
import { BUSINESS_SDK_ALLOWANCES, META_IDENTIFIERS } from '../allow-lists/meta.ts';
import type { Comparison } from '../comparison.ts';
import { flatten } from '../fields.ts';
import type { Order } from '../order.ts';
import { peerName } from '../peers.ts';
import { ourMetaEvent } from './meta-request.ts';

const NAME = 'facebook-nodejs-business-sdk';
type Built = Record<string, (...values: never[]) => unknown> & { normalize(): Record<string, unknown> };
type Class = new () => Built;
const sdk = createRequire(new URL('../package.json', import.meta.url))(NAME) as Readonly<
  Record<'UserData' | 'CustomData' | 'Content' | 'ServerEvent', Class>
>;

/** Calls the setters of what is there. */
function filled(type: Class, values: Readonly<Record<string, unknown>>): Built {
  const made = new type();
  for (const [setter, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    const set = made[setter];
    if (set === undefined) throw new Error(`${NAME} has no ${setter}`);
    set.call(made, value as never);
  }
  return made;
}

function normalizes(built: () => Built): boolean {
  try {
    built().normalize();
    return true;
  } catch {
    return false;
  }
}

function userData({ body }: Order): Built {
  const who = body.user_data;
  const integer = (text: string | null | undefined) => (text ? Number(text) : undefined);
  const ids = [who.customer_id, ...(who.external_ids ?? [])].filter((id): id is string => Boolean(id));
  const values = {
    setEmail: who.email,
    setPhone: who.phone,
    setGender: who.gender,
    setDateOfBirth: who.date_of_birth,
    setFirstName: who.first_name,
    setLastName: who.last_name,
    setCity: who.city,
    setState: who.state,
    setZip: who.zip,
    setCountry: who.country,
    setExternalIds: ids.length > 0 ? ids : undefined,
    setClientIpAddress: who.client_ip,
    setClientUserAgent: who.user_agent,
    setFbp: who.browser_ids?.fbp,
    setFbc: who.browser_ids?.fbc,
    setMadid: who.madid,
    setSubscriptionId: who.subscription_id,
    setLeadId: integer(who.lead_id),
    setFbLoginId: integer(who.fb_login_id),
  };
  const taken = Object.entries(values).filter(([setter, value]) =>
    normalizes(() => filled(sdk.UserData, { [setter]: value })),
  );
  return filled(sdk.UserData, Object.fromEntries(taken));
}

function serverEvent(order: Order): Built {
  const { body } = order;
  const items = body.items ?? [];
  const denied = body.consent?.ad_personalization === 'denied';
  return filled(sdk.ServerEvent, {
    setEventName: 'Purchase',
    setEventTime: body.event_time,
    setEventId: body.event_id,
    setActionSource: body.action_source,
    setEventSourceUrl: body.event_source_url,
    setUserData: userData(order),
    setCustomData: filled(sdk.CustomData, {
      setValue: body.value,
      setCurrency: body.currency,
      setOrderId: body.order_id,
      setContentType: items.length > 0 ? 'product' : undefined,
      setContentIds: items.length > 0 ? items.map(({ id }) => id) : undefined,
      setNumItems: items.length > 0 ? items.reduce((sum, { quantity }) => sum + quantity, 0) : undefined,
      setContents:
        items.length > 0
          ? items.map(({ id, quantity, price }) =>
              filled(sdk.Content, { setId: id, setQuantity: quantity, setItemPrice: price }),
            )
          : undefined,
    }),
    ...(denied
      ? {
          setOptOut: true,
          setDataProcessingOptions: ['LDU'],
          setDataProcessingOptionsCountry: 0,
          setDataProcessingOptionsState: 0,
        }
      : {}),
  });
}

export const businessSdkMeta: Comparison = {
  platform: 'meta',
  peer: peerName(NAME),
  ours: ourMetaEvent,
  theirs: (order) => ({ fields: flatten(serverEvent(order).normalize()) }),
  allowances: BUSINESS_SDK_ALLOWANCES,
  identifiers: META_IDENTIFIERS,
};
