// What `npm run test:deployed` runs against a deployment. Refuses with a sentence; touches nothing.
import type { Deployment } from '../millrace/deployment.ts';

export const USAGE = `npm run test:deployed -- [options] [test files]
  --environment <name>   of several deployments in the region
  --owner <address>      of the merchant that is made; gets an invitation where Cognito has the people
  --subject <subject>    of the owner, where authIssuer is set
  --sandbox <url>        where this machine reaches the sandbox of the deployment
  --no-deliveries        runs what sends nothing to any platform, also where none is a sandbox
MILLRACE_SESSION_JWT: a session of the owner, for what only people may do`;

const DELIVERING = ['test/e2e/main-job'];
const HELPDESK = ['test/e2e/helpdesk.e2e'];
/** Nothing is ever sent to addresses of this domain. */
const EMULATED_OWNER = 'owner@shop.example';

export interface Asked {
  readonly owner?: string | undefined;
  readonly subject?: string | undefined;
  readonly sandbox?: string | undefined;
  readonly noDeliveries: boolean;
  readonly tests: readonly string[];
}

export interface DeployedRun {
  readonly name: string;
  readonly owner: { readonly email: string; readonly subject?: string | undefined };
  /** Whether the merchant gets platforms. */
  readonly connects: boolean;
  readonly sandboxUrl: string;
  readonly sessionJwt: string | undefined;
  readonly tests: readonly string[];
}

export function deployedRun(
  {
    region,
    ingestionUrl,
    helpdeskUrl,
    sandboxUrl,
  }: Pick<Deployment, 'region' | 'ingestionUrl' | 'helpdeskUrl' | 'sandboxUrl'>,
  { owner, subject, sandbox, noDeliveries, tests }: Asked,
  env: Readonly<Record<string, string | undefined>>,
  now: Date,
): DeployedRun {
  const isEmulated = env.AWS_ENDPOINT_URL !== undefined;
  if (sandboxUrl === undefined && ingestionUrl !== null && !noDeliveries)
    throw new Error(
      `The deployment in ${region} delivers to the platforms themselves, which events of tests must not reach: deploy one with sandboxUrl, or add --no-deliveries.`,
    );
  if (owner === undefined && !isEmulated)
    throw new Error('The merchant of the tests needs an owner: --owner with an address that is yours.');
  // Merchants of earlier runs stay, and a person can be in so many: each run has an owner of its own, whose mail reaches the same person.
  const run = now.getTime().toString(36);
  const email = (owner ?? EMULATED_OWNER).replace('@', `+${run}@`);
  const connects = ingestionUrl !== null && !noDeliveries;
  const all = [...(connects ? DELIVERING : []), ...(helpdeskUrl === null ? [] : HELPDESK)];
  if (all.length === 0)
    throw new Error(
      `The deployment in ${region} has no helpdesk, and without deliveries nothing else is tested.`,
    );
  return {
    name: `Tests of ${now.toISOString()}`,
    owner: { email, subject: subject ?? (isEmulated ? `tests-${run}` : undefined) },
    connects,
    sandboxUrl: (sandbox ?? sandboxUrl ?? '').replace(/\/$/, ''),
    sessionJwt: env.MILLRACE_SESSION_JWT,
    tests: tests.length === 0 ? all : tests,
  };
}
