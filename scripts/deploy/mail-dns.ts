// Whether mails of the helpdesk's domain come in. Its DNS is elsewhere: this is said, and stops nothing.
import { resolveMx } from 'node:dns/promises';

export type ResolveMx = (name: string) => Promise<readonly { readonly exchange: string }[]>;

const UNKNOWN: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/** Notes; none where all is well. Receiving hosts: https://docs.aws.amazon.com/general/latest/gr/ses.html (2026-11-27). */
export async function mailDnsNotes(
  domain: string,
  region: string,
  resolve: ResolveMx = resolveMx,
): Promise<readonly string[]> {
  const host = `inbound-smtp.${region}.amazonaws.com`;
  try {
    const found = await resolve(domain).catch((error: NodeJS.ErrnoException) => {
      if (UNKNOWN.has(error.code ?? '')) return [];
      throw error;
    });
    if (found.some(({ exchange }) => exchange.toLowerCase().replace(/\.$/, '') === host)) return [];
    return [
      `DNS has no MX record of ${domain} to ${host}: no mail comes in until the records of the outputs HelpdeskMailMx… and HelpdeskMailDkim… are there.`,
    ];
  } catch (error) {
    return [`Not checked: the MX record of ${domain} (${(error as Error).message})`];
  }
}
