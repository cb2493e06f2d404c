// The app an event happened in, and its device: as it is sent, as it is kept (with the person: sealed, erased and expiring with
// it), and as the list of sixteen that Meta and Snap want (`extinfo`).
// https://developers.facebook.com/documentation/ads-commerce/conversions-api/parameters/app-data (read 2026-11-27)
import * as z from 'zod';
import type { IdentityIssue } from '../identity/identity.ts';
import { isEmptyWord } from '../identity/placeholder-values.ts';

export const APP_PLATFORMS = ['ios', 'android'] as const;
export type AppPlatform = (typeof APP_PLATFORMS)[number];

/** In the order of Apple's own numbers, 0 to 3; on Android `denied` is the opt-out of personalized ads. */
export const TRACKING_STATES = ['not_determined', 'restricted', 'denied', 'authorized'] as const;
export type TrackingState = (typeof TRACKING_STATES)[number];

export const EXTINFO_ENTRIES = 16;
/** Positions of its entries. Those without a field of their own come with the whole list alone. */
const EXTINFO = [
  null,
  'id',
  'version',
  'build',
  'os_version',
  'device_model',
  'locale',
  null,
  'carrier',
  'screen_width',
  'screen_height',
  'screen_density',
  null,
  null,
  null,
  'timezone',
] as const;
const EXTINFO_VERSIONS = { ios: 'i2', android: 'a2' } as const satisfies Record<AppPlatform, string>;

const text = () => z.string().max(256).optional();
const size = () => z.number().nonnegative().max(1e6).optional();

export const appSchema = z
  .object({
    platform: z.enum(APP_PLATFORMS).optional(),
    id: text().meta({ description: 'The number in the App Store, or the package name.' }),
    name: text(),
    version: text(),
    build: text(),
    tracking: z.enum(TRACKING_STATES).optional().meta({
      description:
        'What the device lets apps do: anything but `authorized` keeps `user_data.madid` from every platform.',
    }),
    instance_id: text().meta({ description: 'Of the Firebase SDK (`app_instance_id`).' }),
    vendor_id: text().meta({ description: 'Apple’s identifier for vendors.' }),
    campaign_ids: text().meta({ description: 'What Meta appended to the link that opened the app.' }),
    os_version: text(),
    device_model: text(),
    device_brand: text(),
    carrier: text(),
    locale: text(),
    timezone: text(),
    screen_width: size(),
    screen_height: size(),
    screen_density: size(),
    extinfo: z.array(z.string().max(256)).length(EXTINFO_ENTRIES).optional().meta({
      description: 'The list of Meta and Snap as a whole; what it holds need not be sent beside it.',
    }),
  })
  .meta({
    description: 'The app the event happened in. With it, `action_source` is `app` unless it is said.',
  });

type AppInput = z.output<typeof appSchema>;
type AppText = Exclude<keyof AppInput, 'platform' | 'tracking' | 'extinfo'>;

/** Texts are trimmed and never empty; sizes are texts. */
export type AppPart = { readonly [K in AppText]?: string } & {
  readonly platform?: AppPlatform;
  readonly tracking?: TrackingState;
  readonly extinfo?: readonly string[];
};

export const APP_TEXTS = [
  ...['id', 'name', 'version', 'build', 'instance_id', 'vendor_id', 'campaign_ids', 'os_version'],
  ...['device_model', 'device_brand', 'carrier', 'locale', 'timezone'],
  ...['screen_width', 'screen_height', 'screen_density'],
] as const as readonly AppText[];

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const CONTROL = /[\u0000-\u001f\u007f]/;

/** The part without what says nothing, and what is wrong with the rest. A list completes what was not said beside it. */
export function readApp(input: AppInput): {
  readonly app: AppPart;
  readonly issues: readonly IdentityIssue[];
} {
  const issues: IdentityIssue[] = [];
  const app: { -readonly [K in keyof AppPart]: AppPart[K] } = {};
  const listed = input.extinfo?.map((entry) => entry.trim()) ?? [];
  const platform = input.platform ?? APP_PLATFORMS.find((one) => EXTINFO_VERSIONS[one] === listed[0]);
  if (platform !== undefined) app.platform = platform;
  if (input.tracking !== undefined) app.tracking = input.tracking;
  for (const field of APP_TEXTS) {
    const said = input[field] ?? listed[EXTINFO.indexOf(field as never)];
    const text = said === undefined ? '' : String(said).trim();
    const code = text === '' ? null : faultOf(text);
    if (code !== null) issues.push({ field: `app.${field}`, code });
    else if (text !== '') app[field] = text;
  }
  if (input.extinfo !== undefined)
    app.extinfo = listed.map((entry) => (faultOf(entry) === null ? entry : ''));
  return { app, issues };
}

const faultOf = (text: string): IdentityIssue['code'] | null => {
  if (CONTROL.test(text) || !text.isWellFormed()) return 'malformed';
  return isEmptyWord(text) ? 'literal_null' : null;
};

/** Sixteen texts, empty where nothing is known; undefined without a platform, which the first one names. */
export function extinfoOf({ extinfo, ...app }: AppPart): readonly string[] | undefined {
  if (app.platform === undefined) return undefined;
  const version = EXTINFO_VERSIONS[app.platform];
  return EXTINFO.map((field, i) => (i === 0 ? version : ((field && app[field]) ?? extinfo?.[i] ?? '')));
}

/** False where the device forbids it, undefined where nothing is known. */
export const isTrackingAllowed = ({ tracking }: AppPart): boolean | undefined =>
  tracking === undefined ? undefined : tracking === 'authorized';
