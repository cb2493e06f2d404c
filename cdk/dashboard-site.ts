// How the dashboard's files are served, as data: which paths are whose, and with what headers. The distribution and the local
// host both serve by it (the local host's template leaves the distribution out).
// Guarantees: no script, style or connection but the pages' own origin and where people sign in; nothing inline; no framing.

/** Of the APIs; every other path is a file of the site, by services/dashboard/edge.js. */
export const API_PATHS = { events: '/v1/', helpdesk: '/api/' } as const;

/** Names of files below say their content. */
export const HASHED_FILES = '/assets/';
export const HASHED_CACHE = 'public, max-age=31536000, immutable';
export const OTHER_CACHE = 'no-cache';

/** `signIn`: origins of the issuer and of its token endpoint. */
export function contentSecurityPolicy(signIn: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ['connect-src', "'self'", ...new Set(signIn)].join(' '),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

export const HSTS_SEC = 63_072_000;

/** Of every file of the site. */
export const siteHeaders = (signIn: readonly string[]): Readonly<Record<string, string>> => ({
  'content-security-policy': contentSecurityPolicy(signIn),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'strict-transport-security': `max-age=${HSTS_SEC}; includeSubDomains`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});

/** How its files are built into a folder: a program of Node, from the root of the repository. */
export const siteBuild = (outdir: string) => ({
  args: ['node_modules/vite/bin/vite.js', 'build', 'services/dashboard', '--logLevel', 'warn'],
  env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', MILLRACE_DASHBOARD_OUT: outdir },
});
