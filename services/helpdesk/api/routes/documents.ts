// The API documents and the health check.
import { documentAnswers } from '#lib/adapters/swagger-ui/page.ts';
import type { Handlers } from '#lib/core/http/handler.ts';
import type { HELPDESK_DOCUMENT_ROUTES } from '#lib/helpdesk/routes/documents.ts';

export function helpdeskDocumentHandlers(): Handlers<(typeof HELPDESK_DOCUMENT_ROUTES)[number]> {
  const answers = documentAnswers('Millrace Helpdesk API', foldDocument);
  return {
    async getHelpdeskHealth() {
      return { status: 200, body: { success: true } };
    },
    getHelpdeskOpenApi: answers.openApi,
    getHelpdeskDocs: answers.docs,
    getHelpdeskDocsScript: answers.script,
    getHelpdeskDocsStart: answers.start,
    getHelpdeskDocsStyle: answers.style,
  };
}

async function foldDocument(): Promise<Record<string, unknown>> {
  const { helpdeskDocument } = await import('#lib/helpdesk/routes/document.ts');
  return helpdeskDocument('/');
}
