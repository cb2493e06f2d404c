// A function that answers HTTP through its own function URL: no gateway, load balancer or domain to pay for while idle.
// Authentication and CORS are the function's own work, because both depend on the route.

import { Duration } from 'aws-cdk-lib';
import { FunctionUrl, FunctionUrlAuthType, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { StageFunction, type StageFunctionProps } from './stage-function.ts';

export const HTTP_TIMEOUT = Duration.seconds(15);

export interface HttpFunctionProps extends StageFunctionProps {
  /** Its answers go out as they are written; by what the function itself does, they all do then. */
  readonly streams?: boolean;
  /** `signed`: identities of AWS with the permission to call it, and no others. Default everybody: it authenticates itself. */
  readonly callers?: 'everybody' | 'signed';
}

/**
 * Concurrency that is kept for a public function, and the most it gets: a flood at one address takes nothing from the others.
 * 0 = neither. An emulator's account has nothing else to protect, and may not know how.
 */
export const ownShare = (
  settings: Pick<Settings, 'ephemeral' | PublicConcurrency>,
  name: PublicConcurrency,
): Pick<StageFunctionProps, 'reservedConcurrency'> =>
  settings.ephemeral || settings[name] === 0 ? {} : { reservedConcurrency: settings[name] };

export type PublicConcurrency =
  | 'browserConcurrency'
  | 'ingestionConcurrency'
  | 'apiConcurrency'
  | 'helpdeskApiConcurrency';

export class HttpFunction extends StageFunction {
  readonly endpoint: FunctionUrl;
  /** Folder under services/. */
  readonly service: string;

  constructor(
    scope: Construct,
    id: string,
    { streams = false, callers = 'everybody', ...props }: HttpFunctionProps,
  ) {
    super(scope, id, props);
    this.service = props.service;
    this.endpoint = new FunctionUrl(this, 'FunctionUrl', {
      function: this.live,
      authType: callers === 'signed' ? FunctionUrlAuthType.AWS_IAM : FunctionUrlAuthType.NONE,
      invokeMode: streams ? InvokeMode.RESPONSE_STREAM : InvokeMode.BUFFERED,
    });
  }
}
