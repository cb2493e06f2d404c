// Versions of platforms' APIs, as connections and lists of platforms have them.
import * as z from 'zod';
import { connectionTest, notice } from './platform-checks.ts';

/** Of a connection. */
export const versionFields = {
  api_version: z.string().meta({ description: 'Of the platform, that requests are for.' }),
  api_version_ends: z.iso.date().optional().meta({
    description: 'When the platform stops serving it, where it says so.',
  }),
  warnings: z.array(notice),
};

/** Of a platform that can be connected. */
export const offeredVersions = {
  api_version: z.string().meta({ description: 'That of a connection which names no other.' }),
  api_versions: z
    .array(z.object({ version: z.string(), ends: z.iso.date().optional() }))
    .meta({ description: 'What a connection can be moved to.' }),
};

/** In a change. */
export const versionChange = {
  api_version: z.string().max(50).nullable().meta({
    description:
      "One of the platform's `api_versions`; null for its own. Alone: where the platform has a test mode, a made-up event is sent with it first, and the connection is moved if that is taken. It ends a pause for which the version was the reason, or that the test disproves.",
  }),
};

export const changesVersionAlone = ({ api_version, ...rest }: { readonly api_version?: unknown }): boolean =>
  api_version === undefined || Object.keys(rest).length === 0;

export const NOT_ALONE = {
  path: ['api_version'],
  message: 'is changed alone: it is tried with what is stored',
};

/** What is answered beside the connection. */
export const versionTest = {
  test: connectionTest.optional().meta({ description: 'Of another `api_version`.' }),
  untried: z
    .object({
      message: z.string(),
      previous: z.string().nullable().meta({
        description: 'The version it had; a change to it is the way back. Null where that is served no more.',
      }),
      incident: z.literal('refused').meta({
        description:
          'Kind of the incident that opens if the platform refuses the version: its events wait then.',
      }),
    })
    .optional()
    .meta({
      description: 'Of another `api_version` for which the platform has no test mode: nothing was sent.',
    }),
};
