import type { Tables } from '@sluice/storage/sql'
import { laneOf } from '../lanes/lane-of.ts'

/** A row as it is read from one database, and written into the other. */
export type Row = Readonly<Record<string, unknown>>

export interface CopiedTable {
  readonly name: keyof Tables
  /**
   * A column that the new database numbers itself, in the order in which rows are copied. Nothing refers to these numbers.
   */
  readonly numbered?: string
  /** Returns the row with what is different in a cluster. */
  readonly change?: (row: Row) => Row
}

/**
 * Tables that are copied row by row, in an order in which those that others refer to come first. The log has positions of its
 * own, and so do begun loads: see copy-log.ts. The suppression index is built again, from changes that are written with the regulations.
 */
export const copiedTables: readonly CopiedTable[] = [
  { name: 'regulation' },
  { name: 'regulation_identity' },
  { name: 'ledger_mark' },
  { name: 'deletion_job', numbered: 'seq' },
  { name: 'id_writing', numbered: 'seq' },
  { name: 'subject_request' },
  { name: 'subject_request_regulation' },
  { name: 'code_record', numbered: 'seq' },
  { name: 'code_version' },
  { name: 'code_connection' },
  { name: 'code_live' },
  { name: 'config_record', numbered: 'seq' },
  { name: 'config_revision' },
  { name: 'event_model', numbered: 'id' },
  { name: 'schema_version', numbered: 'id' },
  { name: 'schema_sample', numbered: 'id' },
  { name: 'schema_values' },
  { name: 'schema_day' },
  { name: 'schema_bound' },
  { name: 'counter' },
  { name: 'named_count' },
  { name: 'named_count_delta', numbered: 'seq' },
  { name: 'history' },
  { name: 'receipt_batch', numbered: 'seq' },
  { name: 'dead_letter', numbered: 'seq' },
  { name: 'dead_letter_user' },
  { name: 'dead_letter_usage' },
  {
    name: 'deferred_event',
    numbered: 'seq',
    change: (row) => ({ ...row, lane: laneOf(JSON.parse(String(row['event_json'])).source.event) }),
  },
  { name: 'deferred_event_user' },
  { name: 'message_digest', numbered: 'seq' },
  { name: 'audit_entry', numbered: 'seq' },
  { name: 'change_entry', numbered: 'seq' },
  { name: 'load_attempt', numbered: 'seq' },
]
