// What AWS refused, in a sentence that says what to do.

const NO_CREDENTIALS: ReadonlySet<string> = new Set(['CredentialsProviderError', 'TokenProviderError']);
const BAD_CREDENTIALS: ReadonlySet<string> = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'SignatureDoesNotMatch',
]);
const DENIED: ReadonlySet<string> = new Set(['AccessDenied', 'AccessDeniedException']);

/** `what`: what could not be done. */
export function awsProblem(error: unknown, what: string): Error {
  const { name, message, code } = error as Error & { readonly code?: string };
  const said = (sentence: string) => new Error(sentence, { cause: error });
  if (/Region is missing/.test(message))
    return said('No AWS region is set: export AWS_REGION=eu-central-1, or set one in your AWS profile.');
  if (NO_CREDENTIALS.has(name))
    return said('There are no AWS credentials: aws configure, aws sso login, or export AWS_PROFILE=….');
  if (BAD_CREDENTIALS.has(name))
    return said(`AWS does not take these credentials (${name}): sign in again, or export AWS_PROFILE=….`);
  if (DENIED.has(name)) return said(`AWS does not allow it: ${what}. ${message}`);
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return said(`Nothing answers at ${process.env.AWS_ENDPOINT_URL ?? 'AWS'}: ${what} (${code}).`);
  return said(`${what}: ${name}: ${message}`);
}

/** Rejects with that sentence. */
export async function asked<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw awsProblem(error, what);
  }
}

/** By a client of its own, which ends with the answer. */
export async function askedBy<Client extends { destroy(): void }, T>(
  client: Client,
  what: string,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    return await asked(what, () => ask(client));
  } finally {
    client.destroy();
  }
}

/** `otherwise` where AWS answers with this problem. */
export async function orElse<T, E>(answer: Promise<T>, problem: string, otherwise: E): Promise<T | E> {
  try {
    return await answer;
  } catch (error) {
    if ((error as Error).name === problem) return otherwise;
    throw error;
  }
}
