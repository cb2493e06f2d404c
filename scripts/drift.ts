// `npm run drift`: by platform, what a vendor's description of the request says now and did not when it was pinned (drift/tables),
// what of ours it does not know, and which versions end. Where a vendor cannot be reached it says so, which is no error.
//   npm run drift                                        every platform, against the newest that its vendor publishes
//   npm run drift -- meta pinterest                      these
//   npm run drift -- klaviyo=/folder meta=npm:pkg@1.2.3  against what is there: a folder, a package, or https://…/
//   npm run drift -- --pin --version v --date 2026-01-31 klaviyo=/folder    writes what is there into its table
import { parseArgs } from 'node:util';
import { driftOf } from './check-platforms.ts';
import { changesBetween, type Sent, type Table, unlike } from './drift/description.ts';
import { INTERFACES } from './drift/interfaces.ts';
import { sentBy } from './drift/sent.ts';
import { CouldNotLook, filesAt } from './drift/source.ts';
import { pinnedTable, writeTable } from './drift/tables.ts';
import { VENDORS, type Vendor } from './drift/vendors.ts';

/** What the vendor's description at this place says. */
export async function tableAt(
  platform: string,
  { source, known = {} }: { readonly source?: string; readonly known?: Partial<Table> },
): Promise<Table> {
  const vendor = vendorOf(platform);
  const files = await filesAt(source ?? vendor.source, vendor.files);
  const version = known.version ?? vendor.versionIn?.(files) ?? 'the newest';
  const date = known.date ?? new Date().toISOString().slice(0, 10);
  return {
    platform: vendor.as ?? platform,
    source: vendor.source,
    version,
    date,
    fields: vendor.read(files),
  };
}

function vendorOf(platform: string): Vendor {
  const vendor = Object.hasOwn(VENDORS, platform) ? VENDORS[platform] : undefined;
  if (vendor === undefined) throw new RangeError(`no description of ${platform} that machines read is known`);
  return vendor;
}

/** Of one platform, as lines. */
export async function reportOf(
  name: string,
  source: string | undefined,
  today: string,
): Promise<readonly string[]> {
  const one = INTERFACES.find((other) => other.name === name);
  if (one === undefined) throw new RangeError(`${name} is no platform`);
  const versions = driftOf([one.platform], today).map(({ text }) => text);
  if (!Object.hasOwn(VENDORS, name)) {
    const { docs, readOn } = one.platform.api;
    return [
      ...versions,
      `has no description that machines read, as far as is known: read ${docs} (last on ${readOn})`,
    ];
  }
  const pinned = pinnedTable(name);
  const sent = await sentBy(one);
  const ours = unlike(sent, pinned.fields).map((text) => `against ${pinned.version}: ${text}`);
  return [...versions, ...ours, ...(await newsOf(pinned, sent, source))];
}

async function newsOf(pinned: Table, sent: Sent, source: string | undefined): Promise<readonly string[]> {
  const since = `${pinned.version} of ${pinned.date}`;
  try {
    const now = await tableAt(pinned.platform, source === undefined ? {} : { source });
    const changes = changesBetween(pinned.fields, now.fields, sent);
    if (changes.length === 0) return [`nothing has changed since ${since} (looked at ${now.version})`];
    return [
      `${now.version} compared with ${since} (! concerns what we send):`,
      ...changes.map(({ path, text, concernsUs }) => `  ${concernsUs ? '!' : ' '} ${path} ${text}`),
    ];
  } catch (error) {
    if (error instanceof CouldNotLook) return [`could not look since ${since}: ${error.message}`];
    if (error instanceof RangeError) throw error;
    return [`its description is not made as it was in ${since}: ${(error as Error).message}`];
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      pin: { type: 'boolean', default: false },
      version: { type: 'string' },
      date: { type: 'string' },
    },
  });
  const named = positionals.map((one) => {
    const [slug = '', ...source] = one.split('=');
    return { slug, source: source.length === 0 ? undefined : source.join('=') };
  });
  const chosen = named.length > 0 ? named : INTERFACES.map(({ name }) => ({ slug: name, source: undefined }));
  for (const { slug, source } of chosen) {
    if (values.pin) {
      const { version, date } = values;
      const known = {
        ...(version === undefined ? {} : { version }),
        ...(date === undefined ? {} : { date }),
      };
      writeTable(await tableAt(slug, { ...(source === undefined ? {} : { source }), known }));
    }
    const lines = await reportOf(slug, source, new Date().toISOString().slice(0, 10));
    console.log([slug, ...lines.map((line) => `  ${line}`)].join('\n'));
  }
}

if (import.meta.main)
  await main().catch((error: unknown) => {
    console.error(`drift: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  });
