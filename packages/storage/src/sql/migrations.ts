import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** One step forward; runs in a transaction of its own. */
export type Migration = (db: Kysely<Tables>) => Promise<void>

/** Step n takes a store from version n to n + 1. A released step is never changed: a new one is added behind it. */
export const migrations: readonly Migration[] = [
  async ({ schema }) => {
    await schema
      .createTable('log_batch')
      .addColumn('position', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('source_id', 'text', (column) => column.notNull())
      .addColumn('write_key', 'text', (column) => column.notNull())
      .addColumn('received_at', 'integer', (column) => column.notNull())
      .addColumn('destination_ids_json', 'text', (column) => column.notNull())
      .addColumn('events_json', 'text', (column) => column.notNull())
      .execute()
    await schema.createIndex('log_batch_by_workspace').on('log_batch').columns(['workspace_id', 'position']).execute()
    await schema
      .createTable('log_trimmed')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .execute()
    await schema
      .createTable('log_cursor')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('consumer', 'text', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('log_cursor_key', ['workspace_id', 'consumer'])
      .execute()
    await schema
      .createTable('counter')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('source_id', 'text', (column) => column.notNull())
      .addColumn('destination_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('total', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('counter_key', ['workspace_id', 'source_id', 'destination_id', 'kind', 'reason'])
      .execute()
    await schema
      .createTable('receipt')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('destination_id', 'text', (column) => column.notNull())
      .addColumn('source_id', 'text', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('stage', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('code', 'text')
      .addColumn('outputs', 'integer', (column) => column.notNull())
      .addColumn('version_id', 'text')
      .addColumn('at', 'integer', (column) => column.notNull())
      .addUniqueConstraint('receipt_key', ['workspace_id', 'message_id', 'destination_id'])
      .execute()
    await schema
      .createTable('regulation')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('canceled', 'integer', (column) => column.notNull())
      .addColumn('regulation_type', 'text', (column) => column.notNull())
      .addColumn('attributes_json', 'text', (column) => column.notNull())
      .addColumn('source_ids_json', 'text', (column) => column.notNull())
      .addColumn('destination_ids_json', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('regulation_key', ['workspace_id', 'id'])
      .execute()
    await schema
      .createTable('event_model')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('event_id', 'text', (column) => column.notNull().unique())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('write_key', 'text', (column) => column.notNull())
      .addColumn('event_type', 'text', (column) => column.notNull())
      .addColumn('event_identifier', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('schema_json', 'text', (column) => column.notNull())
      .addColumn('last_seen', 'integer', (column) => column.notNull())
      .addColumn('total_count', 'integer', (column) => column.notNull())
      .addUniqueConstraint('event_model_key', ['workspace_id', 'write_key', 'event_type', 'event_identifier'])
      .execute()
    await schema
      .createTable('schema_version')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('version_id', 'text', (column) => column.notNull().unique())
      .addColumn('event_model_id', 'text', (column) => column.notNull().references('event_model.event_id'))
      .addColumn('schema_hash', 'text', (column) => column.notNull())
      .addColumn('schema_json', 'text', (column) => column.notNull())
      .addColumn('first_seen', 'integer', (column) => column.notNull())
      .addColumn('last_seen', 'integer', (column) => column.notNull())
      .addColumn('total_count', 'integer', (column) => column.notNull())
      .addUniqueConstraint('schema_version_key', ['event_model_id', 'schema_hash'])
      .execute()
  },
  async ({ schema }) => {
    await schema
      .createTable('code_record')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('import_name', 'text', (column) => column.notNull())
      .addColumn('import_key', 'text')
      .addColumn('newest_version_id', 'text', (column) => column.notNull())
      .addColumn('published_version_id', 'text')
      .addColumn('test_input_json', 'text')
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .addUniqueConstraint('code_record_key', ['workspace_id', 'id'])
      .addUniqueConstraint('code_record_import_key', ['workspace_id', 'import_key'])
      .execute()
    await schema
      .createTable('code_version')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('version_id', 'text', (column) => column.notNull())
      .addColumn('record_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('code', 'text', (column) => column.notNull())
      .addColumn('language', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('code_version_key', ['workspace_id', 'version_id'])
      .addUniqueConstraint('code_version_number', ['workspace_id', 'record_id', 'number'])
      .execute()
    await schema
      .createTable('code_connection')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('destination_id', 'text', (column) => column.notNull())
      .addColumn('record_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('code_connection_key', ['workspace_id', 'destination_id'])
      .execute()
    await schema
      .createTable('code_live')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .execute()
    await schema
      .createTable('audit_entry')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('user_name', 'text', (column) => column.notNull())
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .execute()
    await schema.createIndex('audit_by_workspace').on('audit_entry').columns(['workspace_id', 'seq']).execute()
  },
  async (db) => {
    const { schema } = db
    await schema
      .alterTable('regulation')
      .addColumn('seq', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema
      .alterTable('regulation')
      .addColumn('user_id', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await sql`update regulation set seq = rowid, user_id = json_extract(attributes_json, '$.userId')`.execute(db)
    await schema.createIndex('regulation_by_seq').on('regulation').columns(['workspace_id', 'seq']).execute()
    await schema.createIndex('regulation_by_user').on('regulation').columns(['workspace_id', 'user_id']).execute()
    await schema.createIndex('regulation_seq').on('regulation').column('seq').execute()
    await schema
      .createTable('regulation_change')
      .addColumn('position', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('delta', 'integer', (column) => column.notNull())
      .execute()
    await sql`insert into regulation_change (workspace_id, user_id, delta)
      select workspace_id, user_id, 1 from regulation where canceled = 0 order by seq`.execute(db)
    await schema
      .createTable('suppression_segment')
      .addColumn('number', 'integer', (column) => column.primaryKey())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'blob', (column) => column.notNull())
      .execute()
    await schema
      .createTable('suppression_state')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('secret', 'blob', (column) => column.notNull())
      .addColumn('settled', 'integer', (column) => column.notNull())
      .execute()
  },
  async ({ schema }) => {
    await schema
      .alterTable('event_model')
      .addColumn('structure_json', 'text', (column) => column.notNull().defaultTo('{"kinds":64}'))
      .execute()
    await schema.alterTable('schema_version').addColumn('key_counts_json', 'text').execute()
    await schema
      .createTable('schema_sample')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('version_id', 'text', (column) => column.notNull().references('schema_version.version_id'))
      .addColumn('rank', 'real', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('user_digest', 'text', (column) => column.notNull())
      .execute()
    await schema.createIndex('schema_sample_by_version').on('schema_sample').columns(['version_id', 'rank']).execute()
    await schema.createIndex('schema_sample_by_user').on('schema_sample').column('user_digest').execute()
    await schema
      .createTable('schema_values')
      .addColumn('owner_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('values_json', 'text', (column) => column.notNull())
      .execute()
    await schema
      .createTable('schema_bound')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('write_key', 'text', (column) => column.notNull())
      .addColumn('bound', 'text', (column) => column.notNull())
      .addColumn('total', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('schema_bound_key', ['workspace_id', 'write_key', 'bound'])
      .execute()
  },
  async ({ schema }) => {
    await schema
      .createTable('deferred_event')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('destination_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('user_keys_json', 'text', (column) => column.notNull())
      .addColumn('due_at', 'integer', (column) => column.notNull())
      .addColumn('event_json', 'text', (column) => column.notNull())
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
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('destination_id', 'text', (column) => column.notNull())
      .addColumn('source_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('letter_json', 'text', (column) => column.notNull())
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
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('regulation_id', 'text', (column) => column.notNull())
      .addColumn('destination_id', 'text', (column) => column.notNull())
      .addColumn('attributes_json', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('due_at', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'integer', (column) => column.notNull())
      .execute()
    await schema.createIndex('deletion_job_by_status').on('deletion_job').columns(['status', 'due_at']).execute()
    await schema
      .createIndex('deletion_job_by_regulation')
      .on('deletion_job')
      .columns(['workspace_id', 'regulation_id'])
      .execute()
    await schema
      .createTable('dead_letter_usage')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('letters', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .execute()
  },
  async ({ schema }) => {
    await schema.alterTable('deletion_job').addColumn('mark', 'text').execute()
  },
  async (db) => {
    const { schema } = db
    await schema
      .alterTable('log_batch')
      .addColumn('bytes', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update log_batch set bytes = octet_length(events_json)`.execute(db)
    await schema.dropIndex('log_batch_by_workspace').execute()
    // With all that trimming asks, so that it need not look at the events.
    await schema
      .createIndex('log_batch_by_workspace')
      .on('log_batch')
      .columns(['workspace_id', 'position', 'received_at', 'bytes'])
      .execute()
  },
  // Where one event is: found by its message id.
  async (db) => {
    const { schema } = db
    await schema.alterTable('receipt').addColumn('received_at', 'integer').execute()
    for (const [table, text] of [
      ['deferred_event', 'event_json'],
      ['dead_letter', 'letter_json'],
    ] as const) {
      await schema
        .alterTable(table)
        .addColumn('message_id', 'text', (column) => column.notNull().defaultTo(''))
        .execute()
      await sql`update ${sql.table(table)} set message_id = coalesce(json_extract(${sql.ref(text)}, '$.source.event.messageId'), '')`.execute(
        db,
      )
      await schema.createIndex(`${table}_by_message`).on(table).columns(['workspace_id', 'message_id']).execute()
    }
  },
  async ({ schema }) => {
    await schema
      .createTable('lost_batches')
      .addColumn('from_position', 'integer', (column) => column.primaryKey())
      .addColumn('to_position', 'integer', (column) => column.notNull())
      .addColumn('noticed_at', 'integer', (column) => column.notNull())
      .execute()
    await schema
      .createTable('message_digest')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('digest', 'blob', (column) => column.notNull().unique())
      .addColumn('at', 'integer', (column) => column.notNull())
      .execute()
    await schema.createIndex('message_digest_by_time').on('message_digest').column('at').execute()
  },
  async ({ schema }) => {
    await schema
      .createTable('consumer_start')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('consumer', 'text', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('suspects_json', 'text', (column) => column.notNull())
      .addColumn('trying_json', 'text')
      .addPrimaryKeyConstraint('consumer_start_id', ['workspace_id', 'consumer'])
      .execute()
  },
  // What the letters add up to, by workspace.
  async (db) => {
    const { schema } = db
    await schema.dropTable('dead_letter_usage').execute()
    await schema
      .createTable('dead_letter_usage')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('letters', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .execute()
    await sql`insert into dead_letter_usage (workspace_id, letters, bytes)
      select workspace_id, count(*), sum(bytes) from dead_letter group by workspace_id`.execute(db)
  },
]
