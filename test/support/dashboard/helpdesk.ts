// The helpdesk behind the pages, asked by a program with the workspace's key; and a second person of the team.
import { expect } from 'vitest';
import type { Host } from '#services/local/host.ts';
import type { Person } from '#services/local/issuer/sign-in.ts';
import { signIn, type Visit } from './browser.ts';
import { openDesk } from './desk.ts';

type Call = ReturnType<typeof openDesk>['call'];

export const desk = (host: Host, ...request: Parameters<Call>): ReturnType<Call> =>
  openDesk(() => host.session).call(...request);

export const newTicket = (host: Host, subject: string, message?: string): Promise<string> =>
  openDesk(() => host.session).newTicket(subject, message);

/** Events as a server of the shop sends them. */
export async function track(host: Host, events: readonly unknown[]): Promise<void> {
  const { ingestion_url, api_key } = host.session;
  const answer = await fetch(`${ingestion_url}/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
  });
  const { results = [] } = (await answer.json()) as { results?: readonly { readonly status: number }[] };
  expect(results.map(({ status }) => status)).toEqual(events.map(() => 202));
}

/** One who can sign in at a host that was started with him, and is a member of nothing. */
export const BOB: Person = { subject: 'bob', email: 'bob@shop.example', password: 'a password of Bob' };

/** Signs him in, invites him and has him join; then he is at the path. */
export async function join(
  visit: Visit,
  host: Host,
  { role, path }: { readonly role: 'member' | 'admin'; readonly path: string },
): Promise<void> {
  // By a person: whom an API key invites is of its product alone.
  const invited = await fetch(`${host.session.helpdesk_url}/api/v1/members/invitations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.session.session_jwt}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: BOB.email, role }),
  });
  expect(invited.status).toBe(201);
  const { token } = (await invited.json()) as { readonly token: string };
  const asked = visit.page.waitForRequest((request) => new URL(request.url()).pathname === '/v1/account');
  await signIn(visit, host, path, BOB);
  const { authorization = '' } = await (await asked).allHeaders();
  const joined = await fetch(`${host.session.helpdesk_url}/api/v1/members/invitations/accept`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  expect(joined.status).toBe(200);
  await visit.page.reload();
}
