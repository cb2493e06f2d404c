// Faults the sandbox can be told to have. A fault belongs to one platform and strikes a number of requests, or each
// with a probability; the oldest matching one strikes first.
import * as z from 'zod';

export const FAULT_KINDS = [
  '429',
  '500',
  '401',
  'hang',
  'timeout_before_accept',
  'timeout_after_accept',
  'reset',
  'reset_after_accept',
  'slow_body',
  'huge_body',
  'invalid_json',
  'html',
  'redirect',
  'partial',
  'empty',
  'wrong_counts',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

const kind = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.enum(FAULT_KINDS),
);

export const faultSchema = z.strictObject({
  platform: z.string().min(1).max(40),
  kind,
  /** Requests it strikes; without it the fault stays until it is removed. */
  count: z.int().min(1).max(1_000_000).optional(),
  /** Share of requests it strikes. */
  probability: z.number().gt(0).max(1).default(1),
  /** Seconds, for `429`. */
  retry_after: z.int().min(0).max(86_400).optional(),
  /** Status of `html`. */
  status: z.int().min(200).max(599).default(502),
  /** JSON in the place of the page of `html`: a refusal in the platform's own words. */
  json: z.string().min(2).max(10_000).optional(),
  /** Milliseconds `slow_body` takes in all. */
  duration_ms: z.int().min(1).max(600_000).default(60_000),
  /** Bytes of `huge_body`. */
  size_bytes: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .default(50 * 1_048_576),
  /** Where `redirect` points. */
  location: z.string().min(1).max(2_048).default('http://169.254.169.254/latest/meta-data/'),
});

export type Fault = z.output<typeof faultSchema>;

/** Events of a request struck by one of these never reach the platform. */
export const KEPT_FROM_PLATFORM: ReadonlySet<FaultKind> = new Set([
  '429',
  '500',
  '401',
  'hang',
  'timeout_before_accept',
  'reset',
  'html',
  'redirect',
]);

export class FaultPlan {
  #faults: Fault[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  add(fault: Fault): void {
    this.#faults.push(fault);
  }

  clear(platform?: string): void {
    this.#faults = platform === undefined ? [] : this.#faults.filter((fault) => fault.platform !== platform);
  }

  list(): readonly Fault[] {
    return this.#faults;
  }

  /** The fault that strikes the next request to this platform; using it up where it has a count. */
  strike(platform: string): Fault | undefined {
    const index = this.#faults.findIndex(
      (fault) =>
        fault.platform === platform && (fault.probability === 1 || this.#random() < fault.probability),
    );
    const fault = this.#faults[index];
    if (fault?.count === undefined) return fault;
    if (fault.count > 1) this.#faults[index] = { ...fault, count: fault.count - 1 };
    else this.#faults.splice(index, 1);
    return fault;
  }
}
