import type { ConfigurationRecord, RecordKey } from './configuration-record.ts'

/** All records of all workspaces at one moment. */
export interface StoredConfiguration {
  /** Number of commits so far; 0 before the first. */
  readonly revision: number
  /** In order of creation. */
  readonly records: readonly ConfigurationRecord[]
}

export interface RecordChanges {
  /** Records to create or replace. A replaced one keeps its place in the order of creation. */
  readonly put?: readonly ConfigurationRecord[]
  /** Records to delete. Unknown ones are skipped. */
  readonly remove?: readonly RecordKey[]
}

/**
 * Stores what was configured through the API. A change is checked against everything else before, so a
 * commit names the revision it was checked against: one number guards all records.
 */
export interface ConfigurationStore {
  read(): Promise<StoredConfiguration>
  /** Returns the revision alone. */
  revision(): Promise<number>
  /**
   * Applies all changes, or none, and raises the revision by one.
   * @param basedOn the revision that was read.
   * @returns the new revision; undefined, with nothing changed, when the revision is not `basedOn` any more.
   */
  commit(changes: RecordChanges, basedOn: number): Promise<number | undefined>
}
