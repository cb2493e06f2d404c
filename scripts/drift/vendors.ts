// Vendors that describe their request for machines, and how it is read. Of the others nothing of the kind is known: their
// documents are read by people (`api.docs`, `api.readOn`).
import type { Field } from './description.ts';
import { readJavaModels, readMetaSdk } from './read-classes.ts';
import { readOpenapi } from './read-openapi.ts';
import { readProto } from './read-proto.ts';

export interface Vendor {
  /** What the files are in: https, with a slash at its end. */
  readonly source: string;
  readonly files: readonly string[];
  /** `files`: path → text. */
  readonly read: (files: ReadonlyMap<string, string>) => Record<string, Field>;
  /** Where the description says it itself. */
  /** Whose table is its table too; absent: it has one of its own. */
  readonly as?: string;
  readonly versionIn?: (files: ReadonlyMap<string, string>) => string | undefined;
}

const GITHUB = 'https://raw.githubusercontent.com';
const only = (files: ReadonlyMap<string, string>): string => [...files.values()][0] ?? '';
const openapi = (path: string, paths: readonly string[]): Pick<Vendor, 'files' | 'read' | 'versionIn'> => ({
  files: [path],
  read: (files) => readOpenapi(only(files), paths),
  versionIn: (files) => (JSON.parse(only(files)) as { info?: { version?: string } }).info?.version,
});
/** By the name of the file alone. */
const byName = (files: ReadonlyMap<string, string>, ending: string): ReadonlyMap<string, string> =>
  new Map(
    [...files].flatMap(([path, text]) =>
      path.endsWith(ending) ? [[path.split('/').at(-1)?.slice(0, -ending.length) ?? '', text] as const] : [],
    ),
  );

const SERVERSIDE = 'server-event user-data custom-data app-data content original-event-data attribution-data';
const SNAP = 'SendEventRequest CapiEvent UserData CustomData AppData Content';
const DATA_MANAGER =
  'ingestion_service event destination user_data user_properties cart_data device_info consent experimental_field encryption_info item_parameter';

const dataManager: Vendor = {
  source: `${GITHUB}/googleapis/googleapis/master/google/ads/datamanager/v1/`,
  files: DATA_MANAGER.split(' ').map((name) => `${name}.proto`),
  read: (files) => readProto([...files.values()], 'IngestEventsRequest'),
};

/** By the name of the interface (interfaces.ts). */
export const VENDORS: Readonly<Record<string, Vendor>> = {
  ga4_data_manager: { ...dataManager, as: 'google_ads' },
  google_ads: dataManager,
  klaviyo: {
    source: `${GITHUB}/klaviyo/openapi/main/openapi/stable/categories/`,
    ...openapi('events.json', ['/api/events', '/api/event-bulk-create-jobs']),
  },
  meta: {
    source: `${GITHUB}/facebook/facebook-nodejs-business-sdk/main/`,
    files: ['package.json', ...SERVERSIDE.split(' ').map((name) => `src/objects/serverside/${name}.js`)],
    read: (files) => readMetaSdk(byName(files, '.js')),
    versionIn: (files) => (JSON.parse(only(files)) as { version?: string }).version,
  },
  pinterest: {
    source: `${GITHUB}/pinterest/api-description/main/v5/`,
    ...openapi('openapi.json', ['/ad_accounts/{ad_account_id}/events']),
  },
  snapchat: {
    source: `${GITHUB}/Snapchat/business-sdk-v3-java/main/src/main/java/com/snap/business/sdk/v3/model/`,
    files: SNAP.split(' ').map((name) => `${name}.java`),
    read: (files) => readJavaModels(byName(files, '.java'), 'SendEventRequest'),
  },
};
