/** A stored rule that cannot be followed: the events of its merchant go on without it, and somebody has to look at it. */
export class RuleDefect extends Error {
  readonly merchantId: string;
  readonly rule: string;

  constructor(merchantId: string, rule: string, problem: string) {
    super(`rule ${rule} cannot be followed: ${problem}`);
    this.merchantId = merchantId;
    this.rule = rule;
  }
}
