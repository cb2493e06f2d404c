// The documents. Guarantees: the page loads from its own origin only, and says so to the browser. The contract is folded by
// the first request that asks for it: no other one pays for that.
import { swaggerUiFile } from '../../../../lib/adapters/swagger-ui/files.ts';
import type { Handlers } from '../../../../lib/core/http/handler.ts';
import type { DOCUMENT_ROUTES } from '../../../../lib/events/routes/documents.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Millrace API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null });
`;
/** Images of the style are in it, as data. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const KEPT = { 'cache-control': 'public, max-age=86400' } as const;

export function documentHandlers(): Handlers<(typeof DOCUMENT_ROUTES)[number]> {
  let document: Promise<Record<string, unknown>> | undefined;
  return {
    async getOpenApi() {
      document ??= foldDocument();
      return { status: 200, body: await document };
    },
    async getDocs() {
      return { status: 200, body: PAGE, headers: { 'content-security-policy': PAGE_POLICY } };
    },
    async getDocsScript() {
      return { status: 200, body: await swaggerUiFile('script'), headers: KEPT };
    },
    async getDocsStart() {
      return { status: 200, body: START };
    },
    async getDocsStyle() {
      return { status: 200, body: await swaggerUiFile('style'), headers: KEPT };
    },
  };
}

async function foldDocument(): Promise<Record<string, unknown>> {
  const { openApiDocument } = await import('../../../../lib/core/http/openapi.ts');
  const { ROUTES } = await import('../../../../lib/events/routes/every-route.ts');
  return openApiDocument(ROUTES, { api: '/' });
}
