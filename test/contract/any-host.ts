// What the hosts of both APIs have in common: who calls them, and how a request is made.
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { Success } from '../../lib/core/http/handler.ts';
import type { Route } from '../../lib/core/http/route.ts';
import type { MemberStore } from '../../lib/core/tenancy/member-store.ts';
import { MEMBER_ROLES, type MemberRole } from '../../lib/core/tenancy/role.ts';

export const NOW = Date.UTC(2026, 10, 20, 12, 34, 56);
export const MINE = '11111111-1111-4111-8111-111111111111';
export const THEIRS = '22222222-2222-4222-8222-222222222222';

/** What a test without a receiver of its own gets. */
export const NOBODY = {
  kind: 'failure',
  code: 'dns',
  maybeDelivered: false,
  message: 'nobody is there',
  latencyMs: 0,
} as const;

export interface HostReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Parsed; undefined where there is none, and for HEAD. */
  readonly body: unknown;
}

export interface HostRequest {
  readonly method?: string;
  /** In X-API-Key. */
  readonly key?: string;
  /** As bearer. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
}

export async function inject(app: FastifyInstance, url: string, request: HostRequest) {
  const { method = 'GET', key, token, body } = request;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const answer = await app.inject({
    method: method as 'GET',
    url,
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { payload: isRaw ? Buffer.from(body as string) : JSON.stringify(body) }),
  });
  const { statusCode: status, headers, payload: text } = answer;
  expect(headers['x-request-id'], url).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
  return { method, status, headers, text };
}

/** Token of a session of a merchant's member. */
export const sessionOf = (role: MemberRole = 'owner', owner: 'mine' | 'theirs' = 'mine'): string =>
  `session-${owner}-${role}`;

export const SESSIONS = {
  verify: async (token: string) =>
    token.startsWith('session-') ? { sub: token.slice('session-'.length) } : null,
};

export async function putMembers(members: Pick<MemberStore, 'putMember'>): Promise<void> {
  for (const role of MEMBER_ROLES) {
    await members.putMember({ sub: `mine-${role}`, merchantId: MINE, role });
    await members.putMember({ sub: `theirs-${role}`, merchantId: THEIRS, role });
  }
}

/** The body of a success, typed by its route: the host has held it against the contract already. */
export function bodyOf<R extends Route>(_route: R, reply: HostReply): Success<R>['body'] {
  expect(reply.status, reply.text).toBeLessThan(400);
  return reply.body as Success<R>['body'];
}
