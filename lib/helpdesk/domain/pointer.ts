// What the helpdesk's queues carry: ids only. What is to be done with a record stands in the record.
import * as z from 'zod';

const id = z.string().min(1).max(200);

export const pointerSchema = z.object({ workspaceId: id, id });
export type Pointer = Readonly<z.output<typeof pointerSchema>>;
