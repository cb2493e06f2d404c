// Other products, measured on the same people when they are installed (`npm run bench -- --peers`). Each makes the hashed
// part of Meta's user_data in its own way; none of them makes the variants the other platforms want.
import { createRequire } from 'node:module';
import type { standardEvent } from './standard-event.ts';

export type Person = ReturnType<typeof standardEvent>['user_data'];

export interface Peer {
  readonly name: string;
  readonly metaUserData: (person: Person) => unknown;
}

export interface Peers {
  readonly found: readonly Peer[];
  /** A sentence for each that could not be loaded. */
  readonly missing: readonly string[];
}

const requirePeer = createRequire(new URL('./peers/package.json', import.meta.url));

export async function loadPeers(wanted: boolean): Promise<Peers> {
  if (!wanted) return { found: [], missing: ['peers are measured with --peers'] };
  const found: Peer[] = [];
  const missing: string[] = ['walkerOS: its Meta destination is not on the public registry'];
  for (const [name, load] of Object.entries(LOADERS)) {
    try {
      const metaUserData = load();
      found.push({ name: `${name} ${versionOf(name)}`, metaUserData });
    } catch (error) {
      missing.push(`${name}: not loaded (${error instanceof Error ? error.message.split('\n')[0] : error})`);
    }
  }
  return { found, missing };
}

function versionOf(name: string): string {
  return (requirePeer('./package.json') as { dependencies: Record<string, string> }).dependencies[name] ?? '';
}

type Load = () => (person: Person) => unknown;
type Setter = Record<string, (value: string) => unknown>;

const LOADERS: Readonly<Record<string, Load>> = {
  '@segment/action-destinations': () => {
    const { hash_user_data: hashUserData } = requirePeer(
      '@segment/action-destinations/dist/destinations/facebook-conversions-api/fb-capi-user-data.js',
    ) as { readonly hash_user_data: (payload: { user_data: Record<string, unknown> }) => unknown };
    return (p) =>
      hashUserData({
        user_data: {
          email: p.email,
          phone: p.phone,
          firstName: p.first_name,
          lastName: p.last_name,
          gender: p.gender,
          dateOfBirth: p.date_of_birth.replaceAll('-', ''),
          city: p.city,
          state: p.state,
          zip: p.zip,
          country: p.country,
          externalId: [p.customer_id],
          client_ip_address: p.client_ip,
          client_user_agent: p.user_agent,
          fbp: p.browser_ids.fbp,
          fbc: p.browser_ids.fbc,
        },
      });
  },
  'facebook-nodejs-business-sdk': () => {
    const { UserData } = requirePeer('facebook-nodejs-business-sdk') as {
      readonly UserData: new () => Setter & { normalize: () => unknown };
    };
    return (p) => {
      const data = new UserData();
      data.setEmail?.(p.email);
      data.setPhone?.(p.phone);
      data.setFirstName?.(p.first_name);
      data.setLastName?.(p.last_name);
      data.setGender?.(p.gender);
      data.setDateOfBirth?.(p.date_of_birth.replaceAll('-', ''));
      data.setCity?.(p.city);
      data.setState?.(p.state);
      data.setZip?.(p.zip);
      data.setCountry?.(p.country);
      data.setExternalId?.(p.customer_id);
      data.setClientIpAddress?.(p.client_ip);
      data.setClientUserAgent?.(p.user_agent);
      data.setFbp?.(p.browser_ids.fbp);
      data.setFbc?.(p.browser_ids.fbc);
      return data.normalize();
    };
  },
  'capi-param-builder-nodejs': () => {
    const { ParamBuilder, PII_DATA_TYPE: type } = requirePeer('capi-param-builder-nodejs') as {
      readonly ParamBuilder: new (
        domains: readonly string[],
      ) => {
        getNormalizedAndHashedPII: (value: string, kind: string | undefined) => unknown;
      };
      readonly PII_DATA_TYPE: Readonly<Record<string, string>>;
    };
    const builder = new ParamBuilder(['shop.example']);
    const hashed = (value: string, kind: string) => builder.getNormalizedAndHashedPII(value, type[kind]);
    return (p) => [
      hashed(p.email, 'EMAIL'),
      hashed(p.phone, 'PHONE'),
      hashed(p.first_name, 'FIRST_NAME'),
      hashed(p.last_name, 'LAST_NAME'),
      hashed(p.gender, 'GENDER'),
      hashed(p.date_of_birth, 'DATE_OF_BIRTH'),
      hashed(p.city, 'CITY'),
      hashed(p.state, 'STATE'),
      hashed(p.zip, 'ZIP_CODE'),
      hashed(p.country, 'COUNTRY'),
      hashed(p.customer_id, 'EXTERNAL_ID'),
    ];
  },
};
