// The variables by which every AWS SDK client of this process finds the emulators.
// Guarantees: no profile, session or configuration file of the person at the keyboard is read, so that nothing
// started here can reach a real account.
import { devNull } from 'node:os';
import type { EmulatorUrls } from './emulators/start.ts';
import { REGION } from './stack/references.ts';

const CLEARED = [
  'AWS_SESSION_TOKEN',
  'AWS_PROFILE',
  'AWS_DEFAULT_PROFILE',
  'AWS_ENDPOINT_URL',
  'AWS_USE_FIPS_ENDPOINT',
  'AWS_USE_DUALSTACK_ENDPOINT',
];

/** Returns what puts the variables back. */
export function useEmulators(
  endpoints: EmulatorUrls & { readonly s3Url: string; readonly mailUrl: string },
): () => void {
  const wanted: Record<string, string | undefined> = {
    ...Object.fromEntries(CLEARED.map((name) => [name, undefined])),
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodbUrl,
    AWS_ENDPOINT_URL_SQS: endpoints.sqsUrl,
    AWS_ENDPOINT_URL_S3: endpoints.s3Url,
    AWS_ENDPOINT_URL_SESV2: endpoints.mailUrl,
  };
  const before = Object.keys(wanted).map((name) => [name, process.env[name]] as const);
  for (const [name, value] of Object.entries(wanted)) put(name, value);
  return () => {
    for (const [name, value] of before) put(name, value);
  };
}

function put(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
