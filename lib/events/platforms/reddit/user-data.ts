// Which variant of each identifier Reddit takes.

import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { deviceKind } from '../device.ts';
import { storedIds } from '../stored-ids.ts';

/** The value of the cookie `_rdt_uuid`: milliseconds, a point, a UUID. Reddit refuses the request for anything else. */
const RDT_UUID = /^(?:\d{1,16}\.)?[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * E-mail, phone (with plus) and external id hashed, the rest as it is. A sale in a shop has no device: Reddit wants
 * nothing of one there. https://ads-api.reddit.com/docs/v3/ (Direct Integration, Match keys)
 */
export function redditUser(event: NormalizedEvent): Fields {
  const { hashed, raw } = event;
  const person = {
    email: hashed.emailReddit,
    phone_number: hashed.phoneE164,
    external_id: hashed.externalIdsCased?.[0],
  };
  if (event.actionSource === 'physical_store') return person;
  const uuid = storedIds(event).browserIds?.rdt_uuid;
  return {
    ...person,
    ...advertisingId(event),
    ip_address: raw.clientIp,
    user_agent: raw.userAgent,
    uuid: uuid !== undefined && RDT_UUID.test(uuid) ? uuid : undefined,
  };
}

/** Reddit's click id; it belongs to the event, not to the user. */
export function redditClickId(event: NormalizedEvent): string | undefined {
  return event.actionSource === 'physical_store' ? undefined : storedIds(event).browserIds?.rdt_cid;
}

/** True when Reddit can try to match a person. */
export function isMatchable(user: Fields, clickId: unknown): boolean {
  if (clickId !== undefined) return true;
  const alone = ['email', 'phone_number', 'external_id', 'uuid', 'idfa', 'aaid'];
  if (alone.some((key) => user[key] !== undefined)) return true;
  return user.ip_address !== undefined && user.user_agent !== undefined;
}

/**
 * Reddit keeps the two kinds apart and hashes Apple's in capitals, of which there is no digest here: it goes as it is.
 * Without a word of the kind there is none.
 */
function advertisingId(event: NormalizedEvent): Fields {
  const { madid, madidHashed } = storedIds(event);
  const kind = deviceKind(event);
  if (kind === 'android') return { aaid: madidHashed };
  return kind === 'ios' ? { idfa: madid?.toUpperCase() } : {};
}
