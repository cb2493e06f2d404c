import { documentAnswers } from '#lib/adapters/swagger-ui/page.ts';
import type { Handlers } from '#lib/core/http/handler.ts';
import type { DOCUMENT_ROUTES } from '#lib/events/routes/every-route.ts';

export function documentHandlers(): Handlers<(typeof DOCUMENT_ROUTES)[number]> {
  const answers = documentAnswers('Millrace API', foldDocument);
  return {
    getOpenApi: answers.openApi,
    getDocs: answers.docs,
    getDocsScript: answers.script,
    getDocsStart: answers.start,
    getDocsStyle: answers.style,
  };
}

async function foldDocument(): Promise<Record<string, unknown>> {
  const { eventsDocument } = await import('#lib/events/routes/document.ts');
  return eventsDocument(undefined, '/');
}
