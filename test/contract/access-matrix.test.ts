// Every route with every credential: no cell is left out, and each is answered by the real application. What is expected is not
// read off the routes but off a table that was written from the contract.
import { beforeAll, describe, expect, it } from 'vitest';
import { isReading } from '../../lib/core/audit-log/audited.ts';
import type { Route } from '../../lib/core/http/route.ts';
import { MEMBER_ROLES } from '../../lib/core/tenancy/role.ts';
import { ROUTES } from '../../lib/events/routes/every-route.ts';
import { testIngestion } from '../support/ingestion.ts';
import { ACCESS, type Access, ROLE_RIGHTS } from './access-table.ts';
import { MINE, NOW, THEIRS } from './api-host.ts';
import { type Credential, openWithCredentials } from './credentials.ts';

type Verdict = '401' | '403' | 'pass' | `failed with ${number}`;

const routes: readonly Route[] = ROUTES;
const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

let host: Awaited<ReturnType<typeof openWithCredentials>>['host'];
let credentials: readonly Credential[];
const ingestion = testIngestion();
beforeAll(async () => {
  ({ host, credentials } = await openWithCredentials(ingestion.addKey));
});

function accessOf(route: Route): Access | 'public' {
  const access = ACCESS[nameOf(route)];
  if (access !== undefined) return access;
  throw new Error(
    `${nameOf(route)} is served, but test/contract/access-table.ts has no line for it: write down whom the contract lets in.`,
  );
}

function expected(route: Route, { proves }: Credential): Verdict {
  const access = accessOf(route);
  if (access === 'public') return 'pass';
  const isKey = typeof proves === 'object' && 'scopes' in proves;
  // Ingestion knows no sessions.
  if (proves === 'nobody' || (route.part === 'ingestion' && !isKey)) return '401';
  const { key, session } = access;
  if (isKey) {
    const isEnough = key !== undefined && (proves.scopes.includes(key) || proves.scopes.includes('admin'));
    return isEnough ? 'pass' : '403';
  }
  if (session === undefined) return '403';
  if (session === 'anyone') return 'pass';
  if (proves === 'stranger') return '403';
  return ROLE_RIGHTS[proves.role].includes(session) ? 'pass' : '403';
}

async function tried(route: Route, { authorization }: Credential): Promise<Verdict> {
  const { method } = route;
  const path = route.path.replaceAll(/:\w+/g, 'nothing');
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
  };
  const body = route.body === undefined ? '' : '{}';
  if (route.part === 'ingestion') {
    const bytes = Buffer.from(body);
    const about = { query: {}, clientIp: '203.0.113.7', requestId: 'matrix' };
    const reply = await ingestion.app({ method, path, headers, body: bytes, ...about });
    return verdictOf(reply.status, reply.headers, reply.body);
  }
  if (body === '') delete headers['content-type'];
  const reply = await host.app.inject({
    method,
    url: path,
    headers,
    ...(body === '' ? {} : { payload: body }),
  });
  return verdictOf(reply.statusCode, reply.headers, reply.payload);
}

/** A refusal of the credential. Other refusals, such as of the empty body, mean that it was let in. */
function verdictOf(status: number, headers: Readonly<Record<string, unknown>>, text: string): Verdict {
  if (status >= 500 && status !== 503) return `failed with ${status}`;
  if (status === 401) {
    expect(headers['www-authenticate']).toBe('Bearer');
    return text.includes('"unauthorized"') ? '401' : 'pass';
  }
  return status === 403 && text.includes('"forbidden"') ? '403' : 'pass';
}

describe.each(routes.map((route) => [nameOf(route), route] as const))('%s', (_name, route) => {
  it('says of itself what the contract says', () => {
    expect(route.auth).toEqual(accessOf(route));
  });

  it('lets in whom the contract lets in, and nobody else', async () => {
    const cells: [string, Verdict][] = [];
    for (const credential of credentials) cells.push([credential.name, await tried(route, credential)]);
    expect(Object.fromEntries(cells)).toEqual(
      Object.fromEntries(credentials.map((credential) => [credential.name, expected(route, credential)])),
    );
  });
});

describe.each(routes.filter(({ part }) => part === 'api').map((route) => [nameOf(route), route] as const))(
  '%s, when something changes',
  (_name, route) => {
    const bearer = (token: string): Credential => ({
      name: '',
      authorization: `Bearer ${token}`,
      proves: 'nobody',
    });

    it('refuses a key from the request after its revocation on', async () => {
      const { key, keyId } = await host.keyFor(['admin']);
      const before = await tried(route, bearer(key));
      await host.config.revokeApiKey(MINE, keyId, NOW);
      const isPublic = accessOf(route) === 'public';
      expect([before === '401', await tried(route, bearer(key))]).toEqual([false, isPublic ? 'pass' : '401']);
    });

    it('takes the role from the membership record of this very request', async () => {
      const { signIn } = host;
      for (const role of MEMBER_ROLES) {
        await host.config.putMember({ sub: 'moving', merchantId: THEIRS, role });
        const credential: Credential = { ...bearer(await signIn('moving')), proves: { role } };
        expect(await tried(route, credential)).toBe(expected(route, credential));
      }
    });
  },
);

describe('the matrix', () => {
  it('has every verdict in it, and names that are told apart', () => {
    const cells = routes.flatMap((route) => credentials.map((credential) => expected(route, credential)));
    expect(new Set(cells)).toEqual(new Set(['401', '403', 'pass']));
    expect(new Set(credentials.map(({ name }) => name)).size).toBe(credentials.length);
    expect(cells.length).toBe(routes.length * credentials.length);
    expect(credentials.length).toBeGreaterThanOrEqual(25);
  });

  it('keeps keys away from billing, whatever their scope, and all but owners', () => {
    const billing = Object.entries(ACCESS).filter(([name]) => name.includes('/v1/billing/'));
    const guarded = billing.filter(([, access]) => access !== 'public');
    expect(guarded.map(([, access]) => access)).toEqual(guarded.map(() => ({ session: 'own:merchant' })));
    expect(billing.filter(([, access]) => access === 'public').map(([name]) => name)).toContain(
      'GET /v1/billing/plans',
    );
  });

  it('lets an agent nowhere, and a viewer change nothing', () => {
    const open = (role: 'agent' | 'viewer') =>
      routes
        .filter((route) => expected(route, { name: '', authorization: '', proves: { role } }) === 'pass')
        .filter((route) => route.auth !== 'public');
    // An invitation to another shop, or a new one, is no matter of this one.
    const joining = ['POST /v1/members/invitations/accept'];
    const making = 'POST /v1/merchants';
    expect(open('agent').map(nameOf)).toEqual([...joining, 'GET /v1/me', making]);
    expect(
      open('viewer')
        .filter((route) => !isReading(route))
        .map(nameOf),
    ).toEqual([...joining, making]);
    expect(open('viewer').length).toBeGreaterThan(20);
  });

  it('asks for the credential before it looks at the body, and takes the scheme in any case', async () => {
    const spoiled = await host.call('/v1/platforms', { method: 'POST', body: '{"a":1,"a":2}' });
    expect(spoiled.status).toBe(401);
    const headers = { authorization: `bEARER ${await host.signIn('mine-member')}` };
    expect((await host.call('/v1/events', { headers })).status).toBe(200);
  });
});
