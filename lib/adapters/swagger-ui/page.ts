// The page that draws an OpenAPI document of its own origin, `/openapi.json`. Guarantees: it loads from its own origin only, and
// says so to the browser. The document is folded by the first request for it: no other one pays for that.
import { swaggerUiFile } from './files.ts';

interface FileRequest {
  readonly headers: { readonly 'accept-encoding'?: string | undefined };
}

/** What the routes of core's `documentRoutes` answer. `title`: plain text without markup. */
export function documentAnswers(title: string, fold: () => Promise<Record<string, unknown>>) {
  let document: Promise<Record<string, unknown>> | undefined;
  return {
    async openApi() {
      document ??= fold();
      return { status: 200 as const, body: await document };
    },
    async docs() {
      return {
        status: 200 as const,
        body: docsPage(title),
        headers: { 'content-security-policy': DOCS_POLICY },
      };
    },
    script: ({ headers }: FileRequest) => swaggerUiFile('script', headers['accept-encoding']),
    async start() {
      return { status: 200 as const, body: DOCS_START };
    },
    style: ({ headers }: FileRequest) => swaggerUiFile('style', headers['accept-encoding']),
  };
}

const docsPage = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
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

const DOCS_START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null });
`;

/** Images of the style are in it, as data. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
