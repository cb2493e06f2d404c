// Erasing a person, and the list of people whose later events are not to name them. Few requests are about either: what answers them is
// loaded by the first.
import type { Handlers } from '#lib/core/http/handler.ts';
import type { PRIVACY_ROUTES } from '#lib/events/routes/privacy.ts';
import type { ApiPorts } from '../ports.ts';

const erasures = () => import('../privacy/erasures.ts');
const suppressions = () => import('../privacy/suppressions.ts');

export function privacyHandlers(ports: ApiPorts): Handlers<(typeof PRIVACY_ROUTES)[number]> {
  return {
    createErasure: async (call) => (await erasures()).createErasure(call, ports),
    listErasures: async (call) => (await erasures()).listErasures(call, ports),
    readErasure: async (call) => (await erasures()).readErasure(call, ports),
    suppressPerson: async (call) => (await suppressions()).suppressPerson(call, ports),
    importSuppressed: async (call) => (await suppressions()).importSuppressed(call, ports),
    countSuppressed: async (call) => (await suppressions()).countSuppressed(call, ports),
    unsuppressPerson: async (call) => (await suppressions()).unsuppressPerson(call, ports),
  };
}
