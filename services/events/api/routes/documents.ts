// The documents. Guarantees: the page loads from its own origin only, and says so to the browser. The contract is folded by
// the first request that asks for it: no other one pays for that.
import { swaggerUiFile } from '#lib/adapters/swagger-ui/files.ts';
import { DOCS_POLICY, DOCS_START, docsPage } from '#lib/adapters/swagger-ui/page.ts';
import type { Handlers } from '#lib/core/http/handler.ts';
import type { DOCUMENT_ROUTES } from '#lib/events/routes/documents.ts';

export function documentHandlers(): Handlers<(typeof DOCUMENT_ROUTES)[number]> {
  let document: Promise<Record<string, unknown>> | undefined;
  return {
    async getOpenApi() {
      document ??= foldDocument();
      return { status: 200, body: await document };
    },
    async getDocs() {
      const headers = { 'content-security-policy': DOCS_POLICY };
      return { status: 200, body: docsPage('Millrace API'), headers };
    },
    getDocsScript: ({ headers }) => swaggerUiFile('script', headers['accept-encoding']),
    async getDocsStart() {
      return { status: 200, body: DOCS_START };
    },
    getDocsStyle: ({ headers }) => swaggerUiFile('style', headers['accept-encoding']),
  };
}

async function foldDocument(): Promise<Record<string, unknown>> {
  const { openApiDocument } = await import('#lib/core/http/openapi.ts');
  const { ROUTES } = await import('#lib/events/routes/every-route.ts');
  return openApiDocument(ROUTES, { api: '/' });
}
