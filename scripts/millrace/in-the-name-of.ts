// Asks the API as a merchant would, with a key of minutes that the operator function hands out and notes in the merchant's audit log.
import * as z from 'zod';
import { ApiError, type Client, createClient } from '#lib/client/client.ts';
import type { Deployment } from './deployment.ts';
import type { Ask } from './operator-function.ts';

/** `merchant`: its id. `work` may take longer than a key lasts. */
export type Within = <T>(
  merchant: string,
  purpose: 'read' | 'change',
  work: (client: Client) => Promise<T>,
) => Promise<T>;

const pass = z.object({ key: z.string(), expires_at: z.string() });
const ended = z.object({ ended: z.boolean() });

const RENEWED_BEFORE_MS = 120_000;
const TRIES = 6;

export const withinOf =
  ({ apiUrl, ingestionUrl }: Pick<Deployment, 'apiUrl' | 'ingestionUrl'>, ask: Ask): Within =>
  async (merchant, purpose, work) => {
    if (apiUrl === null || ingestionUrl === null)
      throw new Error('The product of events is not deployed there: this command asks its API.');
    let held: z.output<typeof pass> | undefined;
    const end = async () => {
      if (held !== undefined) await ask('merchants/end', { key: held.key }, ended);
      held = undefined;
    };
    const token = async (): Promise<string> => {
      if (held !== undefined && Date.parse(held.expires_at) - Date.now() > RENEWED_BEFORE_MS) return held.key;
      await end();
      held = await ask(`merchants/${purpose}`, { merchant }, pass);
      return held.key;
    };
    try {
      return await work(createClient({ apiUrl, ingestionUrl, token, tries: TRIES }));
    } catch (error) {
      throw error instanceof ApiError ? refusalOf(error) : error;
    } finally {
      // One that stays is worth nothing within minutes.
      await end().catch(() => undefined);
    }
  };

function refusalOf(error: ApiError): Error {
  const { message, details, retryAfterSec } = error;
  const told = details.map(({ path, message: text }) => `${path} ${text}`.trim());
  const later = retryAfterSec === null ? [] : [`Repeat it after ${retryAfterSec} s.`];
  return new Error([message, ...told, ...later].join('\n  '), { cause: error });
}
