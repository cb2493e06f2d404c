// The person who is signed in. Guarantees: merchants in whose teams the person is at this moment, and no others.
import type { Handlers } from '#lib/core/http/handler.ts';
import { standingOf } from '#lib/core/tenancy/authenticate.ts';
import type { ME_ROUTES } from '#lib/events/routes/me.ts';
import type { ApiPorts } from '../ports.ts';

export function meHandlers(ports: Pick<ApiPorts, 'config' | 'clock'>): Handlers<(typeof ME_ROUTES)[number]> {
  return {
    async getPerson({ caller: { sub } }) {
      const standing = await standingOf(sub, undefined, ports);
      const merchants = standing.map(({ merchantId: id, name = id, role, isSuspended = false }) => ({
        id,
        name,
        role,
        suspended: isSuspended,
      }));
      return { status: 200, body: { success: true, id: sub, merchants } };
    },
  };
}
