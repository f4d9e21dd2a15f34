import type { ErrorCode } from '@sluice/core'
import type { CountKind, EventReceipt } from '@sluice/pipeline'
import type { DeletionStatus, RegulationType } from '@sluice/regulation'
import type { SchemaBound } from '@sluice/schema'
import type { CodeKind, CodeLanguage } from '@sluice/transformations'
import type { Generated } from 'kysely'

/** The tables as the latest migration leaves them. Members named `*_json` hold JSON text; times are milliseconds since the epoch. */
export interface Tables {
  log_batch: {
    position: Generated<number>
    workspace_id: string
    source_id: string
    write_key: string
    received_at: number
    destination_ids_json: string
    events_json: string
    /** Of `events_json`. */
    bytes: number
  }
  /** The newest position that was trimmed, so that the end of an emptied log is still known. */
  log_trimmed: { workspace_id: string; position: number }
  /** What was accepted a short time ago. */
  message_digest: { seq: Generated<number>; digest: Buffer; at: number }
  /** Acknowledged batches that were found missing. */
  lost_batches: { from_position: number; to_position: number; noticed_at: number }
  log_cursor: { workspace_id: string; consumer: string; position: number }
  counter: {
    workspace_id: string
    source_id: string
    destination_id: string
    kind: CountKind
    reason: string
    total: number
  }
  receipt: {
    /** Grows with time: the smallest are pruned first. */
    seq: Generated<number>
    workspace_id: string
    message_id: string
    destination_id: string
    source_id: string
    outcome: EventReceipt['outcome']
    stage: string
    reason: string | null
    code: ErrorCode | null
    outputs: number
    version_id: string | null
    at: number
    received_at: number | null
  }
  regulation: {
    workspace_id: string
    id: string
    canceled: number
    regulation_type: RegulationType
    attributes_json: string
    source_ids_json: string
    destination_ids_json: string
    created_at: string
    /** Grows with the order in which they were added. */
    seq: number
    /** As in the attributes, to be looked for. */
    user_id: string
  }
  /** Kept until the suppression index holds them. */
  /** Events that wait for another try. */
  deferred_event: {
    /** The order in which they came. */
    seq: Generated<number>
    id: string
    workspace_id: string
    destination_id: string
    user_id: string
    message_id: string
    user_keys_json: string
    due_at: number
    event_json: string
  }
  deletion_job: {
    /** The order in which they came. */
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
    /** The order in which they came: the smallest are forgotten first. */
    seq: Generated<number>
    id: string
    workspace_id: string
    destination_id: string
    source_id: string
    user_id: string
    message_id: string
    at: number
    /** Of `letter_json`. */
    bytes: number
    letter_json: string
  }
  /** What the letters of a workspace add up to. */
  dead_letter_usage: { workspace_id: string; letters: number; bytes: number }
  regulation_change: { position: Generated<number>; workspace_id: string; user_id: string; delta: number }
  suppression_segment: { number: number; position: number; bytes: Buffer }
  /** One row. */
  suppression_state: { id: number; secret: Buffer; settled: number }
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
    /** How the events are built. */
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
    /** Of the overflow version only. */
    key_counts_json: string | null
  }
  schema_sample: { id: Generated<number>; version_id: string; rank: number; text: string; user_digest: string }
  /** Counters of the values of a version or a model. */
  schema_values: { workspace_id: string; owner_id: string; values_json: string }
  schema_bound: { workspace_id: string; write_key: string; bound: SchemaBound; total: number }
  code_record: {
    /** Grows with the order of creation. */
    seq: Generated<number>
    workspace_id: string
    id: string
    kind: CodeKind
    import_name: string
    /** What import names must differ in; null for a transformation. */
    import_key: string | null
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
    /** Before the texts, so that adding them up does not read those. */
    bytes: number
    name: string
    description: string
    code: string
    language: CodeLanguage
    created_at: number
  }
  /** Which transformation a destination has. */
  code_connection: { workspace_id: string; destination_id: string; record_id: string }
  /** How often what runs was changed. */
  code_live: { workspace_id: string; revision: number }
  /** What a process began with, of each consumer; gone when it stopped in order. */
  consumer_start: {
    workspace_id: string
    consumer: string
    position: number
    tries: number
    suspects_json: string
    /** The event that is processed alone. */
    trying_json: string | null
  }
  audit_entry: {
    /** Grows with time: the smallest are pruned first. */
    seq: Generated<number>
    workspace_id: string
    token: string
    user_name: string
    method: string
    path: string
    status: number
    at: number
  }
}
