/**
 * Columns that a database has in every table, or keeps for itself, in lower case. All products avoid those of all: a destination may be
 * moved. Sources: PostgreSQL, "System Columns"; Amazon Redshift, "Reserved words" and its system columns; MariaDB, "InnoDB Data
 * Dictionary" and its reserved column names, which were tried; BigQuery, "Column names", for the beginnings.
 */
const systemColumns: ReadonlySet<string> = new Set([
  ...['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid', 'oid', 'insertxid', 'deletexid'],
  ...['db_row_id', 'db_trx_id', 'db_roll_ptr', 'fts_doc_id'],
])

const systemBeginning = /^_(?:table_|file_|partition|row_timestamp|colidentifier)|^__root__/

/** Returns whether a column cannot have this name in some product. @param name in lower case. */
export function isSystemColumn(name: string): boolean {
  return systemColumns.has(name) || systemBeginning.test(name)
}
