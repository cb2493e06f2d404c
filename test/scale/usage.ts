// What everything used, function by function: what the bill is made of.
export interface FunctionUsage {
  invocations: number;
  billedMs: number;
  /** Lines logged at level error, by text. */
  readonly problems: Map<string, number>;
  /** Metrics the function counted, e.g. `claim_failed`. */
  readonly counted: Map<string, number>;
}

export type Usage = ReturnType<typeof createUsage>;

export function createUsage() {
  const functions = new Map<string, FunctionUsage>();
  const requests = { all: 0, grouped: 0 };
  const of = (name: string): FunctionUsage => {
    const known = functions.get(name);
    if (known !== undefined) return known;
    const made: FunctionUsage = {
      invocations: 0,
      billedMs: 0,
      problems: new Map(),
      counted: new Map(),
    };
    functions.set(name, made);
    return made;
  };
  return {
    of,
    names: () => [...functions.keys()],
    /** Requests: sends, receives that brought something, deletes. `grouped`: on a queue whose messages carry a group id. */
    sqs(count: number, grouped: boolean) {
      requests.all += count;
      if (grouped) requests.grouped += count;
    },
    sqsRequests: () => requests,
  };
}

export function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}
