// Who asks, as far as AWS says: IAM has checked the signature before the function runs, and names the caller in the event.
// https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html#urls-payloads

export interface SignedEvent {
  readonly rawPath: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly requestContext: {
    readonly requestId?: string;
    readonly http: { readonly method: string };
    readonly authorizer?: { readonly iam?: { readonly userArn?: string } | null } | null;
  };
}

/**
 * `operator:<name of the session, or of the user>`; null where AWS does not say. Emulators do not: by the access key of the
 * signature then, where that is enough.
 */
export function operatorOf({ requestContext, headers }: SignedEvent, mustBeNamed: boolean): string | null {
  const arn = requestContext.authorizer?.iam?.userArn;
  if (typeof arn === 'string' && arn !== '') return `operator:${arn.split(/[/:]/).at(-1)}`;
  if (mustBeNamed) return null;
  const signed = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  const accessKey = /Credential=([^/,\s]+)\//.exec(signed ?? '')?.[1];
  return `operator:${accessKey ?? 'unnamed'}`;
}
