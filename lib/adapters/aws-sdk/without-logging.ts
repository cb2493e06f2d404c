/** What is used of a client of the SDK. */
interface Client {
  readonly middlewareStack: { remove(name: string): boolean };
}

/**
 * Steps that copy every input and output for a log that is not kept, and spell out the SDK's name and parts in each request.
 * Together they took an eighth of the processor time of a call to DynamoDB.
 */
export const NOT_NEEDED = ['loggerMiddleware', 'getUserAgentMiddleware'] as const;

/** The same client, which from now on takes no such steps. */
export function withoutLogging<C extends Client>(client: C): C {
  for (const name of NOT_NEEDED) client.middlewareStack.remove(name);
  return client;
}
