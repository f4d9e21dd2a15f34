import { WarehouseError } from '../../load/warehouse-error.ts'

/** What an operator can do, by the code of the server, the driver or the operating system. */
const advice: Readonly<Record<string, string>> = {
  ER_ACCESS_DENIED_ERROR: 'Check user and password.',
  ER_DBACCESS_DENIED_ERROR: 'Grant the user all rights on the database that the namespace names.',
  ER_TABLEACCESS_DENIED_ERROR: 'Grant the user all rights on the database that the namespace names.',
  ER_LOCK_WAIT_TIMEOUT: 'Another session locks the table: end it, or wait; the load is repeated.',
  ER_LOCK_DEADLOCK: 'Another session changed the same rows; the load is repeated.',
  ER_DISK_FULL: 'Free space on the disk of the server; the load is repeated.',
  ER_RECORD_FILE_FULL: 'Free space on the disk of the server; the load is repeated.',
  ER_CON_COUNT_ERROR: 'The server has no connection left: raise max_connections, or close others.',
  ER_NET_PACKET_TOO_LARGE: 'Raise max_allowed_packet of the server above the size of the largest event.',
  ER_TOO_BIG_ROWSIZE: 'The table has too many columns for one row: store nested keys as JSON with jsonPaths.',
  ER_BAD_FIELD_ERROR: 'A column was dropped meanwhile: the next load adds it again.',
  ER_NO_SUCH_TABLE: 'A table was dropped meanwhile: the next load creates it again.',
  ECONNREFUSED: 'No server listens there: check host and port, and that the server runs.',
  ENOTFOUND: 'The host is unknown: check its name.',
  ETIMEDOUT: 'The server did not answer in time: check host, port and firewall.',
  EPEERSILENT: 'The server did not answer in time: check that it runs, and the way to it; the load is repeated.',
  EADDRREFUSED: 'The address is not public: allow it with --allow-address.',
  PROTOCOL_CONNECTION_LOST: 'The connection was lost; the load is repeated.',
}

/** What the server answers about values and rows in spite of a general SQLSTATE. */
const rowCodes: ReadonlySet<string> = new Set([
  'ER_CHECK_CONSTRAINT_VIOLATED',
  'ER_INDEX_COLUMN_TOO_LONG',
  'ER_NO_DEFAULT_FOR_FIELD',
  'ER_TOO_BIG_ROWSIZE',
  'ER_TRUNCATED_WRONG_VALUE_FOR_FIELD',
])

/** Values that a type does not have, constraints, checks of views, and what triggers raise. */
function isOfRows(code: string, sqlState: string): boolean {
  return /^(?:22|23|44|45)/.test(sqlState) || rowCodes.has(code)
}

/** Returns a failure of a MySQL server with what to do. The server does not put credentials into its messages. */
export function mysqlProblem(error: unknown, place: string): WarehouseError {
  if (error instanceof WarehouseError) return error
  const {
    code = 'UNKNOWN',
    message,
    sqlState = '',
  } = (error ?? {}) as Error & {
    readonly code?: string
    readonly sqlState?: string
  }
  const hint = advice[code]
  const what = `${place}: ${message || code}`
  return new WarehouseError(`${what.replace(/\.?$/, '.')}${hint ? ` ${hint}` : ''}`, code, isOfRows(code, sqlState))
}

/**
 * Returns false: the column keeps its type, such as when a key needs it, the user may not change it, or others use the table.
 * @throws the error when it is not the server's answer.
 */
export function isKept(error: unknown): false {
  if (error instanceof WarehouseError && error.code.startsWith('ER_')) return false
  throw error
}

/** What the server answers when a name is taken, belongs to something else, or is its own, and when a table has no room for a column. */
const refusedNames: ReadonlySet<string> = new Set([
  'ER_BAD_TABLE_ERROR',
  'ER_DUP_FIELDNAME',
  'ER_DUP_KEYNAME',
  'ER_INNODB_FT_WRONG_DOCID_COLUMN',
  'ER_NOT_BASE_TABLE',
  'ER_TABLE_EXISTS_ERROR',
  'ER_TOO_BIG_ROWSIZE',
  'ER_TOO_LONG_IDENT',
  'ER_TOO_MANY_FIELDS',
  // The driver's name of MariaDB's 4086: columns are added to a sequence, which `create table if not exists` leaves alone.
  'ER_TOO_MANY_WINDOWS',
  'ER_WRONG_COLUMN_NAME',
  'ER_WRONG_OBJECT',
  'ER_WRONG_TABLE_NAME',
])

/** Returns whether the server refuses a statement for a name in it. */
export function isRefusedName(error: unknown): error is WarehouseError {
  return error instanceof WarehouseError && refusedNames.has(error.code)
}
