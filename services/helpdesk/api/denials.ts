// Calls that are refused because their key or role does not open them, in the audit log: who tried what. Guarantees: of one
// caller and operation one entry an hour and process, and one a minute in all processes, however many calls are refused; what
// cannot be written changes no answer.
import type { DeniedCall } from '#lib/adapters/fastify/http-app.ts';
import { actorOf } from '#lib/core/tenancy/caller.ts';
import { auditEntry } from '#lib/helpdesk/domain/audit/audit.ts';
import type { HelpdeskApiPorts } from './ports.ts';

const QUIET_MS = 3_600_000;
/** Callers and operations that are remembered: of more some leave another entry. */
const REMEMBERED_MAX = 10_000;

type Ports = Pick<HelpdeskApiPorts, 'stores' | 'limiter' | 'clock' | 'random' | 'report'>;

export function denialsOf({ stores, limiter, clock, random, report }: Ports) {
  const quietUntilMs = new Map<string, number>();
  return async (denial: DeniedCall): Promise<void> => {
    const { route, caller } = denial;
    const atMs = clock.now();
    const name = JSON.stringify(['denied', caller.merchantId, actorOf(caller), route.id]);
    if ((quietUntilMs.get(name) ?? 0) > atMs) return;
    if (quietUntilMs.size >= REMEMBERED_MAX) quietUntilMs.clear();
    quietUntilMs.set(name, atMs + QUIET_MS);
    try {
      const { granted } = await limiter.take(name, 1, atMs);
      if (!granted) return;
      const { auth } = route;
      const needed = auth === 'public' ? null : (auth.key ?? auth.session ?? null);
      const entry = auditEntry(
        denial,
        {
          action: 'auth.denied',
          resourceType: 'operation',
          resourceId: route.id,
          metadata: { method: route.method, path: route.path, needed },
        },
        { id: random.uuidv7(atMs), atMs },
      );
      await stores.audit.append(entry);
    } catch (error) {
      report('a refused call left no entry in the audit log', error, { requestId: denial.requestId });
    }
  };
}
