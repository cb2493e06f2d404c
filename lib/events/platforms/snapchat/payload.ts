// Events into one Conversions API request. Amounts keep their digits; one request carries up to 2,000 events.

import type { ActionSource, NormalizedEvent } from '../../domain/event/normalized-event.ts';
import type { Fields } from '../answer.ts';
import { appDataFault, extinfo, trackingFlag } from '../app-data.ts';
import { ownNameOf } from '../event-name.ts';
import { jsonBody } from '../json-body.ts';
import type { BuildRequest, FindFault } from '../platform.ts';
import { invalid, moneyFault, nameFault, personFault } from '../unsendable.ts';
import { webUrl } from '../web-url.ts';
import type { SnapchatCredentials } from './credentials.ts';
import { snapchatCustomData } from './custom-data.ts';
import { SNAP_OWN_NAMES, SNAPCHAT_EVENT_NAMES, type SnapEvent } from './event-names.ts';
import { isMatchable, snapchatUser } from './user-data.ts';

export const SNAPCHAT_API_VERSION = 'v3';

/** What happened on no page and in no app is an offline event: https://developers.snap.com/api/marketing-api/Conversions-API/OfflineEvents */
const ACTION_SOURCES: Readonly<Record<ActionSource, 'WEB' | 'MOBILE_APP' | 'OFFLINE'>> = {
  website: 'WEB',
  app: 'MOBILE_APP',
  email: 'OFFLINE',
  phone_call: 'OFFLINE',
  chat: 'OFFLINE',
  physical_store: 'OFFLINE',
  system_generated: 'OFFLINE',
  business_messaging: 'OFFLINE',
  other: 'OFFLINE',
};

/** Null when Snap would take the event as far as one can tell without asking. */
export const snapchatUnsendable: FindFault<SnapchatCredentials> = (event, credentials) => {
  const name = snapEvent(event, credentials);
  const isAppless = isOfApp(event) && credentials !== undefined && credentials.snap_app_id === undefined;
  return (
    nameFault(name, event) ??
    moneyFault(event, name === 'PURCHASE') ??
    (isAppless ? invalid('action_source') : null) ??
    appDataFault(event) ??
    personFault(isMatchable(snapchatUser(event)))
  );
};

const isOfApp = ({ actionSource }: NormalizedEvent): boolean => actionSource === 'app';

/** App events go to an endpoint of their own. */
export const snapchatGroupKey = (event: NormalizedEvent): string => (isOfApp(event) ? 'app' : 'pixel');

/** A test goes to the endpoint that validates and records nothing. */
export const snapchatRequest: BuildRequest<SnapchatCredentials> = (events, credentials, context) => {
  const asset = events.some(isOfApp) ? credentials.snap_app_id : credentials.pixel_id;
  if (asset === undefined) throw new RangeError('an app event needs the id of the app');
  const base = `https://tr.snapchat.com/${SNAPCHAT_API_VERSION}/${encodeURIComponent(asset)}`;
  const token = encodeURIComponent(credentials.access_token);
  return {
    method: 'POST',
    url: `${base}/events${context.test ? '/validate' : ''}?access_token=${token}`,
    headers: { 'content-type': 'application/json' },
    body: jsonBody({
      data: events.map((event) => ({
        event_name: snapEvent(event, credentials),
        event_time: event.eventTimeSec,
        event_id: event.dedupId,
        action_source: ACTION_SOURCES[event.actionSource],
        event_source_url: webUrl(event.eventSourceUrl),
        // Snap's flag for limited use: measured, not used to choose ads. Its page spells it one way, its SDK the other.
        data_processing_options: event.consent.ad_personalization === 'denied' ? ['LMU', 'LDU'] : undefined,
        user_data: snapchatUser(event),
        app_data: isOfApp(event) ? snapchatAppData(event) : undefined,
        custom_data: snapchatCustomData(event),
      })),
    }),
    secrets: [credentials.access_token],
  };
};

/** https://developers.snap.com/api/marketing-api/Conversions-API/UsingTheAPI. */
const snapchatAppData = (event: NormalizedEvent): Fields => ({
  app_id: event.app?.id,
  advertiser_tracking_enabled: trackingFlag(event.app ?? {}),
  extinfo: extinfo(event.app ?? {}),
});

function snapEvent(event: NormalizedEvent, credentials?: SnapchatCredentials): SnapEvent | null {
  const chosen: Partial<Record<string, SnapEvent>> | undefined = credentials?.event_names;
  return ownNameOf(SNAP_OWN_NAMES, event) ?? chosen?.[event.name] ?? SNAPCHAT_EVENT_NAMES[event.name];
}
