// The token of an invitation: `evi_`, the merchant it is of, and 256 bits nobody can guess. It names the merchant so that the
// invitation is found by one read of its team; what it opens is decided by its hash there.
import type { Random } from '../ports/clock.ts';

const TOKEN = /^evi_([\w-]{1,120})\.[\w-]{43}$/;
const SECRET_BYTES = 32;

export function formatInvitationToken(merchantId: string, random: Pick<Random, 'next'>): string {
  const secret = Buffer.from(Array.from({ length: SECRET_BYTES }, () => Math.floor(random.next() * 256)));
  return `evi_${Buffer.from(merchantId).toString('base64url')}.${secret.toString('base64url')}`;
}

/** The merchant it says it is of; null for what is no token. */
export function readInvitationToken(token: string): string | null {
  const named = TOKEN.exec(token)?.[1];
  return named === undefined ? null : Buffer.from(named, 'base64url').toString();
}
