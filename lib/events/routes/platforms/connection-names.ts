// How requests and answers name one connection.
import * as z from 'zod';
import { PLATFORMS } from '../../platforms/registry.ts';

const CONNECTION_ID = /^con_[0-9a-f-]{36}$/;
export const isConnectionId = (name: string): boolean => CONNECTION_ID.test(name);
export const connectionId = z.string().regex(CONNECTION_ID, 'must be the id of a connection');
const NAME_WANTED = 'must be a platform, or the id of a connection';
/** A connection is named by its id wherever a platform is; the platform means all of its connections. */
export const platformOrConnection = z.union([
  z.enum(
    PLATFORMS.map(({ slug }): string => slug),
    NAME_WANTED,
  ),
  z.string(NAME_WANTED).regex(CONNECTION_ID, NAME_WANTED),
]);

/** The connection that something is about. */
export const holder = z.object({
  connection_id: z.string().nullable().meta({
    description:
      'Of the connection; null where there is none, or it was removed so long ago that it is not known.',
  }),
  connection_name: z.string().optional(),
  account: z.string().optional().meta({
    description: 'Of a connection that was removed: what named its destination, such as the id of a pixel.',
  }),
  removed_at: z.iso.datetime().optional().meta({ description: 'When the connection was removed.' }),
});
