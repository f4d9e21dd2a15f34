import type { Kysely } from 'kysely'
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
]
