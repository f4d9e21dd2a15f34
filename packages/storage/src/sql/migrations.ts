import type { ErrorCode } from '@sluice/core'
import type { DeadLetter, EventReceipt } from '@sluice/pipeline'
import { aliasOf } from '@sluice/regulation'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { deadLetterReason } from '../dead-letter-reason.ts'
import { cleanIdentifiers } from './clean-identifiers.ts'
import type { ColumnTypes } from './sql-dialect.ts'
import { receiptRows } from './stores/flow/receipt-rows.ts'
import { rebuildUsers } from './stores/governance/put-users.ts'
import { addChangesOfIdentities, rebuildIdentities } from './stores/governance/rebuild-identities.ts'
import { resetSegments } from './stores/governance/sql-segment-store.ts'
import type { Tables } from './tables.ts'

/** One step forward, run in a transaction of its own. */
export type Migration = (db: Kysely<Tables>, types: ColumnTypes) => Promise<void>

/**
 * Step n takes a store from version n to n + 1, whatever database it is in. A released step is never changed; add a new
 * one at the end.
 */
export const migrations: readonly Migration[] = [
  async ({ schema }, types) => {
    await schema
      .createTable('log_batch')
      .addColumn('position', ...types.sequence)
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('source_id', types.text, (column) => column.notNull())
      .addColumn('write_key', types.text, (column) => column.notNull())
      .addColumn('received_at', 'bigint', (column) => column.notNull())
      .addColumn('destination_ids_json', types.text, (column) => column.notNull())
      .addColumn('events_json', types.text, (column) => column.notNull())
      .execute()
    await schema.createIndex('log_batch_by_workspace').on('log_batch').columns(['workspace_id', 'position']).execute()
    await schema
      .createTable('log_trimmed')
      .addColumn('workspace_id', types.text, (column) => column.primaryKey().notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('log_cursor')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('consumer', types.text, (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('log_cursor_key', ['workspace_id', 'consumer'])
      .execute()
    await schema
      .createTable('counter')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('source_id', types.text, (column) => column.notNull())
      .addColumn('destination_id', types.text, (column) => column.notNull())
      .addColumn('kind', types.text, (column) => column.notNull())
      .addColumn('reason', types.text, (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('counter_key', ['workspace_id', 'source_id', 'destination_id', 'kind', 'reason'])
      .execute()
    await schema
      .createTable('receipt')
      .addColumn('seq', ...types.sequence)
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('message_id', types.text, (column) => column.notNull())
      .addColumn('destination_id', types.text, (column) => column.notNull())
      .addColumn('source_id', types.text, (column) => column.notNull())
      .addColumn('outcome', types.text, (column) => column.notNull())
      .addColumn('stage', types.text, (column) => column.notNull())
      .addColumn('reason', types.text)
      .addColumn('code', types.text)
      .addColumn('outputs', 'bigint', (column) => column.notNull())
      .addColumn('version_id', types.text)
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('receipt_key', ['workspace_id', 'message_id', 'destination_id'])
      .execute()
    await schema
      .createTable('regulation')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('id', types.text, (column) => column.notNull())
      .addColumn('canceled', 'integer', (column) => column.notNull())
      .addColumn('regulation_type', types.text, (column) => column.notNull())
      .addColumn('attributes_json', types.text, (column) => column.notNull())
      .addColumn('source_ids_json', types.text, (column) => column.notNull())
      .addColumn('destination_ids_json', types.text, (column) => column.notNull())
      .addColumn('created_at', types.text, (column) => column.notNull())
      .addPrimaryKeyConstraint('regulation_key', ['workspace_id', 'id'])
      .execute()
    await schema
      .createTable('event_model')
      .addColumn('id', ...types.sequence)
      .addColumn('event_id', types.text, (column) => column.notNull().unique())
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('write_key', types.text, (column) => column.notNull())
      .addColumn('event_type', types.text, (column) => column.notNull())
      .addColumn('event_identifier', types.text, (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('schema_json', types.text, (column) => column.notNull())
      .addColumn('last_seen', 'bigint', (column) => column.notNull())
      .addColumn('total_count', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('event_model_key', ['workspace_id', 'write_key', 'event_type', 'event_identifier'])
      .execute()
    await schema
      .createTable('schema_version')
      .addColumn('id', ...types.sequence)
      .addColumn('version_id', types.text, (column) => column.notNull().unique())
      .addColumn('event_model_id', types.text, (column) => column.notNull().references('event_model.event_id'))
      .addColumn('schema_hash', types.text, (column) => column.notNull())
      .addColumn('schema_json', types.text, (column) => column.notNull())
      .addColumn('first_seen', 'bigint', (column) => column.notNull())
      .addColumn('last_seen', 'bigint', (column) => column.notNull())
      .addColumn('total_count', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('schema_version_key', ['event_model_id', 'schema_hash'])
      .execute()
  },
  async ({ schema }, types) => {
    await schema
      .createTable('code_record')
      .addColumn('seq', ...types.sequence)
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('id', types.text, (column) => column.notNull())
      .addColumn('kind', types.text, (column) => column.notNull())
      .addColumn('import_name', types.text, (column) => column.notNull())
      .addColumn('import_key', types.text)
      .addColumn('newest_version_id', types.text, (column) => column.notNull())
      .addColumn('published_version_id', types.text)
      .addColumn('test_input_json', types.text)
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('code_record_key', ['workspace_id', 'id'])
      .addUniqueConstraint('code_record_import_key', ['workspace_id', 'import_key'])
      .execute()
    await schema
      .createTable('code_version')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('version_id', types.text, (column) => column.notNull())
      .addColumn('record_id', types.text, (column) => column.notNull())
      .addColumn('number', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('name', types.text, (column) => column.notNull())
      .addColumn('description', types.text, (column) => column.notNull())
      .addColumn('code', types.text, (column) => column.notNull())
      .addColumn('language', types.text, (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('code_version_key', ['workspace_id', 'version_id'])
      .addUniqueConstraint('code_version_number', ['workspace_id', 'record_id', 'number'])
      .execute()
    await schema
      .createTable('code_connection')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('destination_id', types.text, (column) => column.notNull())
      .addColumn('record_id', types.text, (column) => column.notNull())
      .addPrimaryKeyConstraint('code_connection_key', ['workspace_id', 'destination_id'])
      .execute()
    await schema
      .createTable('code_live')
      .addColumn('workspace_id', types.text, (column) => column.primaryKey().notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('audit_entry')
      .addColumn('seq', ...types.sequence)
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('token', types.text, (column) => column.notNull())
      .addColumn('user_name', types.text, (column) => column.notNull())
      .addColumn('method', types.text, (column) => column.notNull())
      .addColumn('path', types.text, (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('audit_by_workspace').on('audit_entry').columns(['workspace_id', 'seq']).execute()
  },
  async (db, types) => {
    const { schema } = db
    await schema
      .alterTable('regulation')
      .addColumn('seq', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema
      .alterTable('regulation')
      .addColumn('user_id', types.text, (column) => column.notNull().defaultTo(''))
      .execute()
    await convertRows(
      db,
      'regulation',
      sql`update regulation set seq = rowid, user_id = json_extract(attributes_json, '$.userId')`,
    )
    await schema.createIndex('regulation_by_seq').on('regulation').columns(['workspace_id', 'seq']).execute()
    await schema.createIndex('regulation_by_user').on('regulation').columns(['workspace_id', 'user_id']).execute()
    await schema.createIndex('regulation_seq').on('regulation').column('seq').execute()
    await schema
      .createTable('regulation_change')
      .addColumn('position', ...types.sequence)
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('user_id', types.text, (column) => column.notNull())
      .addColumn('delta', 'integer', (column) => column.notNull())
      .execute()
    await sql`insert into regulation_change (workspace_id, user_id, delta)
      select workspace_id, user_id, 1 from regulation where canceled = 0 order by seq`.execute(db)
    await schema
      .createTable('suppression_segment')
      .addColumn('number', ...types.key)
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('bytes', types.bytes, (column) => column.notNull())
      .execute()
    await schema
      .createTable('suppression_state')
      .addColumn('id', ...types.key)
      .addColumn('secret', types.bytes, (column) => column.notNull())
      .addColumn('settled', 'bigint', (column) => column.notNull())
      .execute()
  },
  async ({ schema }, types) => {
    await schema
      .alterTable('event_model')
      .addColumn('structure_json', types.text, (column) => column.notNull().defaultTo('{"kinds":64}'))
      .execute()
    await schema.alterTable('schema_version').addColumn('key_counts_json', types.text).execute()
    await schema
      .createTable('schema_sample')
      .addColumn('id', ...types.key)
      .addColumn('version_id', types.text, (column) => column.notNull().references('schema_version.version_id'))
      .addColumn('rank', 'double precision', (column) => column.notNull())
      .addColumn('text', types.text, (column) => column.notNull())
      .addColumn('user_digest', types.text, (column) => column.notNull())
      .execute()
    await schema.createIndex('schema_sample_by_version').on('schema_sample').columns(['version_id', 'rank']).execute()
    await schema.createIndex('schema_sample_by_user').on('schema_sample').column('user_digest').execute()
    await schema
      .createTable('schema_values')
      .addColumn('owner_id', types.text, (column) => column.primaryKey().notNull())
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('values_json', types.text, (column) => column.notNull())
      .execute()
    await schema
      .createTable('schema_bound')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('write_key', types.text, (column) => column.notNull())
      .addColumn('bound', types.text, (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('schema_bound_key', ['workspace_id', 'write_key', 'bound'])
      .execute()
  },
  async ({ schema }, types) => {
    await schema
      .createTable('deferred_event')
      .addColumn('seq', ...types.sequence)
      .addColumn('id', types.text, (column) => column.notNull().unique())
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('destination_id', types.text, (column) => column.notNull())
      .addColumn('user_id', types.text, (column) => column.notNull())
      .addColumn('user_keys_json', types.text, (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('event_json', types.text, (column) => column.notNull())
      .execute()
    await schema
      .createIndex('deferred_event_by_destination')
      .on('deferred_event')
      .columns(['workspace_id', 'destination_id', 'seq'])
      .execute()
    await schema
      .createIndex('deferred_event_by_user')
      .on('deferred_event')
      .columns(['workspace_id', 'user_id'])
      .execute()
    await schema
      .createTable('dead_letter')
      .addColumn('seq', ...types.sequence)
      .addColumn('id', types.text, (column) => column.notNull().unique())
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('destination_id', types.text, (column) => column.notNull())
      .addColumn('source_id', types.text, (column) => column.notNull())
      .addColumn('user_id', types.text, (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('letter_json', types.text, (column) => column.notNull())
      .execute()
    await schema.createIndex('dead_letter_by_workspace').on('dead_letter').columns(['workspace_id', 'seq']).execute()
    await schema
      .createIndex('dead_letter_by_destination')
      .on('dead_letter')
      .columns(['workspace_id', 'destination_id', 'seq'])
      .execute()
    await schema.createIndex('dead_letter_by_user').on('dead_letter').columns(['workspace_id', 'user_id']).execute()
    await schema
      .createTable('deletion_job')
      .addColumn('seq', ...types.sequence)
      .addColumn('id', types.text, (column) => column.notNull().unique())
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('regulation_id', types.text, (column) => column.notNull())
      .addColumn('destination_id', types.text, (column) => column.notNull())
      .addColumn('attributes_json', types.text, (column) => column.notNull())
      .addColumn('status', types.text, (column) => column.notNull())
      .addColumn('reason', types.text)
      .addColumn('attempts', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('deletion_job_by_status').on('deletion_job').columns(['status', 'due_at']).execute()
    await schema
      .createIndex('deletion_job_by_regulation')
      .on('deletion_job')
      .columns(['workspace_id', 'regulation_id'])
      .execute()
    await schema
      .createTable('dead_letter_usage')
      .addColumn('id', ...types.key)
      .addColumn('letters', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .execute()
  },
  async ({ schema }, types) => {
    await schema.alterTable('deletion_job').addColumn('mark', types.text).execute()
  },
  async (db) => {
    const { schema } = db
    await schema
      .alterTable('log_batch')
      .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update log_batch set bytes = octet_length(events_json)`.execute(db)
    await schema.dropIndex('log_batch_by_workspace').execute()
    // Has all columns that trimming reads, so that it need not read the events.
    await schema
      .createIndex('log_batch_by_workspace')
      .on('log_batch')
      .columns(['workspace_id', 'position', 'received_at', 'bytes'])
      .execute()
  },
  // Lets events be found by message id.
  async (db, types) => {
    const { schema } = db
    await schema.alterTable('receipt').addColumn('received_at', 'bigint').execute()
    for (const [table, text] of [
      ['deferred_event', 'event_json'],
      ['dead_letter', 'letter_json'],
    ] as const) {
      await schema
        .alterTable(table)
        .addColumn('message_id', types.text, (column) => column.notNull().defaultTo(''))
        .execute()
      await convertRows(
        db,
        table,
        sql`update ${sql.table(table)}
          set message_id = coalesce(json_extract(${sql.ref(text)}, '$.source.event.messageId'), '')`,
      )
      await schema.createIndex(`${table}_by_message`).on(table).columns(['workspace_id', 'message_id']).execute()
    }
  },
  async ({ schema }, types) => {
    await schema
      .createTable('lost_batches')
      .addColumn('from_position', ...types.key)
      .addColumn('to_position', 'bigint', (column) => column.notNull())
      .addColumn('noticed_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('message_digest')
      .addColumn('seq', ...types.sequence)
      .addColumn('digest', types.bytes, (column) => column.notNull().unique())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('message_digest_by_time').on('message_digest').column('at').execute()
  },
  async ({ schema }, types) => {
    await schema
      .createTable('consumer_start')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('consumer', types.text, (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('tries', 'bigint', (column) => column.notNull())
      .addColumn('suspects_json', types.text, (column) => column.notNull())
      .addColumn('trying_json', types.text)
      .addPrimaryKeyConstraint('consumer_start_id', ['workspace_id', 'consumer'])
      .execute()
  },
  // Sums of the dead letters by workspace.
  async (db, types) => {
    const { schema } = db
    await schema.dropTable('dead_letter_usage').execute()
    await schema
      .createTable('dead_letter_usage')
      .addColumn('workspace_id', types.text, (column) => column.primaryKey().notNull())
      .addColumn('letters', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .execute()
    await sql`insert into dead_letter_usage (workspace_id, letters, bytes)
      select workspace_id, count(*), sum(bytes) from dead_letter group by workspace_id`.execute(db)
  },
  // Receipts in rows of many.
  async (db, types) => {
    const { schema } = db
    await schema
      .createTable('receipt_batch')
      .addColumn('seq', ...types.sequence)
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('receipts', 'bigint', (column) => column.notNull())
      .addColumn('fingerprints', types.text, (column) => column.notNull())
      .addColumn('receipts_json', types.text, (column) => column.notNull())
      .execute()
    await schema
      .createIndex('receipt_batch_by_workspace')
      .on('receipt_batch')
      .columns(['workspace_id', 'seq'])
      .execute()
    await packReceipts(db)
    await schema.dropTable('receipt').execute()
  },
  // The suppression index is bound to its regulations; one of an earlier release is not, and is built again.
  async (db, types) => {
    const { schema } = db
    await schema.alterTable('suppression_state').addColumn('digest', types.bytes).execute()
    // Counts the active regulations without reading them.
    await sql`create index regulation_active on regulation (seq) where canceled = 0`.execute(db)
    await resetSegments(db)
  },
  // Consumers commit within a batch.
  async ({ schema }) => {
    await schema
      .alterTable('log_cursor')
      .addColumn('events_done', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
  // Several processes share the events that wait.
  async ({ schema }) => {
    await schema
      .alterTable('deferred_event')
      .addColumn('lane', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
  async ({ schema }, types) => {
    await schema
      .createTable('begun_load')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('consumer', types.text, (column) => column.notNull())
      .addColumn('lane', 'integer', (column) => column.notNull())
      .addColumn('load_id', types.text, (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('begun_load_id', ['workspace_id', 'consumer', 'lane'])
      .execute()
    await schema
      .createTable('load_attempt')
      .addColumn('seq', ...types.sequence)
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('consumer', types.text, (column) => column.notNull())
      .addColumn('attempt_json', types.text, (column) => column.notNull())
      .execute()
    await schema
      .createIndex('load_attempt_by_consumer')
      .on('load_attempt')
      .columns(['workspace_id', 'consumer', 'seq'])
      .execute()
  },
  async ({ schema }, types) => {
    await schema
      .createTable('config_record')
      .addColumn('seq', ...types.sequence)
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('kind', types.text, (column) => column.notNull())
      .addColumn('id', types.text, (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('external_id', types.text)
      .addColumn('body_json', types.text, (column) => column.notNull())
      .addUniqueConstraint('config_record_key', ['workspace_id', 'kind', 'id'])
      .execute()
    await schema
      .createTable('config_revision')
      .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute()
  },
  // Dead letters are grouped by code and reason, and filtered without reading their texts.
  async (db, types) => {
    const { schema } = db
    for (const column of ['code', 'reason'])
      await schema
        .alterTable('dead_letter')
        .addColumn(column, types.text, (built) => built.notNull().defaultTo(''))
        .execute()
    await fillReasons(db)
    await schema.dropIndex('dead_letter_by_workspace').execute()
    await schema
      .createIndex('dead_letter_by_workspace')
      .on('dead_letter')
      .columns(['workspace_id', 'seq', 'destination_id', 'source_id', 'code', 'at'])
      .execute()
    await schema
      .createIndex('dead_letter_by_reason')
      .on('dead_letter')
      .columns(['workspace_id', 'destination_id', 'code', 'reason', 'seq', 'at', 'id'])
      .execute()
  },
  // Sessions of the studio outlive processes, and are known to all that share the store.
  async ({ schema }, types) => {
    await schema
      .createTable('studio_session')
      .addColumn('key', types.text, (column) => column.primaryKey().notNull())
      .addColumn('session_json', types.text, (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .execute()
  },
  async ({ schema }, types) => {
    await schema.alterTable('code_record').addColumn('external_id', types.text).execute()
  },
  async ({ schema }, types) => {
    await schema
      .createTable('ledger_mark')
      .addColumn('name', types.text, (column) => column.primaryKey().notNull())
      .addColumn('text', types.text, (column) => column.notNull())
      .execute()
  },
  // Events that wait or failed belong to several users. Identifiers in different Unicode forms are the same.
  async (db, types) => {
    const { schema } = db
    for (const table of ['deferred_event', 'dead_letter'] as const) {
      await schema.dropIndex(`${table}_by_user`).execute()
      await schema.alterTable(table).dropColumn('user_id').execute()
      await schema
        .createTable(`${table}_user`)
        .addColumn('workspace_id', types.text, (column) => column.notNull())
        .addColumn('user_id', types.text, (column) => column.notNull())
        .addColumn('event_id', types.text, (column) => column.notNull().references(`${table}.id`).onDelete('cascade'))
        .addPrimaryKeyConstraint(`${table}_user_key`, ['workspace_id', 'user_id', 'event_id'])
        .execute()
      await schema.createIndex(`${table}_user_by_event`).on(`${table}_user`).column('event_id').execute()
    }
    await schema
      .createTable('id_writing')
      .addColumn('seq', ...types.sequence)
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('user_id', types.text, (column) => column.notNull())
      .addColumn('written_json', types.text, (column) => column.notNull())
      .addUniqueConstraint('id_writing_key', ['workspace_id', 'user_id', 'written_json'])
      .execute()
    await rebuildUsers(db)
    await cleanIdentifiers(db)
  },
  async ({ schema }, types) => {
    await schema
      .createTable('subject_request')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('id', types.text, (column) => column.notNull())
      .addColumn('regulation_id', types.text)
      .addColumn('request_json', types.text, (column) => column.notNull())
      .addColumn('received_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addPrimaryKeyConstraint('subject_request_key', ['workspace_id', 'id'])
      .execute()
    await schema.createIndex('subject_request_by_due').on('subject_request').column('due_at').execute()
    await schema
      .createIndex('subject_request_by_regulation')
      .on('subject_request')
      .columns(['workspace_id', 'regulation_id'])
      .execute()
  },
  // Persons are found by their e-mail addresses, phone numbers and anonymous ids, too.
  async (db, types) => {
    const { schema } = db
    await schema
      .createTable('regulation_identity')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('identity', types.text, (column) => column.notNull())
      .addColumn('regulation_id', types.text, (column) => column.notNull())
      .addPrimaryKeyConstraint('regulation_identity_key', ['workspace_id', 'identity', 'regulation_id'])
      .execute()
    await schema
      .createIndex('regulation_identity_by_regulation')
      .on('regulation_identity')
      .columns(['workspace_id', 'regulation_id'])
      .execute()
    if (await markAliases(db)) await resetSegments(db)
    await rebuildIdentities(db)
    await addChangesOfIdentities(db)
    await rebuildUsers(db)
    // Samples of guests had no digest, and masks hide by what they would be found.
    await db
      .deleteFrom('schema_sample')
      .where('user_digest', '=', '')
      .where(({ or, eb }) => or([eb('text', 'like', '%"email"%'), eb('text', 'like', '%"phone"%')]))
      .execute()
  },
  async (db, types) => {
    const { schema } = db
    await schema
      .createTable('subject_request_regulation')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('regulation_id', types.text, (column) => column.notNull())
      .addColumn('request_id', types.text, (column) => column.notNull())
      .addPrimaryKeyConstraint('subject_request_regulation_key', ['workspace_id', 'regulation_id'])
      .execute()
    await schema
      .createIndex('subject_request_regulation_by_request')
      .on('subject_request_regulation')
      .columns(['workspace_id', 'request_id'])
      .execute()
    await sql`insert into subject_request_regulation (workspace_id, regulation_id, request_id)
      select workspace_id, regulation_id, id from subject_request where regulation_id is not null`.execute(db)
    await schema.dropIndex('subject_request_by_regulation').execute()
    await schema.alterTable('subject_request').dropColumn('regulation_id').execute()
  },
  async (db, types) => {
    await db.schema
      .createTable('applied_write')
      .addColumn('writer', types.text, (column) => column.primaryKey())
      .addColumn('number', 'bigint', (column) => column.notNull())
      .addColumn('is_applied', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
  },
  // Until then, a lane had only its last load.
  async (db, types) => {
    await db.schema
      .createTable('load_mark')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('consumer', types.text, (column) => column.notNull())
      .addColumn('lane', 'integer', (column) => column.notNull())
      .addColumn('load_id', types.text, (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('is_over', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('load_mark_key', ['workspace_id', 'consumer', 'lane', 'load_id'])
      .execute()
    await sql`insert into load_mark (workspace_id, consumer, lane, load_id, position, is_over)
      select workspace_id, consumer, lane, load_id, position, 0 from begun_load`.execute(db)
    await db.schema.dropTable('begun_load').execute()
  },
  // Notes of publications.
  async ({ schema }, types) => {
    await schema.alterTable('code_version').addColumn('commit_id', types.text).execute()
  },
  // Jobs are counted and begun without reading all that there are.
  async ({ schema }) => {
    await schema.createIndex('deletion_job_by_id').on('deletion_job').columns(['workspace_id', 'id']).execute()
    await schema
      .createIndex('deletion_job_by_target')
      .on('deletion_job')
      .columns(['workspace_id', 'destination_id', 'status', 'seq'])
      .execute()
  },
  // Counts over time. What was counted before has no time.
  async (db, types) => {
    await db.schema
      .alterTable('counter')
      .addColumn('snapped', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update counter set snapped = total`.execute(db)
    await db.schema
      .createTable('history')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('every_ms', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('source_id', types.text, (column) => column.notNull())
      .addColumn('destination_id', types.text, (column) => column.notNull())
      .addColumn('kind', types.text, (column) => column.notNull())
      .addColumn('reason', types.text, (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('history_key', [
        'workspace_id',
        'every_ms',
        'at',
        'source_id',
        'destination_id',
        'kind',
        'reason',
      ])
      .execute()
    await db.schema.createIndex('history_by_age').on('history').columns(['every_ms', 'at']).execute()
  },
  // Changes for people.
  async ({ schema }, types) => {
    await schema
      .createTable('change_entry')
      .addColumn('seq', ...types.sequence)
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('kind', types.text, (column) => column.notNull())
      .addColumn('subject_kind', types.text, (column) => column.notNull())
      .addColumn('subject_id', types.text, (column) => column.notNull())
      .addColumn('shown_json', types.text, (column) => column.notNull())
      .execute()
    await schema.createIndex('change_by_workspace').on('change_entry').columns(['workspace_id', 'seq']).execute()
    await schema
      .createIndex('change_by_subject')
      .on('change_entry')
      .columns(['workspace_id', 'subject_id', 'seq'])
      .execute()
  },
  // Events of each model by day.
  async ({ schema }, types) => {
    await schema
      .createTable('schema_day')
      .addColumn('event_model_id', types.text, (column) => column.notNull())
      .addColumn('day', 'bigint', (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('schema_day_key', ['event_model_id', 'day'])
      .execute()
  },
  // The history has quarters of an hour, too: those of the minutes that there are.
  async (db) => {
    await sql`
      insert into history (workspace_id, every_ms, at, source_id, destination_id, kind, reason, amount)
      select workspace_id, 900000, at - at % 900000, source_id, destination_id, kind, reason,
        case when kind = 'oldestWaiting' then max(amount) else sum(amount) end
      from history where every_ms = 60000
      group by workspace_id, at - at % 900000, source_id, destination_id, kind, reason`.execute(db)
  },
  // Counts by name and day.
  async ({ schema }, types) => {
    await schema
      .createTable('named_count')
      .addColumn('workspace_id', types.text, (column) => column.notNull())
      .addColumn('source_id', types.text, (column) => column.notNull())
      .addColumn('day', types.text, (column) => column.notNull())
      .addColumn('destination_id', types.text, (column) => column.notNull())
      .addColumn('kind', types.text, (column) => column.notNull())
      .addColumn('name', types.text, (column) => column.notNull())
      .addColumn('reason', types.text, (column) => column.notNull())
      .addColumn('total', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('named_count_key', [
        'workspace_id',
        'source_id',
        'day',
        'destination_id',
        'kind',
        'name',
        'reason',
      ])
      .execute()
    await schema.createIndex('named_count_by_age').on('named_count').column('day').execute()
    await schema
      .createTable('named_count_delta')
      .addColumn('seq', ...types.sequence)
      .addColumn('counts_json', types.text, (column) => column.notNull())
      .execute()
  },
]

/**
 * Gives regulations without ids keys that no id has. Until then they had the prefix alone, which a sender may write, so only
 * stores to which such regulations were put back have any.
 */
async function markAliases(db: Kysely<Tables>): Promise<boolean> {
  const hasAliases = await db.selectFrom('ledger_mark').select('name').where('name', '=', 'aliases').executeTakeFirst()
  if (hasAliases === undefined) return false
  const [before, length] = ['ledger:', 50]
  const key = sql<string>`${aliasOf('')} || substr(user_id, ${sql.lit(before.length + 1)})`
  const marked = await db
    .updateTable('regulation')
    .set({ user_id: key })
    .where('user_id', 'like', `${before}%`)
    .where(sql<boolean>`length(user_id) = ${sql.lit(length)}`)
    .returning('id')
    .execute()
  return marked.length > 0
}

/** Sets code and reason of the dead letters of an earlier release, some at a time: their texts may be large. */
async function fillReasons(db: Kysely<Tables>): Promise<void> {
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom('dead_letter')
      .select(['seq', 'letter_json'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(200)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
    for (const { seq, letter_json } of rows) {
      const { error }: Partial<Pick<DeadLetter, 'error'>> = JSON.parse(letter_json)
      const set = { code: error?.code ?? '', reason: deadLetterReason(error?.message ?? '') }
      await db.updateTable('dead_letter').set(set).where('seq', '=', seq).execute()
    }
  }
}

/**
 * Runs a statement on the rows that a table had before a step. The statement is SQLite's, because only SQLite stores
 * are that old: in other databases the table is still empty.
 */
async function convertRows(db: Kysely<Tables>, table: keyof Tables, statement: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
  if (rows.length > 0) await statement.execute(db)
}

/** Rows of the table of receipts before they were packed. */
interface SingleReceipt {
  readonly seq: number
  readonly workspace_id: string
  readonly message_id: string
  readonly destination_id: string
  readonly source_id: string
  readonly outcome: EventReceipt['outcome']
  readonly stage: string
  readonly reason: string | null
  readonly code: ErrorCode | null
  readonly outputs: number
  readonly version_id: string | null
  readonly at: number
  readonly received_at: number | null
}

/** Puts receipts that have a row each into rows of many, a few hundred at a time. */
async function packReceipts(db: Kysely<Tables>): Promise<void> {
  for (let after = -1; ; ) {
    const { rows } =
      await sql<SingleReceipt>`select * from receipt where seq > ${after} order by seq limit 500`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
    const receipts = rows.map(
      (row): EventReceipt => ({
        workspaceId: row.workspace_id,
        messageId: row.message_id,
        sourceId: row.source_id,
        destinationId: row.destination_id,
        outcome: row.outcome,
        stage: row.stage,
        outputs: row.outputs,
        at: row.at,
        reason: row.reason ?? undefined,
        code: row.code ?? undefined,
        versionId: row.version_id ?? undefined,
        receivedAt: row.received_at ?? undefined,
      }),
    )
    for (const row of receiptRows(receipts)) await db.insertInto('receipt_batch').values(row).execute()
  }
}
