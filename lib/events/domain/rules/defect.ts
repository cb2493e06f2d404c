/**
 * A stored rule that cannot be applied: the merchant's events are processed without it, and an operator has to look at
 * it.
 */
export class RuleDefect extends Error {
  readonly merchantId: string;
  readonly rule: string;

  constructor(merchantId: string, rule: string, problem: string) {
    super(`rule ${rule} cannot be followed: ${problem}`);
    this.merchantId = merchantId;
    this.rule = rule;
  }
}
