import type { RecordKind } from '@sluice/configuration'
import type { ChangeKind, CountKind, HistoryKind } from '@sluice/pipeline'
import type { DeletionStatus, RegulationType } from '@sluice/regulation'
import type { SchemaBound } from '@sluice/schema'
import type { CodeKind, CodeLanguage } from '@sluice/transformations'
import type { Generated } from 'kysely'
import type { ReceiptRow } from './stores/flow/receipt-rows.ts'

/**
 * The tables as the latest migration leaves them. Members named `*_json` hold JSON text; times are milliseconds since
 * the epoch.
 */
export interface Tables {
  log_batch: {
    position: Generated<number>
    workspace_id: string
    source_id: string
    write_key: string
    received_at: number
    destination_ids_json: string
    events_json: string
    /** Size of `events_json`. */
    bytes: number
  }
  /** Newest trimmed position, from which the end of an emptied log is known. */
  log_trimmed: { workspace_id: string; position: number }
  /** Digests of recently accepted messages. */
  message_digest: { seq: Generated<number>; digest: Buffer; at: number }
  /** Acknowledged batches that were found missing. */
  lost_batches: { from_position: number; to_position: number; noticed_at: number }
  log_cursor: { workspace_id: string; consumer: string; position: number; events_done: Generated<number> }
  counter: {
    workspace_id: string
    source_id: string
    destination_id: string
    kind: CountKind
    reason: string
    total: number
    /** How much of it is in the history. */
    snapped: Generated<number>
  }
  /** Counts by name and day: see `NamedCount`. */
  named_count: {
    workspace_id: string
    source_id: string
    day: string
    destination_id: string
    kind: CountKind
    name: string
    reason: string
    total: number
  }
  /** The same, not added up yet: the counts of one commit. */
  named_count_delta: { seq: Generated<number>; counts_json: string }
  /** What was counted in each minute, and in each hour: see `HistoryStore`. */
  history: {
    workspace_id: string
    /** Length of the slot, in milliseconds. */
    every_ms: number
    /** Start of the slot. */
    at: number
    source_id: string
    destination_id: string
    kind: HistoryKind
    reason: string
    amount: number
  }
  /** In order of insertion: the smallest numbers are deleted first. See `ReceiptRow`. */
  receipt_batch: { seq: Generated<number> } & ReceiptRow
  regulation: {
    workspace_id: string
    id: string
    canceled: number
    regulation_type: RegulationType
    attributes_json: string
    source_ids_json: string
    destination_ids_json: string
    created_at: string
    /** In order of insertion. */
    seq: number
    /** The first key of the regulation, for look-ups: see `keysOfRegulation`. */
    user_id: string
  }
  /** The other keys of active regulations. */
  regulation_identity: { workspace_id: string; identity: string; regulation_id: string }
  /** Events that wait for another attempt. */
  deferred_event: {
    /** In order of insertion. */
    seq: Generated<number>
    id: string
    workspace_id: string
    destination_id: string
    message_id: string
    /** Lane of its user: always 0 in a store that one process has for itself. */
    lane: number
    user_keys_json: string
    due_at: number
    event_json: string
  }
  /** Whose a deferred event is: one row for each user. See `usersOf`. */
  deferred_event_user: { workspace_id: string; user_id: string; event_id: string }
  deletion_job: {
    /** In order of insertion. */
    seq: Generated<number>
    id: string
    workspace_id: string
    regulation_id: string
    destination_id: string
    attributes_json: string
    status: DeletionStatus
    reason: string | null
    attempts: number
    mark: string | null
    due_at: number
    updated_at: number
  }
  dead_letter: {
    /** In order of insertion: the smallest are deleted first. */
    seq: Generated<number>
    id: string
    workspace_id: string
    destination_id: string
    source_id: string
    message_id: string
    code: string
    /** See `deadLetterReason`. */
    reason: string
    at: number
    /** Size of `letter_json`. */
    bytes: number
    letter_json: string
  }
  /** Whose a dead letter is: one row for each user. See `usersOf`. */
  dead_letter_user: { workspace_id: string; user_id: string; event_id: string }
  /** Number and size of the dead letters of a workspace. */
  dead_letter_usage: { workspace_id: string; letters: number; bytes: number }
  /** How identifiers were written. In order of insertion: the smallest are deleted first. */
  /** Requests of OpenDSR. `due_at` is null when nothing more is to be reported. */
  subject_request: {
    workspace_id: string
    id: string
    request_json: string
    received_at: number
    due_at: number | null
  }
  /** Regulations that requests of OpenDSR became. */
  subject_request_regulation: { workspace_id: string; regulation_id: string; request_id: string }
  id_writing: { seq: Generated<number>; workspace_id: string; user_id: string; written_json: string }
  /** Changes that are not yet in the suppression index. */
  regulation_change: { position: Generated<number>; workspace_id: string; user_id: string; delta: number }
  suppression_segment: { number: number; position: number; bytes: Buffer }
  /** A single row. */
  /** What the store has of the ledger of regulations. */
  ledger_mark: { name: string; text: string }
  suppression_state: { id: number; secret: Buffer; settled: number; digest: Buffer | null }
  event_model: {
    id: Generated<number>
    event_id: string
    workspace_id: string
    write_key: string
    event_type: string
    event_identifier: string
    created_at: number
    schema_json: string
    last_seen: number
    total_count: number
    /** Structure of the events, from which their JSON Schema is made. */
    structure_json: string
  }
  schema_version: {
    id: Generated<number>
    version_id: string
    event_model_id: string
    schema_hash: string
    schema_json: string
    first_seen: number
    last_seen: number
    total_count: number
    /** Only in the overflow version. */
    key_counts_json: string | null
  }
  schema_sample: { id: Generated<number>; version_id: string; rank: number; text: string; user_digest: string }
  /** Counters of the values of a version or a model. */
  schema_values: { workspace_id: string; owner_id: string; values_json: string }
  /** Events of a model in a day; `day` counts from the epoch, in UTC. */
  schema_day: { event_model_id: string; day: number; total: number }
  schema_bound: { workspace_id: string; write_key: string; bound: SchemaBound; total: number }
  code_record: {
    /** In order of creation. */
    seq: Generated<number>
    workspace_id: string
    id: string
    kind: CodeKind
    import_name: string
    /** The part of the import name that must be unique; null for a transformation. */
    import_key: string | null
    external_id: string | null
    newest_version_id: string
    published_version_id: string | null
    test_input_json: string | null
    created_at: number
    updated_at: number
  }
  code_version: {
    workspace_id: string
    version_id: string
    record_id: string
    number: number
    /** Placed before the texts, so that a sum does not read them. */
    bytes: number
    name: string
    description: string
    code: string
    language: CodeLanguage
    created_at: number
    commit_id: string | null
  }
  /** Transformation of each destination. */
  code_connection: { workspace_id: string; destination_id: string; record_id: string }
  /** Number of changes to the live code. */
  code_live: { workspace_id: string; revision: number }
  /** Sessions of the studio, and links that open one, by the hash of their secrets. */
  studio_session: { key: string; session_json: string; ends_at: number }
  /** Position of each consumer when the process started; deleted on a clean stop. */
  consumer_start: {
    workspace_id: string
    consumer: string
    position: number
    tries: number
    suspects_json: string
    /** The event that is being processed alone. */
    trying_json: string | null
  }
  /** Loads into a warehouse that began, in each of their lanes, until they are over and behind the cursor. */
  load_mark: {
    workspace_id: string
    consumer: string
    lane: number
    load_id: string
    position: number
    is_over: number
  }
  /** How the last loads into a warehouse went. */
  load_attempt: { seq: Generated<number>; workspace_id: string; consumer: string; attempt_json: string }
  /** What was configured through the API. */
  config_record: {
    /** In order of creation. */
    seq: Generated<number>
    workspace_id: string
    kind: RecordKind
    id: string
    revision: number
    created_at: number
    updated_at: number
    external_id: string | null
    body_json: string
  }
  /** A single row: number of commits to the records. */
  config_revision: { id: number; revision: number }
  audit_entry: {
    /** In order of insertion: the smallest are deleted first. */
    seq: Generated<number>
    workspace_id: string
    token: string
    user_name: string
    method: string
    path: string
    status: number
    at: number
  }
  /** Changes as sentences for people: see `ChangeLog`. */
  change_entry: {
    /** In order of insertion: the smallest are deleted first. */
    seq: Generated<number>
    workspace_id: string
    at: number
    kind: ChangeKind
    subject_kind: string
    subject_id: string
    shown_json: string
  }
  /** The last write of each writer, so that one whose answer was lost is not applied again: see `WriteMark`. */
  applied_write: {
    writer: string
    number: number
    /** 0 when the write was given up before it was applied: it must not be applied any more. */
    is_applied: number
    /** By the clock of the database. */
    at: number
  }
}
