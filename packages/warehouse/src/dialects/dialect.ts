import type { WarehouseProvider } from './provider.ts'
import { reservedWords } from './reserved-words.ts'

/** What differs between products when rows are made. */
export interface Dialect {
  readonly provider: WarehouseProvider
  /** Names of tables and columns are upper case. */
  readonly isUpperCase: boolean
  /** Names are cut to so many characters. */
  readonly nameLengthMax: number
  /** Words that are not allowed as names, in lower case. */
  readonly reserved: ReadonlySet<string>
  /** Type of JSON columns. */
  readonly jsonType: 'json' | 'string'
  /** Type of the column with the whole event. */
  readonly eventType: 'json' | 'text' | 'string'
  /** Whether `violationErrors` of an event is a JSON column. */
  readonly hasViolationErrors: boolean
  /** Whether JSON paths can be set for the destination. Those of an event apply everywhere. */
  readonly readsJsonPaths: boolean
  /** Whether the option `DATA_WAREHOUSE` of an event applies. */
  readonly readsSharedOptions: boolean
  /** Texts longer than this, in UTF-16 units, have the type `text`. */
  readonly stringLengthMax: number
  /** Whether every table has the column `loaded_at`. */
  readonly hasLoadedAt: boolean
  /** Tables for files: no limit of columns, no length of names, fewer times in `users`. */
  readonly isDataLake: boolean
  /** Whether users are stored at all. */
  readonly hasUsers: boolean
  /** Whether identities can be resolved by merge rules. */
  readonly mergesIdentities: boolean
  /** Whether columns may hold arrays, where the settings want them. */
  readonly hasArrays: boolean
}

/** The products whose rows have columns of JSON. */
export const withJson = {
  jsonType: 'json',
  eventType: 'json',
  hasViolationErrors: true,
  readsJsonPaths: true,
  readsSharedOptions: true,
} as const

/** Tables for files. */
export const ofDataLake = { isDataLake: true, nameLengthMax: Number.POSITIVE_INFINITY } as const

/** Declares the dialect of a product by how it differs from most. Source: packages/docs/behaviour/warehouses.md#products. */
export function defineDialect(provider: WarehouseProvider, differences: Partial<Omit<Dialect, 'provider'>>): Dialect {
  return {
    isUpperCase: false,
    nameLengthMax: 127,
    reserved: reservedWords({}),
    jsonType: 'string',
    eventType: 'string',
    hasViolationErrors: false,
    readsJsonPaths: false,
    readsSharedOptions: false,
    stringLengthMax: Number.POSITIVE_INFINITY,
    hasLoadedAt: false,
    isDataLake: false,
    hasArrays: false,
    hasUsers: true,
    mergesIdentities: false,
    ...differences,
    provider,
  }
}
