// The code of a reply address: what it is made of, and under which use of the workspace's key.

export const REPLY_MAC_CONTEXT = 'helpdesk reply address';
