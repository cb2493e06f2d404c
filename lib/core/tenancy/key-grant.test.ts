// Goal: whoever makes a key, it opens nothing that its maker could not. Method: every maker with every wish.
import { expect, it } from 'vitest';
import { EVENT_SCOPES, type EventScope, opensOf, scopesOfRole } from '../../events/domain/scopes.ts';
import { API_KEY_ENVIRONMENTS } from './api-key.ts';
import type { Caller } from './caller.ts';
import { exceededBy } from './key-grant.ts';
import { MEMBER_ROLES } from './merchant.ts';

const subsets: EventScope[][] = Array.from({ length: 2 ** EVENT_SCOPES.length - 1 }, (_, i) =>
  EVENT_SCOPES.filter((_scope, bit) => ((i + 1) >> bit) % 2 === 1),
);
const ENDS = [undefined, 1_000, 2_000];

it('grants a key of a key nothing the first one has not', () => {
  let granted = 0;
  for (const scopes of subsets)
    for (const wantedScopes of subsets)
      for (const environment of API_KEY_ENVIRONMENTS)
        for (const wantedEnvironment of API_KEY_ENVIRONMENTS)
          for (const expiresAtMs of ENDS)
            for (const wantedEnd of ENDS) {
              const limits = { environment: environment === 'test' ? environment : undefined, expiresAtMs };
              const caller = { scopes: opensOf(scopes), limits };
              const wanted = { scopes: wantedScopes, environment: wantedEnvironment, expiresAtMs: wantedEnd };
              if (exceededBy(caller, wanted) !== null) continue;
              granted += 1;
              const opens = scopes.includes('admin') ? EVENT_SCOPES : scopes;
              expect(opens).toEqual(expect.arrayContaining(wantedScopes));
              if (environment === 'test') expect(wantedEnvironment).toBe('test');
              if (expiresAtMs !== undefined) expect(wantedEnd).toBeLessThanOrEqual(expiresAtMs);
            }
  expect(granted).toBeGreaterThan(500);
});

it.each(MEMBER_ROLES)('lets a person with the role %s grant what the role has', (role) => {
  const caller: Caller = { kind: 'session', sub: 's', merchantId: 'm', role, scopes: scopesOfRole(role) };
  const wanted = { scopes: ['events:write'], environment: 'live' } as const;
  expect(exceededBy(caller, wanted)).toBe(role === 'member' ? 'scopes' : null);
});
