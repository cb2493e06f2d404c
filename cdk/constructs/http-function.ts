// A function that answers HTTP through its own function URL: no gateway, load balancer or domain to pay for while idle.
// Authentication and CORS are the function's own work, because both depend on the route.

import { Duration } from 'aws-cdk-lib';
import { type FunctionUrl, FunctionUrlAuthType, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { StageFunction, type StageFunctionProps } from './stage-function.ts';

export const HTTP_TIMEOUT = Duration.seconds(15);

export interface HttpFunctionProps extends StageFunctionProps {
  /** Its answers go out as they are written; by what the function itself does, they all do then. */
  readonly streams?: boolean;
}

export class HttpFunction extends StageFunction {
  readonly endpoint: FunctionUrl;
  /** Folder under services/. */
  readonly service: string;

  constructor(scope: Construct, id: string, { streams = false, ...props }: HttpFunctionProps) {
    super(scope, id, props);
    this.service = props.service;
    this.endpoint = this.addFunctionUrl({
      authType: FunctionUrlAuthType.NONE,
      invokeMode: streams ? InvokeMode.RESPONSE_STREAM : InvokeMode.BUFFERED,
    });
  }
}
