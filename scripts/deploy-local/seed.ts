// What a deployed stack needs before its tests can use it: a merchant, made as an operator makes one, and every platform connected
// with the credentials its sandbox accepts, over the API as a merchant would, unless requests go to the platforms themselves.
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import samples from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };
import type { Deployment } from '../millrace/deployment.ts';
import { createMerchant } from '../millrace/merchants.ts';

const SAMPLES: Readonly<Record<string, unknown>> = samples;

export interface Seeded {
  readonly merchantId: string;
  readonly apiKey: string;
  readonly helpdeskApiKey: string;
}

export async function seed(
  deployment: Deployment,
  owner: { readonly subject?: string | undefined; readonly email: string },
  { name = 'E2E Shop', connects = true } = {},
): Promise<Seeded> {
  const { merchant, keys } = await createMerchant(deployment, {
    name,
    owner: owner.email,
    subject: owner.subject,
    environment: 'test',
    adminKey: true,
    newKeys: false,
  });
  const secretOf = (wanted: string): string => {
    const secret = keys.find(({ kind }) => kind === wanted)?.secret;
    if (typeof secret !== 'string') throw new Error(`the deployment gave no key ${wanted}`);
    return secret;
  };
  const authorization = `Bearer ${secretOf('admin')}`;
  for (const { slug, label, experimental } of connects ? PLATFORMS : []) {
    const response = await fetch(`${deployment.apiUrl}/v1/platforms`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        platform: slug,
        name: label,
        credentials: SAMPLES[slug],
        ...(experimental === true ? { confirm_experimental: true } : {}),
      }),
    });
    if (response.status !== 201)
      throw new Error(`${slug} could not be connected: ${response.status} ${await response.text()}`);
  }
  const helpdeskApiKey = deployment.helpdeskUrl === null ? '' : secretOf('helpdesk');
  return { merchantId: merchant.id, apiKey: secretOf('admin'), helpdeskApiKey };
}

/** Where everything is, in the words of the local host's `session.json`. */
export const sessionOf = (
  { ingestionUrl, apiUrl, helpdeskUrl }: Deployment,
  { merchantId, apiKey, helpdeskApiKey }: Seeded,
  { sandboxUrl, sessionJwt }: { readonly sandboxUrl: string; readonly sessionJwt: string },
) => ({
  ingestion_url: ingestionUrl,
  api_url: apiUrl,
  helpdesk_url: helpdeskUrl,
  sandbox_url: sandboxUrl,
  merchant_id: merchantId,
  api_key: apiKey,
  helpdesk_api_key: helpdeskApiKey,
  session_jwt: sessionJwt,
});
