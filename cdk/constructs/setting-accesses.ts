// What functions get from the settings of a deployment: variables only, no permissions.
import { ENV } from '../../lib/events/domain/topology.ts';
import type { SessionIssuer, Settings } from '../settings.ts';
import type { Access } from './stage-function.ts';

const variables = (environment: Access['environment']): Access => ({ environment, statements: [] });

/** Whose session tokens the API takes; without an issuer it takes API keys only. */
export function sessions(issuer: SessionIssuer | undefined): Access {
  if (issuer === undefined) return variables({});
  return variables({
    [ENV.authIssuer]: issuer.issuer,
    [ENV.authAudience]: issuer.audience,
    [ENV.authJwksUrl]: issuer.jwksUrl,
  });
}

/** Which web pages may call the API. */
export function pages({ apiCorsOrigins }: Settings): Access {
  const origins = apiCorsOrigins.join(',');
  return variables(origins === '' ? {} : { [ENV.apiCorsOrigins]: origins });
}

/** Where requests to platforms go instead, in deployments for tests. */
export function sandbox({ sandboxUrl }: Settings): Access {
  return variables(sandboxUrl === undefined ? {} : { [ENV.sandboxUrl]: sandboxUrl });
}

export function logging({ logLevel }: Settings): Access {
  return variables({ [ENV.logLevel]: logLevel });
}
