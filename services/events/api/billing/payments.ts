// The payment provider of this deployment, or what is missing for one. Guarantees: secrets are read when they are first needed
// and kept for five minutes, so that a process follows a new one; the provider's library is loaded with them, not before.
import type { Clock, Random } from '#lib/core/ports/clock.ts';
import { Outage } from '#lib/core/work/outage.ts';
import type { PaymentProvider, Payments, PaymentsMissing } from '#lib/events/ports/payment-provider.ts';

export interface PaymentSettings {
  readonly STRIPE_SECRET_KEY_PARAMETER?: string | undefined;
  readonly STRIPE_WEBHOOK_SECRET_PARAMETER?: string | undefined;
  readonly STRIPE_API_URL?: string | undefined;
}

export interface PaymentParts {
  readonly clock: Clock;
  readonly random: Random;
  /** Name → value of those that are there. */
  readonly readSecrets: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

const SECRETS_AGE_MAX_MS = 300_000;
const SECRET_KEY = /^[rs]k_(?:test|live)_\w+$/;
const WEBHOOK_SECRET = /^whsec_\S+$/;

/** True where the deployment names its secrets; whether they are there is found out when they are needed. */
export const namesSecrets = (settings: PaymentSettings): boolean =>
  settings.STRIPE_SECRET_KEY_PARAMETER !== undefined &&
  settings.STRIPE_WEBHOOK_SECRET_PARAMETER !== undefined;

export function paymentsOf(settings: PaymentSettings, parts: PaymentParts): Payments {
  const { STRIPE_SECRET_KEY_PARAMETER: keyName, STRIPE_WEBHOOK_SECRET_PARAMETER: webhookName } = settings;
  if (keyName === undefined || webhookName === undefined) return async () => ({ missing: UNNAMED });
  let loaded:
    | { readonly atMs: number; readonly provider: Promise<PaymentProvider | PaymentsMissing> }
    | undefined;
  return async () => {
    const nowMs = parts.clock.now();
    if (loaded === undefined || nowMs - loaded.atMs >= SECRETS_AGE_MAX_MS)
      loaded = { atMs: nowMs, provider: load([keyName, webhookName], settings.STRIPE_API_URL, parts) };
    const { provider } = loaded;
    try {
      const found = await provider;
      // What is missing now may be there at the next request.
      if ('missing' in found) loaded = undefined;
      return found;
    } catch (error) {
      loaded = undefined;
      throw error;
    }
  };
}

async function load(
  [keyName, webhookName]: readonly [string, string],
  apiUrl: string | undefined,
  { clock, random, readSecrets }: PaymentParts,
): Promise<PaymentProvider | PaymentsMissing> {
  const secrets = await readSecrets([keyName, webhookName]).catch((cause: unknown) => {
    throw new Outage('the secrets of the payment provider cannot be read', { cause });
  });
  const secretKey = secrets.get(keyName) ?? '';
  const webhookSecret = secrets.get(webhookName) ?? '';
  const missing = [
    ...(SECRET_KEY.test(secretKey) ? [] : [wanted(keyName, 'a secret key of Stripe, sk_… or rk_…')]),
    ...(WEBHOOK_SECRET.test(webhookSecret)
      ? []
      : [wanted(webhookName, 'the signing secret of a webhook, whsec_…')]),
  ];
  if (missing.length > 0) return { missing };
  const { createStripePayments } = await import('#lib/adapters/stripe/payment-provider.ts');
  return createStripePayments({ secretKey, webhookSecret, apiUrl }, { clock, random });
}

const wanted = (name: string, what: string) => ({
  path: name,
  message: `must be a parameter that holds ${what}`,
});
const UNNAMED = ['stripeSecretKeyParameter', 'stripeWebhookSecretParameter'].map((path) => ({
  path,
  message: 'must be set for this deployment: the name of a SecureString parameter',
}));
