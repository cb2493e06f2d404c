// There is no IAM on a laptop: who can read the session file may do what AWS lets identities do that have the permission.
import { timingSafeEqual } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Handler } from './functions.ts';

/** As AWS refuses: https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html (read 2026-11-27). */
const FORBIDDEN = {
  statusCode: 403,
  headers: { 'content-type': 'application/json' },
  body: '{"Message":"Forbidden"}',
};

interface Asked {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly requestContext: object;
}

/** The caller is named by the account of the person at the keyboard. */
export function forToken(token: string, invoke: Handler): Handler {
  const wanted = Buffer.from(`Bearer ${token}`);
  const authorizer = { iam: { userArn: `arn:aws:iam::000000000000:user/${userInfo().username}` } };
  return async (event, context) => {
    const { headers, requestContext, ...rest } = event as Asked;
    const { authorization = '', ...others } = headers;
    const given = Buffer.from(authorization);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return FORBIDDEN;
    return await invoke(
      { ...rest, headers: others, requestContext: { ...requestContext, authorizer } },
      context,
    );
  };
}
