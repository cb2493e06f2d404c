// Sentences of the OpenAPI documents about operations that both products have; see their own descriptions.ts.

export const OF_MEMBERS = {
  inviteMember:
    'Makes an invitation of seven days and answers its token, this once; no mail is sent. It offers at most what the inviter has, and only an owner invites owners. An open invitation of the same address ends.',
  acceptInvitation:
    'Makes the person who is signed in a member with the role of the invitation. Needs a session, of a member or not, and no right; API keys cannot join. A token works once.',
  withdrawInvitation:
    'Ends an open invitation: its token opens nothing from then on. Invitations of owners are withdrawn by owners. A second call is answered 404.',
  changeMember:
    'Gives a member another role, which holds from the next request on. Only owners make, change or remove owners, and one owner always remains. The same role again changes nothing.',
  removeMember:
    'Takes a member’s access away from the next request on. Only an owner removes an owner, and the last owner stays. A second call is answered 404.',
} as const;

export const OF_KEYS = {
  create:
    'Makes a key and answers its secret, this once. It grants at most what the credential that asks has. With an `Idempotency-Key` a repeated request gets the same key for 24 hours; without one it makes another.',
  revoke:
    'Ends a key, the keys it made and the people it invited; the answer comes when none of them is let in any more. Repeated, it answers the time of the first revocation and ends what was left.',
} as const;

export const OF_DOCUMENTS = {
  openApi:
    'The contract of this API, made from the routes that answer it, with this address as its server. Needs no credential.',
  docs: 'A page that draws the document; it loads nothing from anywhere else. Needs no credential.',
  docsScript: 'Swagger UI, as `GET /docs` loads it; sent with gzip to clients that take it.',
  docsStart: 'Starts Swagger UI on the document of this address, as `GET /docs` loads it.',
  docsStyle: 'Styles of Swagger UI, as `GET /docs` loads it; sent with gzip to clients that take it.',
} as const;
