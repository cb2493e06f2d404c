// Who is calling the API: both an API key and a session token come as `Authorization: Bearer`, and the key's prefix tells them
// apart.
import { bearerOf } from '#lib/core/http/request-rules.ts';
import { keyCaller, sessionCaller } from '#lib/core/tenancy/authenticate.ts';
import type { Caller, Stranger, Suspended } from '#lib/core/tenancy/caller.ts';
import { EVENTS_ACCESS } from '#lib/events/domain/scopes.ts';
import type { ApiPorts } from './ports.ts';

/** Null: not a valid credential. A stranger: a valid session of somebody who is no member of any merchant. */
export async function authenticate(
  authorization: string | undefined,
  merchant: string | undefined,
  ports: Pick<ApiPorts, 'config' | 'sessions' | 'clock'>,
): Promise<Caller | Stranger | Suspended | null> {
  const credential = bearerOf(authorization);
  if (credential === undefined) return null;
  return credential.startsWith(`${EVENTS_ACCESS.product}_`)
    ? await keyCaller(credential, EVENTS_ACCESS, ports)
    : await sessionCaller(credential, merchant, EVENTS_ACCESS, ports);
}
