/** Invocations at once that Lambda is to allow the account: what most have. With less, stages under load take what entrances need. */
export const QUOTA_WANTED = 1_000;
