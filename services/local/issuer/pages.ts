// The issuer's pages: the password page, and the ends of signing in and out. Guarantees: no script, nothing from elsewhere;
// all values of the request are shown as text, never as markup.
import { contentPolicy, escaped, htmlPage } from '../http/html.ts';

const STYLE = `
:root{color-scheme:light dark;--ink:#16202c;--soft:#5a6675;--line:#cdd5de;--paper:#fff;--back:#f3f5f8;--key:#1f5fbf;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e8edf3;--soft:#9aa7b6;--line:#3a4655;--paper:#1b232d;--back:#11171e;--key:#7fb0ff;--bad:#ff9a91}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{width:min(24rem,calc(100vw - 2rem));padding:2rem;background:var(--paper);border:1px solid var(--line);border-radius:12px}
h1{margin:0 0 .25rem;font-size:1.375rem}
p{margin:0 0 1.25rem;color:var(--soft)}
p.bad{color:var(--bad)}
label{display:block;margin:0 0 .25rem;font-weight:600}
input{width:100%;margin:0 0 1rem;padding:.625rem .75rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:8px}
button{width:100%;padding:.625rem .75rem;font:inherit;font-weight:600;color:var(--paper);background:var(--key);border:0;border-radius:8px;cursor:pointer}
button.other{margin-top:.75rem;color:var(--ink);background:transparent;border:1px solid var(--line)}
:focus-visible{outline:3px solid var(--key);outline-offset:2px}
`;

/** `returns`: origins a form may finally lead to; browsers check redirects after a form against this list as well. */
export function pageHeaders(returns: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentPolicy(STYLE, ["'self'", ...returns].join(' ')),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

export interface SignInPage {
  /** What was typed before. */
  readonly email?: string;
  readonly problem?: string;
}

export function signInPage({ email = '', problem }: SignInPage): string {
  return page(
    'Sign in',
    `<h1>Sign in to Millrace</h1>
${problem === undefined ? '<p>This machine’s own sign-in.</p>' : `<p class="bad" role="alert">${escaped(problem)}</p>`}
<form method="post" autocomplete="on">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${escaped(email)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256">
<button type="submit">Sign in</button>
</form>`,
  );
}

/** `form` comes from the library: hidden fields and the address that takes them. */
export function signOutPage(form: string): string {
  return page(
    'Sign out',
    `<h1>Sign out of Millrace?</h1>
<p>The pages that are signed in on this browser are signed out with it.</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button class="other" type="submit" form="op.logoutForm">Stay signed in</button>`,
  );
}

/** For a person who opens the address that is printed at the start. */
export function aboutPage(): string {
  return page(
    'Sign-in',
    '<h1>Millrace signs people in here</h1>\n<p>Begin at a page of the dashboard: it sends you here for the password.</p>',
  );
}

export function signedOutPage(): string {
  return page('Signed out', '<h1>You are signed out</h1>\n<p>You can close this page.</p>');
}

export function errorPage(problem: string): string {
  return page(
    'Not signed in',
    `<h1>That did not work</h1>\n<p class="bad" role="alert">${escaped(problem)}</p>\n<p>Go back to the page you came from and start again.</p>`,
  );
}

const page = (title: string, body: string): string =>
  htmlPage(`${title} · Millrace`, STYLE, `<main>\n${body}\n</main>`);
