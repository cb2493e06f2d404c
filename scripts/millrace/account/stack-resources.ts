// What the stacks of a deployment hold, as CloudFormation has it. Rejects with a sentence.
import {
  CloudFormationClient,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { askedBy } from '../aws-problem.ts';

export async function stackResources(stack: string): Promise<readonly StackResourceSummary[]> {
  const cloudformation = new CloudFormationClient({ maxAttempts: 5 });
  return await askedBy(cloudformation, `the resources of ${stack} were not read`, async (client) => {
    const found: StackResourceSummary[] = [];
    for await (const { StackResourceSummaries: some = [] } of paginateListStackResources(
      { client },
      { StackName: stack },
    ))
      found.push(...some);
    return found;
  });
}
