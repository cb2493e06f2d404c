// How an OAuth client for the Data Manager API is made, and a refresh token for it. The scope is a sensitive one.
// https://developers.google.com/data-manager/api/devguides/quickstart/set-up-access

export const GOOGLE_OAUTH = {
  client_id: {
    label: 'OAuth client id',
    help: 'console.cloud.google.com → your project → APIs & Services → Library → enable Data Manager API; then Credentials → Create credentials → OAuth client ID → Web application, with https://developers.google.com/oauthplayground as redirect URI.',
  },
  client_secret: {
    label: 'OAuth client secret',
    help: 'Shown when the OAuth client is created; later under Credentials → the client → Client secrets → Add secret.',
    secret: true,
  },
  refresh_token: (who: string) => ({
    label: 'Refresh token',
    help: `developers.google.com/oauthplayground → gear → Use your own OAuth credentials → the client above; then scope https://www.googleapis.com/auth/datamanager → Authorize, as ${who} → Exchange. Publish the consent screen first: tokens of a project in testing end after a week.`,
    secret: true,
  }),
} as const;
