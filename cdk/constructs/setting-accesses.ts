// What functions get from the settings of a deployment: variables only, no permissions.
import { CORE_ENV } from '../../lib/core/topology.ts';
import type { SessionIssuer, Settings } from '../settings.ts';
import type { Access } from './stage-function.ts';

const variables = (environment: Access['environment']): Access => ({ environment, statements: [] });

/** Whose session tokens the API takes; without an issuer it takes API keys only. */
export function sessions(issuer: SessionIssuer | undefined): Access {
  if (issuer === undefined) return variables({});
  return variables({
    [CORE_ENV.authIssuer]: issuer.issuer,
    [CORE_ENV.authAudience]: issuer.audience,
    [CORE_ENV.authJwksUrl]: issuer.jwksUrl,
  });
}

/** Which web pages may call the API. */
export function pages({ apiCorsOrigins }: Settings): Access {
  const origins = apiCorsOrigins.join(',');
  return variables(origins === '' ? {} : { [CORE_ENV.apiCorsOrigins]: origins });
}

export function logging({ logLevel }: Settings): Access {
  return variables({ [CORE_ENV.logLevel]: logLevel });
}
