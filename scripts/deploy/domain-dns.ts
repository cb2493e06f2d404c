// Whether DNS asks the zone that a certificate is to be confirmed in. Where it asks another, Certificate Manager waits for a record
// that it never sees, and CloudFormation with it.
import { resolveNs } from 'node:dns/promises';

export type ResolveNs = (name: string) => Promise<readonly string[]>;

const UNKNOWN: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/** Notes; none where all is well. Rejects with a sentence where a name is in no zone that DNS knows. */
export async function domainDnsNotes(
  names: readonly string[],
  resolve: ResolveNs = resolveNs,
): Promise<readonly string[]> {
  const notes = await Promise.all(names.map((name) => notesOf(name, resolve)));
  return notes.flat();
}

async function notesOf(name: string, resolve: ResolveNs): Promise<readonly string[]> {
  const found = await zoneOf(name, resolve).catch((error: Error) => error);
  if (found instanceof Error) return [`Not checked: the zone of ${name} in DNS (${found.message})`];
  if (found === null)
    throw new Error(
      `DNS knows no zone of ${name} (domain), so the deployment would wait an hour for its certificate: let the registrar of the domain name the servers of the zone domainZone first.`,
    );
  if (found.servers.some((server) => ROUTE_53.test(server))) return [];
  return [
    `DNS finds ${found.zone} at ${found.servers[0]}, which is not Route 53: if that is not the zone domainZone, the deployment waits an hour for the certificate of ${name}, and fails.`,
  ];
}

/** Unless the account has name servers under names of its own. */
const ROUTE_53 = /\.awsdns-\d+\./i;

/** The nearest above, or of the name itself; null where there is none below the top-level domain. */
async function zoneOf(name: string, resolve: ResolveNs) {
  for (let zone = name; zone.includes('.'); zone = zone.slice(zone.indexOf('.') + 1)) {
    const servers = await resolve(zone).catch((error: NodeJS.ErrnoException) => {
      if (UNKNOWN.has(error.code ?? '')) return [];
      throw error;
    });
    if (servers.length > 0) return { zone, servers };
  }
  return null;
}
