// Which accounts and secrets the stand-in vendors know. Without a list every account exists and every secret opens
// it, except those that say of themselves that they do not.
import type { PlatformSandbox, SandboxContext } from './platforms/platform-sandbox.ts';

/** Platform slug → credentials as a merchant would enter them. */
export type ValidCredentials = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** What was entered for this account; undefined where nobody knows. */
export function credentialsOf(
  sandbox: PlatformSandbox,
  valid: ValidCredentials | undefined,
  account: string,
): Readonly<Record<string, unknown>> | undefined {
  return valid?.[sandbox.slug]?.find((credentials) =>
    loginsOf(sandbox, credentials).some((login) => login.account === account),
  );
}

const loginsOf = (sandbox: PlatformSandbox, credentials: Readonly<Record<string, unknown>>) => [
  sandbox.login(credentials),
  ...(sandbox.appLogin === undefined ? [] : [sandbox.appLogin(credentials)]),
];

const TELLTALE = /invalid|expired|revoked/i;

export function accountCheck(
  sandbox: PlatformSandbox,
  valid: ValidCredentials | undefined,
): SandboxContext['check'] {
  const list = valid?.[sandbox.slug];
  if (list === undefined)
    return (_account, secret) => (secret === '' || TELLTALE.test(secret) ? 'wrong_secret' : 'ok');
  const logins = list.flatMap((credentials) => loginsOf(sandbox, credentials));
  return (account, secret) => {
    if (!logins.some((login) => login.secret === secret)) return 'wrong_secret';
    return logins.some((login) => login.secret === secret && login.account === account)
      ? 'ok'
      : 'unknown_account';
  };
}
