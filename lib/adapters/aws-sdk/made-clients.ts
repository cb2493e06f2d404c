type Preparation = (client: { readonly config: object }) => void;

let preparation: Preparation | undefined;

/** Done with every client that this process makes from here on. On Lambda there is none. */
export function prepareClients(prepare: Preparation): void {
  preparation = prepare;
}

/** The same client, prepared. */
export function prepared<C extends { readonly config: object }>(client: C): C {
  preparation?.(client);
  return client;
}
