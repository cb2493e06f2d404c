// The person who is signed in. Guarantees: merchants in whose teams the person is at this moment, and no others.
import type { Handlers } from '#lib/core/http/handler.ts';
import { standingOf } from '#lib/core/tenancy/authenticate.ts';
import type { ME_ROUTES } from '#lib/events/routes/me.ts';
import type { ApiPorts } from '../ports.ts';

export function meHandlers(ports: ApiPorts): Handlers<(typeof ME_ROUTES)[number]> {
  return {
    // Most processes never make one, nor most deployments.
    async createMerchant(call) {
      if (ports.signUp === null) return { failure: 'sign_up_closed' };
      const { createMerchantHandler } = await import('../sign-up/sign-up.ts');
      return await createMerchantHandler({ ...ports, signUp: ports.signUp })(call);
    },

    async getPerson({ caller: { sub } }) {
      const standing = await standingOf(sub, undefined, ports);
      const merchants = standing.map(({ merchantId: id, name = id, role, isSuspended = false }) => ({
        id,
        name,
        role,
        suspended: isSuspended,
      }));
      const mayCreate = merchants.length < (ports.signUp?.rules.shops ?? 0);
      return { status: 200, body: { success: true, id: sub, merchants, may_create_merchant: mayCreate } };
    },
  };
}
