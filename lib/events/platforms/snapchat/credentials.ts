import * as z from 'zod';
import { EVENT_NAMES, type EventName } from '../../domain/event/names.ts';
import { token } from '../credential-fields.ts';
import { SNAP_EVENTS, SNAPCHAT_EVENT_NAMES } from './event-names.ts';

/** A refund stays out: Snap would add its amount to the sales. */
const REMAPPABLE = EVENT_NAMES.filter(
  (name): name is Exclude<EventName, 'Refund'> => SNAPCHAT_EVENT_NAMES[name] !== null,
);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const snapchatCredentials = z.strictObject({
  pixel_id: z.string().regex(UUID, 'must be a pixel id like 5bf81ee1-15b1-4dc1-b636-d7dae49b950e').meta({
    label: 'Snap Pixel ID',
    destination: true,
    help: 'ads.snapchat.com → Events Manager → your pixel: the id under its name.',
  }),
  access_token: token(10, 4_096).meta({
    label: 'Conversions API token',
    help: 'ads.snapchat.com → Business details → Conversions API tokens → Generate token. It does not expire; the pixel must belong to the same organization.',
    secret: true,
  }),
  snap_app_id: z
    .string()
    .regex(UUID, 'must be an app id like 5bf81ee1-15b1-4dc1-b636-d7dae49b950e')
    .optional()
    .meta({
      label: 'Snap App ID',
      help: 'For what happens in your app: ads.snapchat.com → Business details → Snap Apps → your app. Without it app events are withheld.',
    }),
  event_names: z.partialRecord(z.enum(REMAPPABLE), z.enum(SNAP_EVENTS)).optional().meta({
    label: 'Other event names',
    help: 'Snap has five custom slots. Say here which of your events goes under which Snap name where the default does not fit, for example Lead → SIGN_UP.',
  }),
});

export type SnapchatCredentials = z.output<typeof snapchatCredentials>;
