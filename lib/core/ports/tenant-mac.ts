/** Message authentication codes under a key of the tenant's own, for what leaves the house and comes back. */
export interface TenantMac {
  /**
   * HMAC-SHA-256 of the text. `context` separates uses: a code of one is none of another. Null where the tenant has no key
   * and `create` is false, as for a tenant that somebody made up.
   */
  mac(tenantId: string, context: string, text: string, create: boolean): Promise<Uint8Array | null>;
}
