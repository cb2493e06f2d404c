// What is asked of AWS before and around a deployment. Each rejects with a sentence where it has no answer.
import type { Template } from '../../cdk/synthesize.ts';

export interface Account {
  /** Number of the account, who the credentials are, and the region. */
  identity(): Promise<{ readonly account: string; readonly arn: string; readonly region: string }>;
  /** Invocations at once that the account allows in this region. */
  concurrency(): Promise<number>;
  /** False: SES keeps the account in its sandbox, and sends to verified addresses only. */
  sendsToAnyone(): Promise<boolean>;
  /** Of Systems Manager, in `region` or the one of the deployment; null where there is none. */
  parameter(name: string, region?: string): Promise<string | null>;
  /** False: there is one, and it was not to be replaced. */
  putParameter(name: string, value: string, how: { readonly replace: boolean }): Promise<boolean>;
  deleteParameter(name: string): Promise<void>;
  /** All of the region. */
  stacks(): Promise<readonly { readonly name: string; readonly status: string }[]>;
  /** As it was deployed. */
  template(stack: string): Promise<Pick<Template, 'Resources'>>;
}
