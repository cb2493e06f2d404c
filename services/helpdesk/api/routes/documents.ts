// The API documents and the health check. The OpenAPI document is built by the first request for it.
import { swaggerUiFile } from '#lib/adapters/swagger-ui/files.ts';
import { DOCS_POLICY, DOCS_START, docsPage } from '#lib/adapters/swagger-ui/page.ts';
import type { Handlers } from '#lib/core/http/handler.ts';
import type { HELPDESK_DOCUMENT_ROUTES } from '#lib/helpdesk/routes/documents.ts';

export function helpdeskDocumentHandlers(): Handlers<(typeof HELPDESK_DOCUMENT_ROUTES)[number]> {
  let document: Promise<Record<string, unknown>> | undefined;
  return {
    async getHelpdeskHealth() {
      return { status: 200, body: { success: true } };
    },
    async getHelpdeskOpenApi() {
      document ??= foldDocument();
      return { status: 200, body: await document };
    },
    async getHelpdeskDocs() {
      const headers = { 'content-security-policy': DOCS_POLICY };
      return { status: 200, body: docsPage('Millrace Helpdesk API'), headers };
    },
    getHelpdeskDocsScript: ({ headers }) => swaggerUiFile('script', headers['accept-encoding']),
    async getHelpdeskDocsStart() {
      return { status: 200, body: DOCS_START };
    },
    getHelpdeskDocsStyle: ({ headers }) => swaggerUiFile('style', headers['accept-encoding']),
  };
}

async function foldDocument(): Promise<Record<string, unknown>> {
  const { helpdeskDocument } = await import('#lib/helpdesk/routes/document.ts');
  return helpdeskDocument('/');
}
