import { StoreUnusableError } from '@sluice/storage'

/** Where a store is. */
export interface StoreAddress {
  /** `postgres://user:password@host:port/database` */
  readonly url: string
  /** The schema of all tables; default `sluice`. Several stores fit into one database. */
  readonly schema?: string
}

export const defaultSchema = 'sluice'

/** Names that need no quotes. */
const schemaName = /^[a-z_][a-z0-9_]{0,54}$/

/** @throws StoreUnusableError */
export function requireSchemaName(schema: string): void {
  if (!schemaName.test(schema))
    throw new StoreUnusableError(`"${schema}" is no name for a schema: use at most 55 small letters, digits and _`)
}

/** Names of channels are this and the name of the schema. */
export const channelPrefix = 'sluice_'

/** Returns the channel on which the processes of a store tell each other what is new. */
export function channelOf(schema: string): string {
  return `${channelPrefix}${schema}`
}

/** The notification that processes are to look at each other, and at lanes. */
export const lanesNotification = 'lanes'
