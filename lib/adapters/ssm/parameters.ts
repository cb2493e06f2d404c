// Secrets that rest in AWS Systems Manager as SecureString parameters, which cost nothing. Guarantees: one request for all,
// decrypted on the way; one that is not there is absent, any failure is thrown.
import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';

/** Name → value. `client`: instead of one of its own. */
export async function readParameters(
  names: readonly string[],
  client: Pick<SSMClient, 'send'> = new SSMClient({ maxAttempts: 3 }),
): Promise<ReadonlyMap<string, string>> {
  const { Parameters: found = [] } = await client.send(
    new GetParametersCommand({ Names: [...names], WithDecryption: true }),
  );
  return new Map(
    found.flatMap(({ Name: name, Value: value }) =>
      name === undefined || value === undefined ? [] : [[name, value.trim()] as const],
    ),
  );
}
