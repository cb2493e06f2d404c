// Other people than the owner of the sample shop: members of it, invited and let in by the API; and the owner of a second shop
// in which nothing has happened yet. Shops are made in the tables, because no call makes one.
import { randomUUID } from 'node:crypto';
import { systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createConfigStores } from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import type { MemberRole } from '#lib/core/tenancy/role.ts';
import type { Host } from '#services/local/host.ts';
import { CALLBACK_PATH } from '#services/local/issuer/provider.ts';
import type { Person } from '#services/local/issuer/sign-in.ts';
import {
  authorizeUrl,
  backToPage,
  exchange,
  newVerifier,
  newVisitor,
  sendPassword,
  toPasswordPage,
} from '../oidc-client.ts';
import { asOwner } from './as-owner.ts';

const person = (name: string): Person => ({
  subject: randomUUID(),
  email: `${name}@shop.example`,
  password: `the password of ${name}`,
});

/** The host is started with them; until they join, they are members of no shop. */
export const newPeople = () => ({
  admin: person('admin'),
  member: person('member'),
  newcomer: person('newcomer'),
});

/** One who can sign in at a host that was started with him, and is a member of nothing. */
export const BOB = person('bob');

/** What the dashboard would get for him. */
export async function tokenOf(host: Host, who: Person): Promise<string> {
  return (await tokensOf(host, who)).tokens.access_token ?? '';
}

/** By the same way: code, PKCE, token. With the cookies that the issuer leaves in his browser. */
export async function tokensOf({ session }: Host, { email, password }: Pick<Person, 'email' | 'password'>) {
  const at = {
    issuer: session.issuer_url,
    clientId: session.client_id,
    redirectUri: session.origin_url + CALLBACK_PATH,
  };
  const [visitor, verifier] = [newVisitor(), newVerifier()];
  const page = await toPasswordPage(visitor, authorizeUrl(at, verifier));
  const back = await backToPage(
    visitor,
    await sendPassword(visitor, page, email, password),
    session.issuer_url,
  );
  const { body } = await exchange(at, back.searchParams.get('code') ?? '', verifier);
  return { tokens: body, cookies: visitor.cookies };
}

/** Invited by the owner; accepts. */
export async function join(host: Host, who: Person, role: MemberRole): Promise<void> {
  const { token } = await post(host, '/v1/members/invitations', host.session.session_jwt, {
    email: who.email,
    role,
  });
  await post(host, '/v1/members/invitations/accept', await tokenOf(host, who), { token });
}

async function post({ session }: Host, path: string, session_jwt: string, body: unknown) {
  const { status, body: answer } = await asOwner({ ...session, session_jwt }, 'POST', path, body);
  if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
  return answer as { readonly token?: string };
}

/** A second shop: no event, no platform, no key, no ticket. Its id. */
export async function openEmptyShop({ session, topology }: Host, owner: Person): Promise<string> {
  const table = topology.functions.find(({ environment }) => environment.CONFIG_TABLE)?.environment
    .CONFIG_TABLE;
  const db = createDocumentClient({ endpoint: session.dynamodb_url });
  const config = createConfigStores(db, table ?? '', systemRandom);
  const merchantId = randomUUID();
  await config.putMerchant({
    merchantId,
    name: 'Empty Shop',
    email: owner.email,
    storeUrl: 'https://empty.example',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: Date.now(),
    browserIngestion: { enabled: true, origins: [] },
  });
  await config.putMember({ sub: owner.subject, merchantId, role: 'owner' });
  db.destroy();
  return merchantId;
}
