// Previews and tests. What they need and nothing else does is loaded by the first of them.

import { audit } from '#lib/core/audit-log/audit.ts';
import type { Handlers } from '#lib/core/http/handler.ts';
import type { Tokens } from '#lib/events/pipeline/connections/access-tokens.ts';
import type { PLATFORM_CHECK_ROUTES } from '#lib/events/routes/platforms/platform-checks.ts';
import type { ApiPorts } from '../ports.ts';

export function platformCheckHandlers(ports: ApiPorts): Handlers<(typeof PLATFORM_CHECK_ROUTES)[number]> {
  let tokens: Promise<Tokens> | undefined;
  return {
    async previewPlatform({ caller, body }) {
      const { previewRequest } = await import('../preview/preview-request.ts');
      const preview = await previewRequest(caller.merchantId, body, ports);
      return 'failure' in preview ? preview : { status: 200, body: preview };
    },

    async testPlatform({ caller, params }) {
      tokens ??= openTokens(ports);
      const { sendTest } = await import('../connection-test/send-test.ts');
      const result = await sendTest(caller.merchantId, params.id, ports, await tokens);
      if ('failure' in result) return result;
      await audit(caller, 'connection.test', result.connection_id, ports);
      return { status: 200, body: result };
    },
  };
}

/** Kept for the life of the process: a token is asked for once an hour, not once a test. */
export async function openTokens(ports: ApiPorts): Promise<Tokens> {
  const { createTokens } = await import('#lib/events/pipeline/connections/access-tokens.ts');
  return createTokens({ transport: await ports.transport(), clock: ports.clock });
}
