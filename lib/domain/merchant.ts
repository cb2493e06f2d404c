export interface Merchant {
  readonly merchantId: string;
  readonly name: string;
  readonly email: string;
  readonly storePlatform?: string;
  readonly storeUrl?: string;
  readonly onboardingStep: string;
  readonly onboardingCompleted: boolean;
  readonly createdAtMs: number;
  readonly browserIngestion: {
    readonly enabled: boolean;
    /** Origins allowed to send browser events; empty = any. */
    readonly origins: readonly string[];
  };
}
