// Authenticates a caller: a key in X-API-Key, or else a session as `Authorization: Bearer`. Guarantees: if a key is
// sent, the session is ignored; a key of another product is invalid; a key is not accepted as a bearer token.
import { bearerOf } from '#lib/core/http/request-rules.ts';
import { keyCaller, sessionCaller } from '#lib/core/tenancy/authenticate.ts';
import type { Caller, Stranger, Suspended } from '#lib/core/tenancy/caller.ts';
import { HELPDESK_ACCESS } from '#lib/helpdesk/domain/account/scopes.ts';
import type { HelpdeskApiPorts } from './ports.ts';

/** Null: not a valid credential. A stranger: a valid session of a person who is not a member of any workspace. */
export async function authenticate(
  authorization: string | undefined,
  key: string | undefined,
  merchant: string | undefined,
  ports: Pick<HelpdeskApiPorts, 'config' | 'sessions' | 'clock'>,
): Promise<Caller | Stranger | Suspended | null> {
  if (key !== undefined) return await keyCaller(key, HELPDESK_ACCESS, ports);
  const token = bearerOf(authorization);
  return token === undefined ? null : await sessionCaller(token, merchant, HELPDESK_ACCESS, ports);
}
