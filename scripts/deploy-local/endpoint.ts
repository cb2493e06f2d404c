// An AWS-compatible endpoint on this machine (LocalStack, MiniStack): how its clients reach it.

export const REGION = 'us-east-1';

/** What any AWS client needs to reach the endpoint and nothing else. */
export function endpointEnvironment(endpoint: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    // A virtual-hosted bucket would need a DNS name per bucket: the SDK uses paths for an address, and LocalStack's S3
    // recognizes itself by either.
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

/** Under a name, the SDK would look for a host per S3 bucket (`<bucket>.localhost`); under an address it uses paths. */
export function addressOf(endpoint: string): string {
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`${endpoint} is not an http or https URL.`);
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
  return url.origin;
}

/**
 * MiniStack answers CloudFormation with the function URL AWS would have (`https://<id>.lambda-url.<region>.on.aws/`), which
 * leads nowhere here, and serves it under a path of its own. LocalStack gives a URL that works as it is. No slash at the end.
 */
export function reachableUrl(functionUrl: string, endpoint: string | undefined): string {
  const id = /^https:\/\/([^.]+)\.lambda-url\.[^.]+\.on\.aws\/?$/.exec(functionUrl)?.[1];
  return id === undefined || endpoint === undefined
    ? functionUrl.replace(/\/$/, '')
    : `${endpoint}/_aws/lambda-url/${id}`;
}
